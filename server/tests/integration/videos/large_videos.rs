//! Videos of more than 4 GiB: any byte count of 32 bits between upload and range would show.

use std::ops::Range;

use app::video_metadata::{StillsStatus, VideoMetadata};
use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue, RANGE};
use reqwest::{Method, StatusCode};
use server::config::LimitArgs;

use super::large_uploads::{declare, upload};
use crate::support::{
    Creator, LIVE_MP4, LIVE_WEBM, Server, assert_refused, generous_limits, noise, wait_until,
};
use crate::videos::seeking::{SeekResult, seek};
use test_support::recordings::padding::PaddedRecording;

pub const FOUR_GIB: u64 = 1 << 32;

/// Chunk size of an upload.
pub const CHUNK: u64 = 8 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_webm_of_more_than_4_gib_comes_back_whole_and_seekable() {
    let recording = PaddedRecording::webm(LIVE_WEBM, FOUR_GIB);
    assert_served_unchanged(LIVE_WEBM, recording).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_mp4_of_more_than_4_gib_comes_back_whole_and_seekable() {
    let recording = PaddedRecording::mp4(LIVE_MP4, FOUR_GIB);
    assert_served_unchanged(LIVE_MP4, recording).await;
}

/// Compares with the same recording without its padding.
async fn assert_served_unchanged(original: &[u8], recording: PaddedRecording) {
    let length = recording.length();
    let limits = LimitArgs {
        max_video_bytes: length,
        max_request_bytes: length,
        ..generous_limits()
    };
    let server = Server::sqlite().await.with_limits(limits).await;
    let plain = Video::of_recording(&server, original).await;

    let creator = server.create_request().await;
    assert_refused(declare(&creator, length + 1).await, 413, "too_large").await;
    let take = upload(&creator, &recording).await;
    // Hashing 8 GiB may take longer than a submission waits; then the server asks for a retry.
    loop {
        let answer = creator.submit(&take).await;
        if answer.status() == StatusCode::OK {
            break;
        }
        assert_refused(answer, 503, "still_sealing").await;
    }
    let video = Video::submit(creator).await;

    let whole = video.request(Method::HEAD, None).await;
    assert_eq!(whole.status(), StatusCode::OK);
    let total = video.metadata.bytes;
    assert_eq!(whole.headers()["content-length"], total.to_string());
    assert!(total > length, "an index stands in front");
    let all = video.request(Method::GET, None).await;
    assert_eq!(all.status(), StatusCode::OK);
    assert_eq!(all.headers()["content-length"], total.to_string());

    let served = ServedVideo {
        index: video.range(0..total - length, total).await,
        padding: noise(usize::try_from(CHUNK).expect("small")),
        recording,
    };
    assert_eq!(served.compare_whole(all).await, total);
    let tail = total - served.recording.tail.len() as u64;
    for range in [
        0..served.index.len() as u64 + 100,
        FOUR_GIB - 1..FOUR_GIB,
        FOUR_GIB..FOUR_GIB + 1,
        FOUR_GIB - 3..FOUR_GIB + 3,
        FOUR_GIB - CHUNK..FOUR_GIB + 1,
        tail - 5..tail + 5,
        tail..total,
        total - 1..total,
    ] {
        let want = served.bytes(range.clone());
        assert!(video.range(range.clone(), total).await == want, "{range:?}");
    }
    for open in [format!("bytes={}-", total - 3), "bytes=-3".to_owned()] {
        let part = video.request(Method::GET, Some(&open)).await;
        let want = format!("bytes {}-{}/{total}", total - 3, total - 1);
        assert_eq!(part.headers()["content-range"], want);
        let want = served.bytes(total - 3..total);
        assert!(part.bytes().await.expect("bytes") == want, "{open}");
    }
    let behind = video
        .request(Method::GET, Some(&format!("bytes={total}-")))
        .await;
    assert_eq!(
        behind.headers()["content-range"],
        format!("bytes */{total}")
    );
    assert_refused(behind, 416, "range_not_satisfiable").await;

    let [properties, plain_properties] =
        [&video, &plain].map(|it| it.metadata.properties.clone().expect("sealed"));
    assert_eq!(properties.duration_ms, plain_properties.duration_ms);
    assert_eq!(properties.truncated, plain_properties.truncated);
    assert_eq!(video.metadata.stills, plain.metadata.stills);
    let stills = video.stills().await;
    assert!(stills.len() > 1, "from either side of the padding");
    assert!(stills == plain.stills().await, "the same pictures");

    let shown = video.seek().await;
    assert!(
        shown.bytes_read < CHUNK,
        "{} bytes to get there",
        shown.bytes_read
    );
    assert_eq!(shown.digest, plain.seek().await.digest);
}

/// The expected bytes.
struct ServedVideo {
    index: Bytes,
    /// One chunk of padding, which repeats.
    padding: Vec<u8>,
    recording: PaddedRecording,
}

impl ServedVideo {
    fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        while range.start + (bytes.len() as u64) < range.end {
            bytes.extend(self.bytes_from(range.start + bytes.len() as u64));
        }
        bytes.truncate(index(range.end - range.start));
        bytes
    }

    /// The bytes from this offset on, as far as they lie together here: at least one.
    fn bytes_from(&self, at: u64) -> &[u8] {
        let PaddedRecording { head, tail, .. } = &self.recording;
        let Some(at) = at.checked_sub(self.index.len() as u64) else {
            return &self.index[index(at)..];
        };
        let Some(padded) = at.checked_sub(head.len() as u64) else {
            return &head[index(at)..];
        };
        match at.checked_sub(self.recording.tail_start()) {
            Some(at) => &tail[index(at)..],
            None => {
                let rest = &self.padding[index(padded % CHUNK)..];
                let left = self.recording.tail_start() - at;
                &rest[..rest.len().min(index(left))]
            }
        }
    }

    /// Compares each byte of a response with what is expected there, and returns how many there were.
    async fn compare_whole(&self, mut response: reqwest::Response) -> u64 {
        let mut at = 0;
        while let Some(received) = response.chunk().await.expect("bytes") {
            let mut received = &received[..];
            while !received.is_empty() {
                let want = self.bytes_from(at);
                let length = want.len().min(received.len());
                assert!(received[..length] == want[..length], "{at}");
                received = &received[length..];
                at += length as u64;
            }
        }
        at
    }
}

fn index(at: u64) -> usize {
    usize::try_from(at).expect("within memory")
}

/// A submitted video with its metadata.
struct Video<'s> {
    creator: Creator<'s>,
    path: String,
    metadata: VideoMetadata,
}

impl<'s> Video<'s> {
    async fn of_recording(server: &'s Server, recording: &[u8]) -> Self {
        let creator = server.create_request().await;
        creator.submit_video(recording).await;
        Self::submit(creator).await
    }

    async fn submit(creator: Creator<'s>) -> Self {
        let path = creator.video_path().await;
        let metadata_path = path.replacen("/v1", "", 1) + "/metadata";
        let metadata = async || -> VideoMetadata {
            let answer = creator.send_authorized(Method::GET, &metadata_path).await;
            answer.json().await.expect("metadata")
        };
        wait_until(async || metadata().await.stills.status != StillsStatus::Pending).await;
        let metadata = metadata().await;
        Self {
            creator,
            path,
            metadata,
        }
    }

    async fn request(&self, method: Method, range: Option<&str>) -> reqwest::Response {
        let range = range.map(|it| (RANGE, HeaderValue::try_from(it).expect("a value")));
        let headers: HeaderMap = range.into_iter().collect();
        self.creator
            .send_with_headers(method, &self.path, headers)
            .await
    }

    /// Downloads a range of a video that is `total` bytes long.
    async fn range(&self, range: Range<u64>, total: u64) -> Bytes {
        let (first, last) = (range.start, range.end - 1);
        let header = format!("bytes={first}-{last}");
        let part = self.request(Method::GET, Some(&header)).await;
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT, "{header}");
        let content_range = format!("bytes {first}-{last}/{total}");
        assert_eq!(part.headers()["content-range"], content_range);
        let length = (range.end - range.start).to_string();
        assert_eq!(part.headers()["content-length"], length);
        part.bytes().await.expect("bytes")
    }

    /// The frame that a player shows behind the padding.
    async fn seek(&self) -> SeekResult {
        let url = format!("{}{}", self.creator.server.base, self.path);
        let access_token = &self.creator.created.access_token;
        let header = format!("Authorization: Bearer {access_token}\r\n");
        let seeking = move || {
            let folder = tempfile::tempdir().expect("a folder");
            // With more of it ffmpeg would read through the padding to analyse the tracks.
            let beginning = ["-probesize", "4500", "-analyzeduration", "1"];
            let input = ["-headers", &header, "-i", &url];
            seek(folder.path(), &[beginning, input].concat(), "1.2")
        };
        let sought = tokio::task::spawn_blocking(seeking).await;
        sought.expect("a picture")
    }

    /// Downloads all stills.
    async fn stills(&self) -> Vec<Bytes> {
        let mut stills = Vec::new();
        for still in &self.metadata.stills.pictures {
            let path = self.path.replacen("/v1", "", 1);
            let path = format!("{path}/stills/{}", still.at_ms);
            let answer = self.creator.send_authorized(Method::GET, &path).await;
            assert_eq!(answer.status(), StatusCode::OK);
            stills.push(answer.bytes().await.expect("a picture"));
        }
        stills
    }
}
