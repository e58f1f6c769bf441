//! All pictures of a video, in a form that is small enough to be stored with it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use media::CodedPicture;

/// Pictures in decoding order, each by its difference to the one before: some fifteen bytes of JSON each.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct PictureIndex(Vec<Entry>);

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(from = "StoredEntry", into = "StoredEntry")]
struct Entry {
    /// Milliseconds since the last picture that is shown. `None`: this one isn't.
    since: Option<i64>,
    /// The number of places in presentation order since the last picture.
    places: i64,
    /// The number of bytes between the end of the last picture and this one.
    gap: i64,
    /// The number of its bytes.
    length: u64,
    is_keyframe: bool,
}

/// The fields of an [`Entry`] in their order, the last two as one number: the doubled length, with 1 for a keyframe.
type StoredEntry = (Option<i64>, i64, i64, u64);

impl From<StoredEntry> for Entry {
    fn from((since, places, gap, length): StoredEntry) -> Self {
        Self {
            since,
            places,
            gap,
            length: length / 2,
            is_keyframe: length % 2 == 1,
        }
    }
}

impl From<Entry> for StoredEntry {
    fn from(it: Entry) -> Self {
        let length = it.length.saturating_mul(2) | u64::from(it.is_keyframe);
        (it.since, it.places, it.gap, length)
    }
}

/// Whether these pictures have more than so many bytes each.
pub(super) fn are_larger_than(pictures: &[CodedPicture], bytes_each: u64) -> bool {
    let start = pictures.iter().map(|it| it.bytes.start).min();
    let end = pictures.iter().map(|it| it.bytes.end).max();
    let span = end.unwrap_or(0).saturating_sub(start.unwrap_or(0));
    let lengths = pictures
        .iter()
        .map(|it| it.bytes.end.saturating_sub(it.bytes.start));
    // Tables may name the same bytes again and again, or a few at both ends of a file.
    let bytes = span.min(lengths.fold(0, u64::saturating_add));
    bytes / bytes_each >= pictures.len() as u64
}

impl PictureIndex {
    /// Empty if it would be about as large as the pictures: no quota counts it, and tables of a few bytes may name many.
    pub(super) fn of(pictures: &[CodedPicture]) -> Self {
        if !are_larger_than(pictures, 16) {
            return Self::default();
        }
        let mut order: Vec<i64> = pictures.iter().map(|it| it.composition_time).collect();
        order.sort_unstable();
        order.dedup();
        let (mut last_at, mut last_place, mut last_end) = (0, 0, 0);
        let entries = pictures.iter().map(|it| {
            let since = it.at.map(|at| {
                let at = i64::try_from(at.as_millis()).unwrap_or(i64::MAX);
                at - std::mem::replace(&mut last_at, at)
            });
            let place = order.partition_point(|time| *time < it.composition_time);
            let place = i64::try_from(place).unwrap_or(i64::MAX);
            let places = place - std::mem::replace(&mut last_place, place);
            let end = std::mem::replace(&mut last_end, it.bytes.end);
            Entry {
                since,
                places,
                gap: it.bytes.start.wrapping_sub(end).cast_signed(),
                length: it.bytes.end.saturating_sub(it.bytes.start),
                is_keyframe: it.is_keyframe,
            }
        });
        Self(entries.collect())
    }

    /// Composition times are places in presentation order, and times are whole milliseconds.
    pub(super) fn pictures(&self) -> Vec<CodedPicture> {
        let (mut last_at, mut last_place, mut last_end) = (0_i64, 0_i64, 0_u64);
        let pictures = self.0.iter().map(|it| {
            let at = it.since.map(|since| {
                last_at = last_at.saturating_add(since);
                Duration::from_millis(u64::try_from(last_at).unwrap_or(0))
            });
            last_place = last_place.saturating_add(it.places);
            let start = last_end.wrapping_add_signed(it.gap);
            last_end = start.saturating_add(it.length);
            CodedPicture {
                at,
                composition_time: last_place,
                bytes: start..last_end,
                is_keyframe: it.is_keyframe,
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
        fn the_picture_index_round_trips(
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
            let mut given: Vec<_> = given.collect();
            // Far behind the others: many small pictures aren't listed.
            given.extend(given.last().cloned().map(|it| CodedPicture { bytes: 1 << 46..1 << 47, ..it }));
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

    #[test]
    fn an_index_is_never_as_large_as_its_pictures() {
        let listed = |length: u64| {
            let pictures = (0..900_u64).map(|number| CodedPicture {
                at: Some(Duration::from_millis(number * 33)),
                composition_time: i64::try_from(number).expect("few"),
                bytes: number * length..(number + 1) * length,
                is_keyframe: number == 0,
            });
            PictureIndex::of(&pictures.collect::<Vec<_>>()).0.len()
        };
        assert_eq!([0, 1, 15, 16].map(listed), [0, 0, 0, 900]);
        let far_apart = |number: u64| CodedPicture {
            at: Some(Duration::from_millis(number)),
            composition_time: 0,
            bytes: number << 30..(number << 30) + 8,
            is_keyframe: true,
        };
        let far_apart: Vec<_> = (0..99).map(far_apart).collect();
        assert!(PictureIndex::of(&far_apart).0.is_empty());
    }
}
