//! Which pictures of a video to decode for the moments that someone wants to see.

use std::collections::BTreeSet;
use std::time::Duration;

use media::{CodedPicture, Keyframe, VideoTrack};
use stills::Group;

/// Maximum size of all that one call reads, in bytes.
pub(in crate::service::videos) const MAX_CODED_BYTES: u64 = 16 << 20;

/// Maximum number of pictures of one call.
pub const MAX_PICTURES: usize = 8;

/// The greatest distance of a picture from a moment that it stands for, in milliseconds: half of the page's interval between
/// keyframes, and some.
pub const NEAR_MS: u64 = 600;

/// Which moments of a video to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moments {
    /// The one next to this time, in milliseconds.
    At(u64),
    /// Some that are spread over this span, in milliseconds.
    /// Where there is none, the one next to its middle.
    Between(u64, u64),
    /// The ones next to these times, in milliseconds.
    Each(Vec<u64>),
    /// The same, or keyframes that are [`NEAR_MS`] from them at most, which are decoded much faster.
    Near(Vec<u64>),
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
            Self::Each(all) | Self::Near(all) => {
                let each: BTreeSet<usize> = all.iter().filter_map(nearest).collect();
                let each: Vec<usize> = each.into_iter().collect();
                return spread(each.len(), max).map(|index| each[index]).collect();
            }
            Self::Between(from, to) => (*from, *to),
        };
        let first = times.partition_point(|at| *at < from);
        let within = times[first..].partition_point(|at| *at <= to);
        if within == 0 || max <= 1 {
            let middle = from + to.saturating_sub(from) / 2;
            return nearest(&middle).into_iter().collect();
        }
        let (begin, last) = (first, first + within - 1);
        if within <= max {
            return (begin..=last).collect();
        }
        // Even in time: where nothing changes there may be few pictures, and many where something does.
        let steps = max as u64 - 1;
        let length = times[last] - times[begin];
        let even = (0..=steps).map(|step| times[begin] + length / steps * step);
        let chosen: BTreeSet<usize> = even.filter_map(|at| nearest(&at)).collect();
        chosen.into_iter().collect()
    }
}

/// The index of the time next to this one, if they are [`NEAR_MS`] apart at most.
pub fn nearest_within(at: u64, times: &[u64]) -> Option<usize> {
    let distances = times.iter().map(|it| it.abs_diff(at)).enumerate();
    let (index, distance) = distances.min_by_key(|it| it.1)?;
    (distance <= NEAR_MS).then_some(index)
}

/// At most `max` of `all` indices: the first and the last one, and between them by equal steps.
fn spread(all: usize, max: usize) -> impl Iterator<Item = usize> {
    let count = all.min(max);
    let steps = count.saturating_sub(1).max(1);
    (0..count).map(move |number| number * (all - 1) / steps)
}

/// Chooses keyframes, which are in presentation order, for these moments: as many as have [`MAX_CODED_BYTES`] together.
pub(super) fn choose_keyframes(keyframes: &[Keyframe], moments: &Moments) -> Vec<Group> {
    let times: Vec<u64> = keyframes.iter().map(|it| millis(it.at)).collect();
    choose_among(&times, moments, |indices| {
        let chosen = indices.iter();
        chosen
            .map(|index| keyframes[*index].clone().into())
            .collect()
    })
}

/// Chooses the pictures next to these moments, likewise; none for a span in which there are enough keyframes, because
/// those are decoded much faster.
pub(super) fn choose_exact(
    keyframes: &[Keyframe],
    pictures: &[CodedPicture],
    track: &VideoTrack,
    moments: &Moments,
) -> Vec<Group> {
    let times: Vec<u64> = keyframes.iter().map(|it| millis(it.at)).collect();
    if matches!(moments, Moments::Between(..)) && moments.nearest(&times).len() == MAX_PICTURES {
        return Vec::new();
    }
    let moments = match moments {
        Moments::Near(all) => {
            let keyframe = |at: &u64| nearest_within(*at, &times).map_or(*at, |index| times[index]);
            &Moments::Each(all.iter().map(keyframe).collect())
        }
        others => others,
    };
    let shown = pictures.iter().enumerate();
    let shown = shown.filter_map(|(index, it)| Some((millis(it.at?), index)));
    let mut shown: Vec<(u64, usize)> = shown.collect();
    shown.sort_unstable();
    let times: Vec<u64> = shown.iter().map(|(at, _)| *at).collect();
    let pixels = u64::from(track.width) * u64::from(track.height);
    choose_among(&times, moments, |indices| {
        let indices: Vec<usize> = indices.iter().map(|index| shown[*index].1).collect();
        stills::exact(pictures, &indices, pixels)
    })
}

/// The groups for as many of these times as are small enough together.
fn choose_among(
    times: &[u64],
    moments: &Moments,
    groups: impl Fn(&[usize]) -> Vec<Group>,
) -> Vec<Group> {
    let fewer = (1..=MAX_PICTURES).rev();
    let mut fewer = fewer.map(|max| groups(&moments.few(times, max)));
    let fits = |some: &Vec<Group>| some.iter().map(length).sum::<u64>() <= MAX_CODED_BYTES;
    fewer.find(fits).unwrap_or_default()
}

/// The number of bytes that are read for it.
pub(super) fn length(group: &Group) -> u64 {
    let span = group.span();
    span.end - span.start
}

/// Milliseconds of a time in a video.
pub(super) fn millis(at: Duration) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
