//! Videos of three hours: as long as they are, shown all over, and sought without being read.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use app::video_metadata::{StillsStatus, VideoMetadata};
use reqwest::Method;

use crate::players::{Sought, seek};
use crate::support::{Server, wait_until};
use test_support::three_hours::{MP4, Recipe, THREE_HOURS, WEBM};

/// 2:59:00, and a little: between two frames.
const LATE: &str = "10740.05";

#[tokio::test(flavor = "multi_thread")]
async fn a_webm_of_three_hours_is_known_shown_and_sought_to_its_end() {
    is_known_shown_and_sought(WEBM).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_mp4_of_three_hours_is_known_shown_and_sought_to_its_end() {
    is_known_shown_and_sought(MP4).await;
}

async fn is_known_shown_and_sought(recipe: Recipe) {
    let folder = tempfile::tempdir().expect("a folder");
    let film = recipe.make(folder.path());
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    // Sealed sooner than a submission is told to come back.
    let path = creator.submit_video(&fs::read(&film).expect("made")).await;

    let about = path.replace("/v1", "") + "/metadata";
    let facts = async || -> VideoMetadata {
        let answer = creator.ask(Method::GET, &about).await;
        answer.json().await.expect("facts")
    };
    wait_until(async || facts().await.stills.status != StillsStatus::Pending).await;
    let facts = facts().await;
    let properties = facts.properties.expect("sealed");
    is_three_hours(Duration::from_millis(properties.duration_ms));
    assert!(properties.has_audio && !properties.truncated);
    let moments = facts.stills.pictures.iter();
    let moments: Vec<_> = moments.map(|it| Duration::from_millis(it.at_ms)).collect();
    assert_eq!(moments.len(), 12);
    let ends = moments.iter().skip(1).chain([&THREE_HOURS]);
    let gaps = moments.iter().zip(ends).map(|(at, next)| *next - *at);
    let largest = gaps.max().expect("several");
    assert!(largest < THREE_HOURS / 10, "{moments:?}");

    let served = creator.ask(Method::GET, &path).await;
    let served = served.bytes().await.expect("bytes");
    let recorded = fs::metadata(&film).expect("made").len();
    let index = served.len() as u64 - recorded;
    fs::write(folder.path().join("served"), served).expect("room");
    is_three_hours(told_length(folder.path()));
    let shown = seek(folder.path(), &["-i", "served"], LATE);
    let Sought { read, .. } = shown;
    // The index, and a little around the beginning and around the moment.
    assert!(read < index + (1 << 20), "{read} bytes, {index} of index");
    let film = film.to_str().expect("UTF-8");
    let want = seek(folder.path(), &["-i", film], LATE);
    assert!(want.read > recorded / 2, "it can be sought as it came");
    assert_eq!(shown.digest, want.digest);
}

fn is_three_hours(length: Duration) {
    let off = length.abs_diff(THREE_HOURS);
    assert!(off < Duration::from_secs(1), "{length:?}");
}

/// How long ffprobe takes what is served to be.
fn told_length(folder: &Path) -> Duration {
    let told = Command::new("ffprobe")
        .current_dir(folder)
        .args("-v error -show_entries format=duration -of csv=p=0 served".split(' '))
        .output()
        .expect("ffprobe");
    let told = String::from_utf8_lossy(&told.stdout);
    let seconds = told.trim().parse().expect("a number of seconds");
    Duration::from_secs_f64(seconds)
}
