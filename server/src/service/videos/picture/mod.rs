//! Pictures on demand: those next to the moments that someone wants to see, decoded for one call and not stored.

mod moments;

use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use tokio::time::Instant;
use tracing::warn;

pub use self::moments::Moments;
use self::moments::{choose_exact, choose_keyframes, length};
use crate::service::sealing::VideoIndex;
use crate::service::videos::extents::Extents;
use crate::service::videos::stream::Video;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use media::VideoTrack;
use stills::{CodedGroup, Group, NoStills, Size, Still};

/// How long a call waits for its turn and its memory.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum size of all that one call reads, in bytes.
pub(super) const MAX_CODED_BYTES: u64 = 16 << 20;

/// Maximum number of pictures of one call.
pub const MAX_PICTURES: usize = 8;

/// A decoded picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its time in the video, in milliseconds.
    pub at_ms: u64,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// JPEG. It counts as being sent until it is dropped.
    pub jpeg: Bytes,
}

/// Decodes pictures of these moments, in order of time and at least one. Their bytes count until they are dropped: a
/// creator with too many of them gets no more.
///
/// Each has the time of the picture next to it with ffmpeg, without it that of the keyframe next to it.
/// [`Error::NoPicture`]: none of them can be decoded here. [`Error::TooOften`]: there are too many such calls now.
pub async fn decode(
    app: &AppState,
    video: &Video,
    moments: &Moments,
    size: Size,
) -> Result<Vec<Picture>, Error> {
    let (turns, deadline) = (&app.decoder_turns, Instant::now() + PATIENCE);
    let call = turns.admit(video.take.creator)?;
    let _turn = turns.acquire(&call, deadline).await?;
    let plan = app.db.sealing_plan(&video.take.id).await?;
    let Some(index) = plan.as_deref().and_then(VideoIndex::from_plan) else {
        return Err(none_of(video, None).await);
    };
    let size = size.within(&index.video);
    let (keyframes, track) = (index.keyframes(), &index.video);
    let make = async |groups: Vec<Group>| make(app, video, track, groups, size, deadline).await;
    let exact = match app.decoders.decode_all_pictures(track.codec) {
        true => choose_exact(&keyframes, &index.pictures(), track, moments),
        false => Vec::new(),
    };
    let made = match exact.is_empty() {
        false => make(exact).await?,
        true => Err(NoStills::NoFrame),
    };
    let made = match made {
        Err(NoStills::SpawnFailed(_) | NoStills::NoSandbox | NoStills::TimedOut) | Ok(_) => made,
        // Behind damage a keyframe may still be good.
        Err(_) => make(choose_keyframes(&keyframes, moments)).await?,
    };
    // A request that is over shows nothing more, however long its decoding took.
    if video.is_cancelled() {
        return Err(video.explain_missing().await);
    }
    let made = match made {
        Ok(made) => made,
        Err(error @ (NoStills::SpawnFailed(_) | NoStills::NoSandbox)) => {
            warn!(error = error.as_dyn(), "decoder unavailable");
            return Err(Error::DecoderUnavailable);
        }
        // Also one that took too long: the sender made the bytes that take it.
        Err(why) => return Err(none_of(video, Some(why.to_string())).await),
    };
    let mut pictures = Vec::new();
    let mut jpegs = Vec::new();
    for still in made {
        pictures.push((millis(still.at), still.width, still.height));
        jpegs.push(still.jpeg);
    }
    let held = turns.hold(call, jpegs)?;
    let pictures = pictures.into_iter().zip(held);
    let pictures = pictures.map(|((at_ms, width, height), jpeg)| Picture {
        at_ms,
        width,
        height,
        jpeg,
    });
    Ok(pictures.collect())
}

/// Nothing can be decoded, or the video was removed meanwhile.
async fn none_of(video: &Video, why: Option<String>) -> Error {
    match video.explain_missing().await {
        Error::Corrupt => Error::NoPicture {
            there: Vec::new(),
            why,
        },
        other => other,
    }
}

/// Reads and decodes these groups, once there is memory for them.
async fn make(
    app: &AppState,
    video: &Video,
    track: &VideoTrack,
    groups: Vec<Group>,
    size: Size,
    deadline: Instant,
) -> Result<Result<Vec<Still>, NoStills>, Error> {
    let needed = app.decoders.buffered_bytes(track.codec, &groups, size);
    let _memory = app.decoder_turns.reserve(needed, deadline).await?;
    let mut coded = Vec::new();
    for group in groups {
        coded.push(read(app, video, group).await?);
    }
    Ok(stills::make_sized(&app.decoders, track, coded, size).await)
}

async fn read(app: &AppState, video: &Video, group: Group) -> Result<CodedGroup, Error> {
    let layout = Extents::of_recording(&app.db, &video.take.id);
    let bytes = async {
        let mut bytes = Vec::with_capacity(usize::try_from(length(&group)).unwrap_or_default());
        let mut pieces = layout.open(&app.blobs, group.span()).await?;
        while let Some(piece) = pieces.try_next().await? {
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    };
    match bytes.await {
        Ok(bytes) => Ok(group.cut(&bytes)),
        Err(error) => match video.explain_missing().await {
            Error::Corrupt => Err(error),
            why => Err(why),
        },
    }
}

fn millis(at: Duration) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}
