//! Lists the keyframes and pictures of a video track with their presentation times.

use crate::mp4::edit_list::EditList;
use crate::mp4::movie::Track;
use crate::mp4::timescale::Timescales;
use crate::summary::{CodedPicture, Keyframe, MAX_KEYFRAMES, MAX_PICTURES};

/// Lists the sync samples that are presented, evenly thinned out, in presentation order.
///
/// One before an edit, which is only decoded for the pictures behind it, stands for the first of these unless the
/// pictures `are_listed`: what was cut off is not to be shown.
pub(super) fn keyframes(
    track: &Track,
    edit_list: &EditList,
    timescales: Timescales,
    are_listed: bool,
) -> Vec<Keyframe> {
    let origin = origin(track);
    let sync_samples = || {
        let samples = track.samples.iter();
        samples.filter(|sample| sample.is_sync && sample.size > 0)
    };
    // Thinned out first: there may be two million.
    let keyframes = thin_out(sync_samples(), sync_samples().count());
    let keyframes = keyframes.filter_map(|sample| {
        let time = sample.composition_time().saturating_sub_unsigned(origin);
        let at = match are_listed {
            true => edit_list.picture_time(time, sample.duration, timescales),
            false => edit_list.presentation_time_or_next_edit(time, timescales),
        };
        Some(Keyframe {
            at: at?,
            bytes: sample.offset..sample.end(),
        })
    });
    let mut keyframes: Vec<_> = keyframes.collect();
    keyframes.sort_by_key(|keyframe| keyframe.at);
    keyframes
}

/// Lists all pictures of a track in decoding order, or none if there are more than [`MAX_PICTURES`].
pub(super) fn pictures(
    track: &Track,
    edit_list: &EditList,
    timescales: Timescales,
) -> Vec<CodedPicture> {
    let origin = origin(track);
    if track.samples.len() > MAX_PICTURES {
        return Vec::new();
    }
    let samples = track.samples.iter().filter(|sample| sample.size > 0);
    let pictures = samples.map(|sample| {
        let time = sample.composition_time().saturating_sub_unsigned(origin);
        CodedPicture {
            at: edit_list.picture_time(time, sample.duration, timescales),
            composition_time: time,
            bytes: sample.offset..sample.end(),
            is_keyframe: sample.is_sync,
        }
    });
    pictures.collect()
}

/// The decode time that edit lists count from.
fn origin(track: &Track) -> u64 {
    track.samples.iter().next().map_or(0, |it| it.decode_time)
}

/// Keeps at most [`MAX_KEYFRAMES`] of `count` items: those at 0, count / MAX, 2 * count / MAX and so on.
fn thin_out<T>(items: impl Iterator<Item = T>, count: usize) -> impl Iterator<Item = T> {
    let mut kept = 0;
    items
        .enumerate()
        .filter(move |(index, _)| {
            let next = kept * count.max(MAX_KEYFRAMES) / MAX_KEYFRAMES;
            let keep = *index == next;
            kept += usize::from(keep);
            keep
        })
        .map(|(_, item)| item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_are_thinned_out_evenly() {
        for count in [
            1,
            MAX_KEYFRAMES,
            MAX_KEYFRAMES + 1,
            3 * MAX_KEYFRAMES,
            100_000,
        ] {
            let kept: Vec<_> = thin_out(0..count, count).collect();
            assert_eq!(kept.len(), count.min(MAX_KEYFRAMES));
            let max_gap = count.div_ceil(MAX_KEYFRAMES);
            let gaps = kept.windows(2).map(|two| two[1] - two[0]);
            assert!(gaps.max() <= Some(max_gap), "{count}");
        }
    }
}
