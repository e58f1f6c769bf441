//! Transcripts of submitted videos.

mod failures;
mod made;
mod removal;
mod speech;

use app::video_metadata::{Transcript, TranscriptStatus};

use crate::support::transcriber::{Reply, TranscriberDouble};
use crate::support::{Creator, Server, wait_until};

/// The server with a transcriber that answers this.
async fn transcribing(server: Server, reply: Reply) -> (Server, TranscriberDouble) {
    let double = TranscriberDouble::start(reply).await;
    let server = server.with_transcripts(double.settings()).await;
    (server, double)
}

/// A path below `/videos`, for the video at this path below `/v1`.
async fn transcript(creator: &Creator<'_>, video: &str) -> Transcript {
    creator.metadata(video).await.transcript
}

/// The transcript once it is no longer pending.
async fn finished(creator: &Creator<'_>, video: &str) -> Transcript {
    let is_finished = async || transcript(creator, video).await.status != TranscriptStatus::Pending;
    wait_until(is_finished).await;
    transcript(creator, video).await
}
