//! All pictures of a video, in a form that is small enough to be stored with it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use media::CodedPicture;

/// Pictures in decoding order, each by its difference to the one before: some fifteen bytes of JSON each.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct PictureIndex(Vec<Entry>);

/// Milliseconds since the last picture that is shown, or nothing for one that isn't; the number of places in presentation
/// order since the last picture; the number of bytes between the two; and its length, doubled, with 1 for a keyframe.
type Entry = (Option<i64>, i64, i64, u64);

impl PictureIndex {
    pub(super) fn of(pictures: &[CodedPicture]) -> Self {
        let mut order: Vec<i64> = pictures.iter().map(|it| it.composition_time).collect();
        order.sort_unstable();
        order.dedup();
        let (mut last_at, mut last_place, mut last_end) = (0, 0, 0);
        let entries = pictures.iter().map(|it| {
            let at = it.at.map(|at| {
                let at = i64::try_from(at.as_millis()).unwrap_or(i64::MAX);
                at - std::mem::replace(&mut last_at, at)
            });
            let place = order.partition_point(|time| *time < it.composition_time);
            let place = i64::try_from(place).unwrap_or(i64::MAX);
            let place = place - std::mem::replace(&mut last_place, place);
            let end = std::mem::replace(&mut last_end, it.bytes.end);
            let gap = it.bytes.start.wrapping_sub(end).cast_signed();
            let length = it.bytes.end.saturating_sub(it.bytes.start);
            let length = length.saturating_mul(2) | u64::from(it.is_keyframe);
            (at, place, gap, length)
        });
        Self(entries.collect())
    }

    /// Composition times are places in presentation order, and times are whole milliseconds.
    pub(super) fn pictures(&self) -> Vec<CodedPicture> {
        let (mut last_at, mut last_place, mut last_end) = (0_i64, 0_i64, 0_u64);
        let pictures = self.0.iter().map(|(at, place, gap, length)| {
            let at = at.map(|at| {
                last_at = last_at.saturating_add(at);
                Duration::from_millis(u64::try_from(last_at).unwrap_or(0))
            });
            last_place = last_place.saturating_add(*place);
            let start = last_end.wrapping_add_signed(*gap);
            last_end = start.saturating_add(length / 2);
            CodedPicture {
                at,
                composition_time: last_place,
                bytes: start..last_end,
                is_keyframe: length % 2 == 1,
            }
        });
        pictures.collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pictures_come_back_as_they_were(
            given in proptest::collection::vec(
                (proptest::option::of(0_u64..1_000_000), any::<i64>(), 0..1_u64 << 45, 0..1_u64 << 30, any::<bool>()),
                0..40,
            ),
        ) {
            let given = given.into_iter().map(|(at, composition_time, start, length, is_keyframe)| CodedPicture {
                at: at.map(Duration::from_millis),
                composition_time,
                bytes: start..start + length,
                is_keyframe,
            });
            let given: Vec<_> = given.collect();
            let stored = serde_json::to_vec(&PictureIndex::of(&given)).expect("JSON");
            let read: PictureIndex = serde_json::from_slice(&stored).expect("an index");
            let read = read.pictures();
            for (a, b) in given.iter().zip(&read) {
                for (c, d) in given.iter().zip(&read) {
                    let (was, is) = (a.composition_time.cmp(&c.composition_time), b.composition_time.cmp(&d.composition_time));
                    prop_assert_eq!(was, is);
                }
            }
            let without_order = |it: &CodedPicture| (it.at, it.bytes.clone(), it.is_keyframe);
            prop_assert_eq!(
                given.iter().map(without_order).collect::<Vec<_>>(),
                read.iter().map(without_order).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_minute_of_video_takes_some_thirty_kilobytes() {
        let pictures = (0..1800_u64).map(|number| CodedPicture {
            at: Some(Duration::from_millis(number * 100 / 3)),
            composition_time: i64::try_from(number).expect("few"),
            bytes: number * 10_000..number * 10_000 + 9_980,
            is_keyframe: number % 90 == 0,
        });
        let index = PictureIndex::of(&pictures.collect::<Vec<_>>());
        let length = serde_json::to_vec(&index).expect("JSON").len();
        assert!(length < 32_000, "{length}");
    }
}
