//! Pictures on demand: keyframes next to the moments that someone wants to see, decoded for one call and not stored.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use tokio::time::Instant;
use tracing::warn;

use crate::service::sealing::KeyframeIndex;
use crate::service::videos::extents::Extents;
use crate::service::videos::stream::Video;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use media::Keyframe;
use stills::{CodedGroup, Group, NoStills, Size};

/// How long a call waits for its turn and its memory.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum size of all keyframes of one call, in bytes.
pub(super) const MAX_CODED_BYTES: u64 = 16 << 20;

/// Maximum number of pictures of one call.
pub const MAX_PICTURES: usize = 8;

/// Which moments of a video to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moments {
    /// The one next to this time, in milliseconds.
    At(u64),
    /// Some that are spread over this span, in milliseconds. Where there is none, the one next to its middle.
    Between(u64, u64),
    /// The ones next to these times, in milliseconds.
    Each(Vec<u64>),
}

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
/// Only keyframes are decoded, so each has the time of the keyframe next to it. [`Error::NoPicture`]: none of them can
/// be decoded here. [`Error::TooOften`]: there are too many such calls now.
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
    let index = plan.as_deref().and_then(KeyframeIndex::from_plan);
    let Some(KeyframeIndex { video: track, .. }) = &index else {
        return Err(none_of(video, None).await);
    };
    let size = size.within(track);
    let keyframes = index.iter().flat_map(KeyframeIndex::keyframes);
    let chosen = choose(&keyframes.collect::<Vec<_>>(), moments);
    let bytes = chosen.iter().map(length).sum();
    let needed = app
        .decoders
        .buffered_bytes(track.codec, bytes, chosen.len(), size);
    let _memory = turns.reserve(needed, deadline).await?;
    let mut coded = Vec::new();
    for keyframe in chosen {
        coded.push(read(app, video, keyframe).await?);
    }
    let made = stills::make_sized(&app.decoders, track, coded, size).await;
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

async fn read(app: &AppState, video: &Video, keyframe: Keyframe) -> Result<CodedGroup, Error> {
    let layout = Extents::of_recording(&app.db, &video.take.id);
    let Group { moments, .. } = Group::from(keyframe.clone());
    let bytes = async {
        let mut bytes = Vec::with_capacity(usize::try_from(length(&keyframe)).unwrap_or_default());
        let mut pieces = layout.open(&app.blobs, keyframe.bytes).await?;
        while let Some(piece) = pieces.try_next().await? {
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    };
    match bytes.await {
        Ok(bytes) => Ok(CodedGroup { bytes, moments }),
        Err(error) => match video.explain_missing().await {
            Error::Corrupt => Err(error),
            why => Err(why),
        },
    }
}

impl Moments {
    /// The indices of those of these times, in milliseconds and in order, that show these moments best: at least one, if
    /// there is one, and at most [`MAX_PICTURES`].
    pub fn nearest(&self, times: &[u64]) -> Vec<usize> {
        self.few(times, MAX_PICTURES)
    }

    /// At most `max` of [`Moments::nearest`], at least one.
    fn few(&self, times: &[u64], max: usize) -> Vec<usize> {
        let nearest = |at: &u64| (0..times.len()).min_by_key(|index| times[*index].abs_diff(*at));
        let (from, to) = match self {
            Self::At(at) => return nearest(at).into_iter().collect(),
            Self::Each(all) => {
                let each: BTreeSet<usize> = all.iter().filter_map(nearest).collect();
                let each: Vec<usize> = each.into_iter().collect();
                return spread(each.len(), max).map(|index| each[index]).collect();
            }
            Self::Between(from, to) => (*from, *to),
        };
        let first = times.partition_point(|at| *at < from);
        let within = times[first..].partition_point(|at| *at <= to);
        if within == 0 || max == 1 {
            let middle = from + to.saturating_sub(from) / 2;
            return nearest(&middle).into_iter().collect();
        }
        spread(within, max).map(|index| first + index).collect()
    }
}

/// At most `max` of `all` indices: the first and the last one, and between them by equal steps.
fn spread(all: usize, max: usize) -> impl Iterator<Item = usize> {
    let count = all.min(max);
    let steps = count.saturating_sub(1).max(1);
    (0..count).map(move |number| number * (all - 1) / steps)
}

/// Chooses keyframes, which are in presentation order, for these moments: as many as have [`MAX_CODED_BYTES`] together.
fn choose(keyframes: &[Keyframe], moments: &Moments) -> Vec<Keyframe> {
    let times: Vec<u64> = keyframes.iter().map(|it| millis(it.at)).collect();
    let bytes = |some: &Vec<usize>| some.iter().map(|index| length(&keyframes[*index])).sum();
    let fewer = (1..=MAX_PICTURES).rev();
    let mut fewer = fewer.map(|max| moments.few(&times, max));
    let chosen = fewer.find(|some| {
        let bytes: u64 = bytes(some);
        bytes <= MAX_CODED_BYTES
    });
    let chosen = chosen.into_iter().flatten();
    chosen.map(|index| keyframes[index].clone()).collect()
}

fn length(keyframe: &Keyframe) -> u64 {
    keyframe.bytes.end.saturating_sub(keyframe.bytes.start)
}

fn millis(at: Duration) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keyframes(times: &[u64], length: u64) -> Vec<Keyframe> {
        let frames = times.iter().map(|at| Keyframe {
            at: Duration::from_millis(*at),
            bytes: at * 10..at * 10 + length,
        });
        frames.collect()
    }

    fn chosen(times: &[u64], moments: &Moments) -> Vec<u128> {
        let chosen = choose(&keyframes(times, 1), moments).into_iter();
        chosen.map(|it| it.at.as_millis()).collect()
    }

    #[test]
    fn the_nearest_keyframe_is_chosen_for_a_moment() {
        let times = [0, 3000, 6000];
        for (at, want) in [(0, 0), (1499, 0), (1501, 3000), (u64::MAX, 6000)] {
            assert_eq!(chosen(&times, &Moments::At(at)), [want]);
        }
        assert!(chosen(&[], &Moments::At(7)).is_empty());
    }

    #[test]
    fn of_several_moments_each_has_its_nearest_keyframe_once() {
        let each = Moments::Each(vec![5900, 0, 6100, 3100]);
        assert_eq!(chosen(&[0, 3000, 6000], &each), [0, 3000, 6000]);
        let many = Moments::Each((0..30).map(|it| it * 1000).collect());
        let times: Vec<u64> = (0..30).map(|second| second * 1000).collect();
        assert_eq!(chosen(&times, &many).len(), MAX_PICTURES);
    }

    #[test]
    fn a_span_is_shown_from_its_first_keyframe_to_its_last_one() {
        let times: Vec<u64> = (0..30).map(|second| second * 1000).collect();
        let shown = chosen(&times, &Moments::Between(5000, 25_500));
        assert_eq!((shown.first(), shown.last()), (Some(&5000), Some(&25_000)));
        assert_eq!(shown.len(), MAX_PICTURES);
        assert_eq!(chosen(&[0, 9000], &Moments::Between(4000, 4900)), [0]);
    }

    #[test]
    fn no_more_bytes_are_read_than_a_call_may_hold() {
        let span = &Moments::Between(0, 60_000);
        let times: Vec<u64> = (0..60).map(|second| second * 1000).collect();
        for (length, want) in [
            (MAX_CODED_BYTES / 8, 8),
            (MAX_CODED_BYTES / 8 + 1, 7),
            (MAX_CODED_BYTES / 3, 3),
            (MAX_CODED_BYTES / 2 + 1, 1),
            (MAX_CODED_BYTES, 1),
        ] {
            let keyframes = keyframes(&times, length);
            let shown = choose(&keyframes, span);
            assert_eq!(shown.len(), want, "{length}");
            let seconds: Vec<u64> = shown.iter().map(|it| it.at.as_secs()).collect();
            // Both ends of the span are shown, or its middle.
            match want {
                1 => assert_eq!(seconds, [30]),
                _ => assert_eq!((seconds[0], seconds[want - 1]), (0, 59), "{seconds:?}"),
            }
        }
        assert!(choose(&keyframes(&times, MAX_CODED_BYTES + 1), span).is_empty());
    }

    proptest! {
        #[test]
        fn what_is_chosen_is_few_and_in_order(
            mut times in proptest::collection::vec(0_u64..100_000, 1..80), from: u16, to: u16,
        ) {
            times.sort_unstable();
            times.dedup();
            let shown = chosen(&times, &Moments::Between(from.into(), to.into()));
            prop_assert!((1..=MAX_PICTURES).contains(&shown.len()));
            prop_assert!(shown.is_sorted_by(|a, b| a < b), "{:?}", shown);
        }
    }
}
