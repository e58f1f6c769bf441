//! The transcript of a submitted video.

use app::video_metadata::{Transcript, TranscriptSegment, TranscriptStatus};
use serde::{Deserialize, Serialize};

use crate::db::TranscriptState;
use crate::id::{AccessToken, VideoId};
use crate::service::quota::ReadPermit;
use crate::service::videos::stream::Video;
use crate::service::videos::{captions, stream};
use crate::service::{AppState, Error};
use net::Revocation;

/// What is said in a video, as it is stored.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::service) struct TranscriptContent {
    /// The language, as the transcriber names it.
    #[serde(default)]
    pub language: Option<String>,
    /// In order of time.
    pub segments: Vec<TranscriptSegment>,
    /// Up to where the video was transcribed, if that isn't its end.
    #[serde(default)]
    pub until_ms: Option<u64>,
}

/// Loads the transcript of a video.
pub(in crate::service) async fn load(app: &AppState, video: &Video) -> Result<Transcript, Error> {
    use TranscriptStatus as S;
    let missing =
        |status, why: Option<&str>| Ok(Transcript::missing(status, why.map(str::to_owned)));
    let is_on = app.transcriber.is_some();
    let Some(row) = app.db.transcript_get(&video.take.id).await? else {
        return match &video.seal {
            Some(seal) if is_on && !seal.has_audio => {
                missing(S::None, Some("there is no audio in it"))
            }
            _ => missing(S::Off, None),
        };
    };
    match row.state {
        TranscriptState::Due if is_on => missing(S::Pending, None),
        TranscriptState::Due => missing(S::Off, None),
        TranscriptState::None => missing(S::None, row.reason.as_deref()),
        TranscriptState::Failed => missing(S::Failed, row.reason.as_deref()),
        TranscriptState::Ready => {
            let content = row.content.unwrap_or_default();
            let content: TranscriptContent =
                serde_json::from_slice(&content).map_err(|_| Error::Corrupt)?;
            Ok(Transcript {
                status: S::Ready,
                language: content.language,
                segments: content.segments,
                until_ms: content.until_ms,
                reason: None,
            })
        }
    }
}

/// The captions of the token's own video as WebVTT, and the revocation of the response.
///
/// Fails as [`stream::open`] does, with [`Error::TranscriptPending`] as long as it may be made, and with
/// [`Error::NoTranscript`] if it won't be.
pub async fn captions(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<(String, Revocation), Error> {
    let video = stream::open(app, admission, token, id).await?;
    let transcript = load(app, &video).await?;
    let none = match transcript.status {
        TranscriptStatus::Ready if !video.is_cancelled() => {
            return Ok((captions::webvtt(&transcript.segments), video.revocation()));
        }
        TranscriptStatus::Ready => Error::Corrupt,
        TranscriptStatus::Pending => Error::TranscriptPending,
        TranscriptStatus::Off => {
            let why = "this server made none when it was submitted, or the sender didn't say that one may be made";
            Error::NoTranscript(why.to_owned())
        }
        TranscriptStatus::None | TranscriptStatus::Failed => {
            Error::NoTranscript(transcript.reason.unwrap_or_default())
        }
    };
    // The video may have been removed meanwhile, with its transcript.
    Err(video.explain_missing_or(none).await)
}
