//! One request lifecycle from creation to deletion or expiry, with random choices.

use std::time::Duration;

use anyhow::{Result, ensure};
use app::api::{RequestStatus, VideoView};
use app::video_metadata::StillsStatus;
use bytes::Bytes;
use rand::RngExt;
use rand::rngs::StdRng;
use tokio::time::sleep;

use super::client::{ApiClient, RequestHandle};
use super::recordings::{Recording, Recordings};
use super::upload::{UploadMode, upload};

/// Pages that are fetched besides the recording page.
const PAGES: [&str; 7] = [
    "/",
    "/docs",
    "/docs/mcp",
    "/llms.txt",
    "/v1/openapi.json",
    "/mcp/server-card",
    "/healthz",
];

/// Longest wait for a submission in seconds.
const WAIT: u32 = 50;

/// Polls for stills until they are ready.
const POLLS: usize = 20;

/// A request that is left to expire.
#[derive(Debug)]
pub struct Retained {
    pub request: RequestHandle,
    pub video: Option<VideoView>,
}

/// Runs a lifecycle. With `retain` the request is left to expire.
pub async fn run(
    api: &ApiClient<'_>,
    recordings: &Recordings,
    mut rng: StdRng,
    retain: bool,
) -> Result<Option<Retained>> {
    let request = match rng.random_ratio(1, 3) {
        true => api.create_over_mcp().await?,
        false => api.create().await?,
    };
    let outcome = run_steps(api, recordings, &mut rng, request.clone(), retain).await;
    if outcome.is_err() {
        // Deletes what no later step would. Fails if the request is deleted already.
        let _ = api.delete(&request).await;
    }
    outcome
}

async fn run_steps(
    api: &ApiClient<'_>,
    recordings: &Recordings,
    rng: &mut StdRng,
    request: RequestHandle,
    retain: bool,
) -> Result<Option<Retained>> {
    if rng.random_ratio(1, 4) {
        api.page(PAGES[rng.random_range(0..PAGES.len())]).await?;
    }
    let waits = rng.random_ratio(1, 2);
    let recording = recordings.any(rng);
    let recorded = record(api, &request, &recording, rng);
    let submitted = match waits {
        // A wait ends with the submission.
        true => {
            let (submitted, view) = tokio::join!(recorded, wait(api, &request));
            let (submitted, notified) = (submitted?, view?);
            ensure!(
                submitted || !notified,
                "a wait reported a submission that never happened"
            );
            submitted
        }
        false => recorded.await?,
    };
    let video = match submitted {
        true => Some(api.video(&request).await?),
        false => None,
    };
    if let Some(video) = &video {
        inspect(api, &request, video, &recording.bytes, rng).await?;
    }
    if retain {
        return Ok(Some(Retained { request, video }));
    }
    match rng.random_ratio(1, 3) {
        true => api.delete_over_mcp(&request).await?,
        false => api.delete(&request).await?,
    }
    api.assert_deleted(&request).await?;
    Ok(None)
}

/// Does what a user's browser does. Returns whether a video was submitted.
async fn record(
    api: &ApiClient<'_>,
    request: &RequestHandle,
    recording: &Recording,
    rng: &mut StdRng,
) -> Result<bool> {
    let id = &request.id;
    for path in [format!("/r/{id}"), format!("/r/{id}/state")] {
        api.page(&path).await?;
    }
    if rng.random_ratio(1, 10) {
        api.page(&format!("/r/{id}/qr.svg")).await?;
    }
    // The time that a person takes.
    sleep(Duration::from_millis(rng.random_range(0..3000))).await;
    let mode = match rng.random_range(0..20) {
        0..4 => UploadMode::Whole,
        4..10 => UploadMode::InPieces,
        10..15 => UploadMode::Interrupted,
        15..17 => UploadMode::Abandoned,
        17..19 => UploadMode::Form,
        // A visitor who doesn't record.
        _ => return Ok(false),
    };
    upload(api, request, recording, mode, rng).await
}

/// Long-polls, and returns whether it ended with a submission. Gives up where none comes.
async fn wait(api: &ApiClient<'_>, request: &RequestHandle) -> Result<bool> {
    const TIMEOUT: Duration = Duration::from_secs(8);
    let waiting = api.wait(request, WAIT);
    let Ok(view) = tokio::time::timeout(TIMEOUT, waiting).await else {
        return Ok(false);
    };
    Ok(view?.status == RequestStatus::Submitted)
}

/// Does what an agent does: downloads and inspects the video.
async fn inspect(
    api: &ApiClient<'_>,
    request: &RequestHandle,
    video: &VideoView,
    recording: &Bytes,
    rng: &mut StdRng,
) -> Result<()> {
    if rng.random_ratio(1, 4) {
        api.abort_download(request, video).await?;
    }
    if rng.random_ratio(1, 3) {
        api.get_over_mcp(request).await?;
    }
    let whole = api.download(request, video, recording).await?;
    for _ in 0..rng.random_range(0..6) {
        let start = rng.random_range(0..whole.len());
        let end = rng.random_range(start + 1..=whole.len());
        api.download_range(request, video, &whole, start..end)
            .await?;
    }
    if rng.random_ratio(1, 2) {
        for _ in 0..POLLS {
            if api.load_stills(request, video).await? != StillsStatus::Pending {
                break;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }
    if rng.random_ratio(1, 10) {
        api.send_invalid_requests(request, video).await?;
    }
    Ok(())
}
