//! Pictures on demand: keyframes next to the moments that someone wants to see, decoded for one call and not stored.

use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use tracing::warn;

use crate::service::sealing::KeyframeIndex;
use crate::service::state::slots::{Slot, SlotRegistry};
use crate::service::videos::extents::Extents;
use crate::service::videos::stream::Video;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use media::Keyframe;
use net::client_addr::ClientAddr;
use stills::{CodedGroup, Group, NoStills, Size};

/// Calls of a node that decode at a time.
const DECODERS: usize = 2;

/// Calls on the videos of one creator that decode or wait for their turn.
const CALLS_OF_CREATOR: usize = 2;

/// How long a call waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// After which time a call that found too many others should come back.
const COME_BACK: Duration = Duration::from_secs(1);

/// Maximum size of all keyframes of one call, in bytes. The first one may have more, up to the limit of its own.
const MAX_CODED_BYTES: u64 = 16 << 20;

/// Maximum number of pictures of one call.
pub const MAX_PICTURES: usize = 8;

/// Which moments of a video to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moments {
    /// The one next to this time, in milliseconds.
    At(u64),
    /// Some that are spread over this span, in milliseconds. Where there is none, the one next to its middle.
    Between(u64, u64),
}

/// A decoded picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its time in the video, in milliseconds.
    pub at_ms: u64,
    /// JPEG.
    pub jpeg: Bytes,
}

/// The turns of calls that decode. One for each node.
pub struct DecoderTurns {
    turns: Semaphore,
    creators: SlotRegistry<Option<ClientAddr>, ()>,
}

/// The turn of a call, until it is dropped.
struct Turn<'a> {
    _slot: Slot<Option<ClientAddr>, ()>,
    _permit: SemaphorePermit<'a>,
}

impl DecoderTurns {
    /// Waits for a turn, for at most `patience`. [`Error::TooOften`]: there are too many calls now, or too many of this creator.
    async fn acquire(
        &self,
        creator: Option<ClientAddr>,
        patience: Duration,
    ) -> Result<Turn<'_>, Error> {
        let too_often = || Error::TooOften { wait: COME_BACK };
        let slot = self
            .creators
            .acquire_unless_full(&creator, CALLS_OF_CREATOR);
        let slot = slot.ok_or_else(too_often)?;
        match timeout(patience, self.turns.acquire()).await {
            Ok(Ok(permit)) => Ok(Turn {
                _slot: slot,
                _permit: permit,
            }),
            _ => Err(too_often()),
        }
    }
}

impl Default for DecoderTurns {
    fn default() -> Self {
        Self {
            turns: Semaphore::new(DECODERS),
            creators: SlotRegistry::default(),
        }
    }
}

/// Decodes pictures of these moments, in order of time and at least one.
///
/// Only keyframes are decoded, so each has the time of the keyframe next to it. [`Error::NoPicture`]: none of them can
/// be decoded here. [`Error::TooOften`]: there are too many such calls now.
pub async fn decode(
    app: &AppState,
    video: &Video,
    moments: Moments,
    size: Size,
) -> Result<Vec<Picture>, Error> {
    let _turn = app
        .decoder_turns
        .acquire(video.take.creator, PATIENCE)
        .await?;
    let plan = app.db.sealing_plan(&video.take.id).await?;
    let index = plan.as_deref().and_then(KeyframeIndex::from_plan);
    let Some(index) = index else {
        return Err(none_of(video).await);
    };
    let mut coded = Vec::new();
    for keyframe in choose(&index.keyframes(), moments) {
        coded.push(read(app, video, keyframe).await?);
    }
    let made = stills::make_sized(&app.decoders, &index.video, coded, size).await;
    // A request that is over shows nothing more, however long its decoding took.
    if video.is_cancelled() {
        return Err(video.explain_missing().await);
    }
    match made {
        Ok(made) => Ok(made.into_iter().map(Picture::from).collect()),
        Err(error @ (NoStills::SpawnFailed(_) | NoStills::NoSandbox | NoStills::TimedOut)) => {
            warn!(error = error.as_dyn(), "decoder unavailable");
            Err(Error::DecoderUnavailable)
        }
        Err(_) => Err(none_of(video).await),
    }
}

/// Nothing can be decoded, or the video was removed meanwhile.
async fn none_of(video: &Video) -> Error {
    match video.explain_missing().await {
        Error::Corrupt => Error::NoPicture { there: Vec::new() },
        why => why,
    }
}

async fn read(app: &AppState, video: &Video, keyframe: Keyframe) -> Result<CodedGroup, Error> {
    let layout = Extents::of_recording(&app.db, &video.take.id);
    let Group { moments, .. } = Group::from(keyframe.clone());
    let bytes = async {
        let mut pieces = layout.open(&app.blobs, keyframe.bytes).await?;
        let mut bytes = Vec::new();
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
    pub fn nearest(self, times: &[u64]) -> Vec<usize> {
        let (from, to) = match self {
            Self::At(at) => (at, at),
            Self::Between(from, to) => (from, to),
        };
        let first = times.partition_point(|at| *at < from);
        let within = times[first..].partition_point(|at| *at <= to);
        if within == 0 || matches!(self, Self::At(_)) {
            let middle = from + to.saturating_sub(from) / 2;
            let nearest = (0..times.len()).min_by_key(|index| times[*index].abs_diff(middle));
            return nearest.into_iter().collect();
        }
        let count = within.min(MAX_PICTURES);
        // The first and the last one, and between them by equal steps.
        let steps = (count - 1).max(1);
        (0..count)
            .map(|number| first + number * (within - 1) / steps)
            .collect()
    }
}

/// Chooses keyframes, which are in presentation order, for these moments.
fn choose(keyframes: &[Keyframe], moments: Moments) -> Vec<Keyframe> {
    let times: Vec<u64> = keyframes.iter().map(|it| millis(it.at)).collect();
    let mut left = MAX_CODED_BYTES;
    let mut kept = Vec::new();
    for index in moments.nearest(&times) {
        let keyframe = &keyframes[index];
        let length = keyframe.bytes.end.saturating_sub(keyframe.bytes.start);
        if length > left && !kept.is_empty() {
            break;
        }
        left = left.saturating_sub(length);
        kept.push(keyframe.clone());
    }
    kept
}

fn millis(at: Duration) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

impl From<stills::Still> for Picture {
    fn from(still: stills::Still) -> Self {
        Self {
            at_ms: millis(still.at),
            jpeg: still.jpeg.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use proptest::prelude::*;

    use super::*;

    fn keyframes(times: &[u64], length: u64) -> Vec<Keyframe> {
        let frames = times.iter().map(|at| Keyframe {
            at: Duration::from_millis(*at),
            bytes: at * 10..at * 10 + length,
        });
        frames.collect()
    }

    fn chosen(times: &[u64], moments: Moments) -> Vec<u128> {
        let chosen = choose(&keyframes(times, 1), moments).into_iter();
        chosen.map(|it| it.at.as_millis()).collect()
    }

    #[test]
    fn the_nearest_keyframe_is_chosen_for_a_moment() {
        let times = [0, 3000, 6000];
        for (at, want) in [(0, 0), (1499, 0), (1501, 3000), (u64::MAX, 6000)] {
            assert_eq!(chosen(&times, Moments::At(at)), [want]);
        }
        assert!(chosen(&[], Moments::At(7)).is_empty());
    }

    #[test]
    fn a_span_is_shown_from_its_first_keyframe_to_its_last_one() {
        let times: Vec<u64> = (0..30).map(|second| second * 1000).collect();
        let shown = chosen(&times, Moments::Between(5000, 25_500));
        assert_eq!((shown.first(), shown.last()), (Some(&5000), Some(&25_000)));
        assert_eq!(shown.len(), MAX_PICTURES);
        assert_eq!(chosen(&[0, 9000], Moments::Between(4000, 4900)), [0]);
    }

    #[tokio::test]
    async fn a_creator_leaves_turns_to_others_and_nobody_waits_for_long() {
        let turns = DecoderTurns::default();
        let creators = ["192.0.2.1", "192.0.2.2"].map(|it| {
            let address: IpAddr = it.parse().expect("an address");
            Some(ClientAddr::new(address))
        });
        let first = turns.acquire(creators[0], PATIENCE).await.expect("a turn");
        let second = turns.acquire(creators[0], PATIENCE).await.expect("a turn");
        let third = turns.acquire(creators[0], PATIENCE).await;
        assert!(matches!(third, Err(Error::TooOften { .. })));
        // All turns are taken: this one waits until one is free, or gives up.
        let other = turns.acquire(creators[1], Duration::ZERO).await;
        assert!(matches!(other, Err(Error::TooOften { .. })));
        let (waited, ()) =
            tokio::join!(turns.acquire(creators[1], PATIENCE), async { drop(first) });
        assert!(waited.is_ok());
        drop((waited, second));
        assert!(turns.creators.is_empty());
    }

    #[test]
    fn no_more_bytes_are_read_than_a_call_may_hold() {
        let large = keyframes(&[0, 1000, 2000], MAX_CODED_BYTES / 2 + 1);
        assert_eq!(choose(&large, Moments::Between(0, 9000)).len(), 1);
    }

    proptest! {
        #[test]
        fn what_is_chosen_is_few_and_in_order(
            mut times in proptest::collection::vec(0_u64..100_000, 1..80), from: u16, to: u16,
        ) {
            times.sort_unstable();
            times.dedup();
            let shown = chosen(&times, Moments::Between(from.into(), to.into()));
            prop_assert!((1..=MAX_PICTURES).contains(&shown.len()));
            prop_assert!(shown.is_sorted_by(|a, b| a < b), "{:?}", shown);
        }
    }
}
