//! Videos of three hours: duration, stills over the whole length, and seeking without a full download.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use app::video_metadata::{StillsStatus, VideoMetadata};
use reqwest::Method;

use crate::support::{Server, wait_until};
use crate::videos::seeking::{SeekResult, seek};
use test_support::recordings::three_hours::{MP4, Recipe, THREE_HOURS, WEBM};

/// 2:59:00 and half a frame.
const NEAR_THE_END: &str = "10740.05";

#[tokio::test(flavor = "multi_thread")]
async fn a_webm_of_three_hours_has_metadata_stills_and_fast_seeking() {
    assert_metadata_stills_and_seeking(WEBM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_mp4_of_three_hours_has_metadata_stills_and_fast_seeking() {
    assert_metadata_stills_and_seeking(MP4).await;
}

async fn assert_metadata_stills_and_seeking(recipe: Recipe) {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recipe.make(folder.path());
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let path = creator
        .submit_video(&fs::read(&recording).expect("made"))
        .await;

    let about = path.replacen("/v1", "", 1) + "/metadata";
    let metadata = async || -> VideoMetadata {
        let answer = creator.send_authorized(Method::GET, &about).await;
        answer.json().await.expect("metadata")
    };
    wait_until(async || metadata().await.stills.status != StillsStatus::Pending).await;
    let metadata = metadata().await;
    let properties = metadata.properties.expect("sealed");
    assert_three_hours(Duration::from_millis(properties.duration_ms));
    assert!(properties.has_audio && !properties.truncated);
    // The film repeats itself, so there are few stills: the sheet has all moments that were looked at.
    let sheet = metadata.contact_sheet.expect("a contact sheet");
    assert_eq!(sheet.moments, 45);
    let times = metadata.stills.pictures.iter();
    let times: Vec<_> = times.map(|it| Duration::from_millis(it.at_ms)).collect();
    assert!((2..=12).contains(&times.len()), "{times:?}");
    assert!(times[0] < Duration::from_millis(100), "{times:?}");
    let last = times[times.len() - 1];
    assert!(last > THREE_HOURS / 100 * 99, "{times:?}");

    let served = creator.send_authorized(Method::GET, &path).await;
    let served = served.bytes().await.expect("bytes");
    let recorded = fs::metadata(&recording).expect("made").len();
    let index = served.len() as u64 - recorded;
    fs::write(folder.path().join("served"), served).expect("room");
    assert_three_hours(probed_duration(folder.path()));
    let frames = seek(folder.path(), &["-i", "served"], NEAR_THE_END);
    let SeekResult { bytes_read, .. } = frames;
    // The index, and some bytes around the beginning and the target.
    assert!(
        bytes_read < index + (1 << 20),
        "{bytes_read} bytes, {index} of index"
    );
    let recording = recording.to_str().expect("UTF-8");
    let want = seek(folder.path(), &["-i", recording], NEAR_THE_END);
    assert!(
        want.bytes_read > recorded / 2,
        "it can be sought as it came"
    );
    assert_eq!(frames.digest, want.digest);
}

fn assert_three_hours(length: Duration) {
    let off = length.abs_diff(THREE_HOURS);
    assert!(off < Duration::from_secs(1), "{length:?}");
}

/// Duration of the served file according to ffprobe.
fn probed_duration(folder: &Path) -> Duration {
    let output = Command::new("ffprobe")
        .current_dir(folder)
        .args("-v error -show_entries format=duration -of csv=p=0 served".split(' '))
        .output()
        .expect("ffprobe");
    let output = String::from_utf8_lossy(&output.stdout);
    let seconds = output.trim().parse().expect("a number of seconds");
    Duration::from_secs_f64(seconds)
}
