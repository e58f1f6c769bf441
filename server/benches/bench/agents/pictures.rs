//! Pictures on demand in full size, by codec, and an overview with ticked moments, which are decoded for it.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::Client;

use super::{create_request, encode, milliseconds, percentile, wait_until_stills_are_ready};
use crate::servers::Server;
use crate::table::{met, print};

/// Name, size, encoder and container of each recording.
/// There is a keyframe a second, as in recordings of the page.
const RECORDINGS: [(&str, &str, &str, &str); 4] = [
    ("H.264, 720p", "1280x720", "libx264", "mp4"),
    ("H.264, 1080p", "1920x1080", "libx264", "mp4"),
    ("VP8, 720p", "1280x720", "libvpx", "webm"),
    ("VP9, 720p", "1280x720", "libvpx-vp9", "webm"),
];

const KEYFRAME_EVERY: u32 = 30;

/// Targets for the median of a picture and of an overview.
const MAX_PICTURE: Duration = Duration::from_millis(150);
const MAX_OVERVIEW: Duration = Duration::from_millis(100);

pub async fn measure(binary: &Path, disk: &Path, client: &Client, times: u64) -> Result<()> {
    let mut rows = Vec::new();
    for (name, size, encoder, extension) in RECORDINGS {
        let recording = encode(disk, size, encoder, KEYFRAME_EVERY, extension).await?;
        // A server of its own, because decodings of a creator are limited, and pictures are cached.
        let server = Server::vidence_with_ffmpeg(binary, &disk.join(encoder).join(size))?;
        let agent = create_request(client, &server).await?;
        let ticks = [1_500, 4_700, 8_200];
        agent
            .submit_with_ticks(&format!("video/{extension}"), recording, &ticks)
            .await?;
        wait_until_stills_are_ready(&agent).await?;
        let video = agent.video().await?;
        let (mut pictures, mut overviews) = (Vec::new(), Vec::new());
        for number in 0..times {
            let start = Instant::now();
            // Spread over the ten seconds, each at another distance from its keyframe.
            agent
                .get_full_picture(&video, number * 3_701 % 10_000)
                .await?;
            pictures.push(start.elapsed());
            let start = Instant::now();
            agent.get_evidence("auto", 0).await?;
            overviews.push(start.elapsed());
        }
        rows.push([
            name.to_owned(),
            milliseconds(&pictures, 50),
            milliseconds(&pictures, 100),
            met(percentile(&pictures, 50) <= MAX_PICTURE).to_owned(),
            milliseconds(&overviews, 50),
            met(percentile(&overviews, 50) <= MAX_OVERVIEW).to_owned(),
        ]);
    }
    print(
        [
            "a picture in full size",
            "p50 (ms)",
            "most (ms)",
            "aim: 150 ms",
            "overview with three ticks, p50 (ms)",
            "aim: 100 ms",
        ],
        rows,
    );
    Ok(())
}
