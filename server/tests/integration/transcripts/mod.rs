//! Transcripts of submitted videos.

mod failures;
mod made;
mod removal;
mod speech;

use app::video_metadata::{Transcript, TranscriptStatus, VideoMetadata};
use reqwest::{Method, StatusCode};

use crate::support::transcriber::{Reply, TranscriberDouble};
use crate::support::{Creator, Server, last_segment, wait_until};

/// The server with a transcriber that answers this.
async fn transcribing(server: Server, reply: Reply) -> (Server, TranscriberDouble) {
    let double = TranscriberDouble::start(reply).await;
    let server = server.with_transcripts(double.settings()).await;
    (server, double)
}

/// A path below `/videos`, for the video at this path below `/v1`.
fn sibling_path(video: &str, path: &str) -> String {
    format!("/videos/{}{path}", last_segment(video))
}

async fn transcript(creator: &Creator<'_>, video: &str) -> Transcript {
    let path = sibling_path(video, "/metadata");
    let answer = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let metadata: VideoMetadata = answer.json().await.expect("metadata");
    metadata.transcript
}

/// The transcript once it is no longer pending.
async fn finished(creator: &Creator<'_>, video: &str) -> Transcript {
    let is_finished = async || transcript(creator, video).await.status != TranscriptStatus::Pending;
    wait_until(is_finished).await;
    transcript(creator, video).await
}
