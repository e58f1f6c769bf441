//! Movie fragments (ISO/IEC 14496-12, section 8.8): samples of a few seconds.

use shiguredo_mp4::SampleFlags;
use shiguredo_mp4::boxes::{TfdtBox, TfhdBox};

use super::boxes::{node, nodes, u32_at};
use super::movie::{Defaults, Movie, Track};
use super::samples::{Sample, Samples};

const DEPENDS_ON_OTHERS: u8 = 1;

/// There are more samples than there is room for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// Adds the samples of the fragment with this content, whose box begins at `start`, to their tracks.
/// What can't be read of it is left out.
pub(super) fn gather(
    fragment: &[u8],
    start: u64,
    movie: &mut Movie,
    room: &mut usize,
) -> Result<(), Full> {
    // Without another base, a track's data follows on the one before's.
    let mut follows = start;
    for part in nodes(fragment).filter(|node| node.kind == *b"traf") {
        let Some(header) = node(part.content, *b"tfhd").and_then(|node| node.decode::<TfhdBox>())
        else {
            continue;
        };
        let Some(track) = movie.track(header.track_id) else {
            continue;
        };
        let base = match header.base_data_offset {
            Some(base) => base,
            None if header.default_base_is_moof => start,
            None => follows,
        };
        let time = node(part.content, *b"tfdt").and_then(|node| node.decode::<TfdtBox>());
        let mut next = Next {
            base,
            at: base,
            time: begin(&track.samples, time),
        };
        let defaults = defaults(&header, track.defaults);
        for run in nodes(part.content).filter(|node| node.kind == *b"trun") {
            if let Some(run) = Run::read(run.content) {
                run.gather(&mut next, defaults, track, room)?;
            }
        }
        follows = next.at;
    }
    Ok(())
}

/// When a track's fragment begins. A jump that no table could say isn't believed.
fn begin(samples: &Samples, said: Option<TfdtBox>) -> u64 {
    let next = samples.next();
    said.map(|said| said.base_media_decode_time)
        .filter(|said| samples.is_empty() || said.abs_diff(next) <= u32::MAX.into())
        .unwrap_or(next)
}

fn defaults(header: &TfhdBox, track: Defaults) -> Defaults {
    let description = header.sample_description_index;
    Defaults {
        description: description.unwrap_or(track.description),
        duration: header.default_sample_duration.unwrap_or(track.duration),
        size: header.default_sample_size.unwrap_or(track.size),
        flags: header.default_sample_flags.unwrap_or(track.flags),
    }
}

/// Where and when the next sample begins.
struct Next {
    base: u64,
    at: u64,
    time: u64,
}

/// A track run, section 8.8.8. Not `TrunBox`: that makes 40 bytes of each sample, and so 640 MiB of 20
/// bytes that claim 16 million samples without a word about any.
struct Run<'a> {
    flags: u32,
    count: u32,
    offset: Option<i32>,
    first_flags: Option<u32>,
    fields: &'a [u8],
}

const OFFSET: u32 = 0x1;
const FIRST_FLAGS: u32 = 0x4;
const DURATION: u32 = 0x100;
const SIZE: u32 = 0x200;
const FLAGS: u32 = 0x400;
const SHIFT: u32 = 0x800;

impl<'a> Run<'a> {
    fn read(content: &'a [u8]) -> Option<Self> {
        let mut run = Self {
            flags: u32_at(content, 0)? & 0xff_ffff,
            count: u32_at(content, 4)?,
            offset: None,
            first_flags: None,
            fields: content.get(8..)?,
        };
        run.offset = run.field(OFFSET)?.map(u32::cast_signed);
        run.first_flags = run.field(FIRST_FLAGS)?;
        Some(run)
    }

    /// The next field, if this run has it. `None`: it should, and the box is at its end.
    fn field(&mut self, flag: u32) -> Option<Option<u32>> {
        if self.flags & flag == 0 {
            return Some(None);
        }
        let (field, rest) = self.fields.split_first_chunk()?;
        self.fields = rest;
        Some(Some(u32::from_be_bytes(*field)))
    }

    fn gather(
        mut self,
        next: &mut Next,
        defaults: Defaults,
        track: &mut Track,
        room: &mut usize,
    ) -> Result<(), Full> {
        if let Some(offset) = self.offset {
            next.at = next.base.saturating_add_signed(i64::from(offset));
        }
        for index in 0..self.count {
            let Some((duration, size, flags, offset)) = self.sample() else {
                return Ok(());
            };
            *room = room.checked_sub(1).ok_or(Full)?;
            let first_flags = self.first_flags.filter(|_| index == 0);
            let flags = first_flags
                .or(flags)
                .map_or(defaults.flags, SampleFlags::new);
            let sample = Sample {
                at: next.at,
                size: size.unwrap_or(defaults.size),
                decoded: next.time,
                duration: u64::from(duration.unwrap_or(defaults.duration)),
                // Version 0 has no sign by the book; QuickTime writes one all the same.
                shift: offset.map_or(0, u32::cast_signed),
                sync: !flags.sample_is_non_sync_sample()
                    && flags.sample_depends_on() != DEPENDS_ON_OTHERS,
                description: defaults.description,
            };
            track.samples.push(sample);
            next.at = sample.end();
            next.time = next.time.saturating_add(sample.duration);
        }
        Ok(())
    }

    /// What the run says of its next sample: duration, size, flags, offset of its presentation.
    #[expect(clippy::type_complexity, reason = "read and taken apart in one place")]
    fn sample(&mut self) -> Option<(Option<u32>, Option<u32>, Option<u32>, Option<u32>)> {
        Some((
            self.field(DURATION)?,
            self.field(SIZE)?,
            self.field(FLAGS)?,
            self.field(SHIFT)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::MOST_SAMPLES;
    use super::super::tests::{H264, outermost, wrap};
    use super::*;

    const BASE_IS_MOOF: u32 = 0x2_0000;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    fn track_fragment(flags: u32, track: u32, runs: &[&[u32]]) -> Vec<u8> {
        let mut parts = wrap(b"tfhd", &words(&[flags, track]));
        for run in runs {
            parts.extend(wrap(b"trun", &words(run)));
        }
        wrap(b"traf", &parts)
    }

    /// What a fragment at 1000 adds to the two tracks of a recording.
    fn gathered(fragment: &[Vec<u8>]) -> [Vec<Sample>; 2] {
        let movie = outermost(H264, b"moov").remove(0);
        let mut movie = Movie::read(H264[movie.start + 8..movie.end].to_vec()).expect("read");
        let gathered = gather(&fragment.concat(), 1000, &mut movie, &mut { MOST_SAMPLES });
        assert_eq!(gathered, Ok(()));
        [1, 2].map(|id| {
            let track = movie.track(id).expect("there");
            track.samples.iter().collect()
        })
    }

    #[test]
    fn a_track_s_data_follows_on_the_one_before_s_unless_all_count_from_the_fragment() {
        for (flags, second) in [(0, 1150), (BASE_IS_MOOF, 1000)] {
            let [one, two] = gathered(&[
                track_fragment(flags, 1, &[&[SIZE | OFFSET, 2, 100, 20, 30]]),
                track_fragment(flags, 2, &[&[SIZE, 1, 7]]),
            ]);
            let places = |samples: &[Sample]| -> Vec<_> {
                samples.iter().map(|it| (it.at, it.size)).collect()
            };
            assert_eq!(places(&one), [(1100, 20), (1120, 30)]);
            assert_eq!(places(&two), [(second, 7)]);
        }
    }

    #[test]
    fn a_sample_that_depends_on_others_is_no_sync_sample() {
        const NON_SYNC: u32 = 1 << 16;
        const DEPENDS: u32 = 1 << 24;
        const ALONE: u32 = 2 << 24;
        let run = [FLAGS, 4, 0, NON_SYNC, DEPENDS, ALONE];
        let [samples, _] = gathered(&[track_fragment(0, 1, &[&run])]);
        let sync: Vec<_> = samples.iter().map(|it| it.sync).collect();
        assert_eq!(sync, [true, false, false, true]);
    }

    #[test]
    fn the_flags_of_a_run_s_first_sample_go_before_its_own() {
        const NON_SYNC: u32 = 1 << 16;
        let run = [FIRST_FLAGS | FLAGS, 2, NON_SYNC, 0, 0];
        let [samples, _] = gathered(&[track_fragment(0, 1, &[&run])]);
        let sync: Vec<_> = samples.iter().map(|it| it.sync).collect();
        assert_eq!(sync, [false, true]);
    }

    #[test]
    fn a_sample_may_be_shown_before_it_is_decoded_in_either_version() {
        for version in [0, 1 << 24] {
            let run = [version | SHIFT, 2, 5, u32::MAX - 2];
            let [samples, _] = gathered(&[track_fragment(0, 1, &[&run])]);
            let shifts: Vec<_> = samples.iter().map(|it| it.shift).collect();
            assert_eq!(shifts, [5, -3]);
        }
    }

    /// A recorder's clock may go on from anywhere at first, and no further than a table can say later.
    #[test]
    fn a_jump_that_no_table_could_say_isnt_believed() {
        const FAR: u64 = 1 << 40;
        let said = |time| TfdtBox {
            version: 1,
            base_media_decode_time: time,
        };
        let mut samples = Samples::default();
        assert_eq!(begin(&samples, None), 0);
        assert_eq!(begin(&samples, Some(said(FAR))), FAR);
        samples.push(Sample {
            at: 0,
            size: 1,
            decoded: FAR,
            duration: 10,
            shift: 0,
            sync: true,
            description: 1,
        });
        let (next, most) = (FAR + 10, u64::from(u32::MAX));
        for (said_time, want) in [
            (next + most, next + most),
            (next + most + 1, next),
            (next - most, next - most),
            (next - most - 1, next),
        ] {
            assert_eq!(begin(&samples, Some(said(said_time))), want, "{said_time}");
        }
        assert_eq!(begin(&samples, None), next);
    }
}
