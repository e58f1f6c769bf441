//! Pictures on demand: those next to the moments that someone wants to see, decoded for one call and not stored.

pub(super) mod moments;

use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use tracing::warn;

pub use self::moments::{MAX_PICTURES, Moments, nearest_within};
use self::moments::{choose_exact, choose_keyframes, length, millis};
use crate::service::sealing::VideoIndex;
use crate::service::videos::extents::Extents;
use crate::service::videos::stream::Video;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use media::{Keyframe, VideoTrack};
use stills::{CodedGroup, Group, NoStills, Size, Still};

/// How long a call waits for its turn and its memory.
const TURN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long decoding may take for a call that waits for nothing else.
pub const DECODING_TIME: Duration = Duration::from_secs(12);

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

/// Decodes pictures of these moments, in order of time and at least one, for `time` at most.
/// Their bytes count until they are dropped: a creator with too many of them gets no more.
///
/// Each has the time of the picture next to it where the decoders read any picture of this codec. Otherwise, and where
/// that fails, it has the time of the keyframe next to it.
/// [`Error::NoPicture`]: none of them can be decoded here. [`Error::TooOften`]: there are too many such calls now.
pub async fn decode(
    app: &AppState,
    video: &Video,
    moments: &Moments,
    size: Size,
    time: Duration,
) -> Result<Vec<Picture>, Error> {
    let (turns, deadline) = (&app.decoder_turns, Instant::now() + TURN_TIMEOUT);
    let call = turns.admit(video.take.creator)?;
    let _turn = turns.acquire(&call, deadline).await?;
    let plan = app.db.sealing_plan(&video.take.id).await?;
    let Some(choice) = choose(app, plan, moments).await else {
        return Err(none_of(video, None).await);
    };
    let made = decode_chosen(app, video, moments, choice, size, time, deadline).await?;
    // A request that is over shows nothing more, however long its decoding took.
    if video.is_cancelled() {
        return Err(video.explain_missing().await);
    }
    let made = match made {
        Ok(made) => made,
        Err(error) if is_unavailable(&error) => {
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

/// What to decode of a video.
struct Choice {
    track: VideoTrack,
    keyframes: Vec<Keyframe>,
    /// The pictures next to the moments. Empty: keyframes are all that can be decoded, or enough.
    exact: Vec<Group>,
}

/// Reads a stored plan, which may have half a megabyte. `None`: there is none, or it is unreadable.
async fn choose(app: &AppState, plan: Option<Vec<u8>>, moments: &Moments) -> Option<Choice> {
    let (decoders, moments) = (app.decoders.clone(), moments.clone());
    let choose = move || {
        let index = VideoIndex::from_plan(&plan?)?;
        let keyframes = index.keyframes();
        let exact = match decoders.decode_all_pictures(index.video.codec) {
            true => choose_exact(&keyframes, &index.pictures(), &index.video, &moments),
            false => Vec::new(),
        };
        Some(Choice {
            track: index.video,
            keyframes,
            exact,
        })
    };
    spawn_blocking(choose).await.ok().flatten()
}

/// Decodes the chosen pictures, and keyframes in place of those that can't be decoded, in order of time.
async fn decode_chosen(
    app: &AppState,
    video: &Video,
    moments: &Moments,
    choice: Choice,
    size: Size,
    time: Duration,
    deadline: Instant,
) -> Result<Result<Vec<Still>, NoStills>, Error> {
    let Choice {
        track,
        keyframes,
        exact,
    } = choice;
    let size = size.within(&track);
    let make = async |groups: Vec<Group>, size: Size, time: Duration, deadline: Instant| {
        let decoders = app.decoders.clone().within(time);
        let needed = decoders.buffered_bytes(track.codec, &groups, size);
        let _memory = app.decoder_turns.reserve(needed, deadline).await?;
        let mut coded = Vec::new();
        for group in groups {
            coded.push(read(app, video, group).await?);
        }
        Ok::<_, Error>(stills::make_sized(&decoders, &track, coded, size).await)
    };
    if exact.is_empty() {
        return make(choose_keyframes(&keyframes, moments), size, time, deadline).await;
    }
    let wanted = exact.iter().flat_map(|it| &it.moments);
    let mut missing: Vec<Duration> = wanted.map(|it| it.at).collect();
    let (mut made, failure) = match make(exact, size, time * 2 / 3, deadline).await? {
        Err(error) if is_unavailable(&error) => return Ok(Err(error)),
        Err(why) => (Vec::new(), why),
        Ok(made) => (made, NoStills::Undecodable),
    };
    let is_made = |made: &[Still], at: Duration| made.iter().any(|it| it.at == at);
    missing.retain(|at| !is_made(&made, *at));
    if missing.is_empty() {
        return Ok(Ok(made));
    }
    // Behind damage, or where decoding takes too long, a keyframe may still be good.
    let missing = Moments::Each(missing.into_iter().map(millis).collect());
    let mut instead = choose_keyframes(&keyframes, &missing);
    instead.retain(|it| it.moments.iter().all(|it| !is_made(&made, it.at)));
    let used = made.iter().map(|it| it.jpeg.len()).sum();
    let rest = Size {
        bytes: size.bytes.saturating_sub(used),
        ..size
    };
    let deadline = Instant::now() + time / 3;
    match make(instead, rest, time / 3, deadline).await {
        Ok(instead) => made.extend(instead.unwrap_or_default()),
        Err(error) if made.is_empty() => return Err(error),
        // What is decoded already is shown, whatever the rest fails at.
        Err(_) => {}
    }
    made.sort_by_key(|it| it.at);
    Ok(match made.is_empty() {
        true => Err(failure),
        false => Ok(made),
    })
}

/// Whether nothing can be decoded here, whatever it is.
const fn is_unavailable(error: &NoStills) -> bool {
    matches!(error, NoStills::SpawnFailed(_) | NoStills::NoSandbox)
}

/// Nothing can be decoded, or the video was removed meanwhile.
async fn none_of(video: &Video, why: Option<String>) -> Error {
    let there = Vec::new();
    let none = Error::NoPicture { there, why };
    video.explain_missing_or(none).await
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
        Err(error) => Err(video.explain_failure(error).await),
    }
}
