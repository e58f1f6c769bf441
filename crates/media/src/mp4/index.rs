//! What goes in front of a recording so that it can be sought: a whole movie box whose samples lie in the
//! fragments behind it, and a media data box around everything that was recorded. OBS calls it hybrid MP4.

use std::num::NonZeroU32;

use shiguredo_mp4::boxes::{
    Co64Box, CttsBox, CttsEntry, HdlrBox, StscBox, StscEntry, StssBox, StszBox, SttsBox,
};

use super::boxes::{Node, enclose, encode, node, nodes};
use super::movie::{Movie, Track};
use super::samples::Samples;
use super::timeline::{Timeline, rescale};

/// An index may be longer than what it describes by this, in bytes: there are recordings of one picture.
const MOST_OVER: u64 = 64 << 10;

/// What an index is made of.
pub(super) struct Plan<'a> {
    /// The content of the file type box as recorded. QuickTime may have none.
    pub file_type: Option<&'a [u8]>,
    pub movie: &'a Movie,
    /// Of the movie's tracks in their order. `None`: has no samples, and is left out.
    pub timelines: &'a [Option<Timeline>],
    /// In which the timelines are.
    pub clock: NonZeroU32,
    /// How much of the recording is served, in bytes.
    pub recording: u64,
}

impl Plan<'_> {
    /// `None`: this can't be said in boxes, or at a length out of all proportion.
    pub(super) fn write(&self) -> Option<Vec<u8>> {
        // Offsets count from the index's own beginning, and have the same length whatever they are.
        let length = self.attempt(0)?.len() as u64;
        if length > self.recording.saturating_add(MOST_OVER) {
            return None;
        }
        self.attempt(length)
    }

    fn attempt(&self, length: u64) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        if let Some(file_type) = self.file_type {
            enclose(&mut out, *b"ftyp", |out| {
                out.extend_from_slice(file_type);
                Some(())
            })?;
        }
        enclose(&mut out, *b"moov", |out| self.movie(length, out))?;
        out.extend_from_slice(b"\0\0\0\x01mdat");
        let size = self.recording.checked_add(16)?;
        out.extend_from_slice(&size.to_be_bytes());
        Some(out)
    }

    fn movie(&self, length: u64, out: &mut Vec<u8>) -> Option<()> {
        let mut header = self.movie.header.clone();
        header.timescale = self.clock;
        let ends = self.timelines.iter().flatten().map(Timeline::end);
        header.duration = ends.max().unwrap_or(0);
        // Readers take it as signed.
        i64::try_from(header.duration).ok()?;
        encode(out, &header)?;
        for (track, timeline) in self.movie.tracks.iter().zip(self.timelines) {
            if let Some(timeline) = timeline {
                enclose(out, *b"trak", |out| {
                    self.track(track, timeline, length, out)
                })?;
            }
        }
        for other in nodes(&self.movie.content) {
            // Not `mvex`: it says that there are fragments.
            if !matches!(&other.kind, b"mvhd" | b"trak" | b"mvex" | b"free" | b"skip") {
                other.copy_to(out)?;
            }
        }
        Some(())
    }

    fn track(
        &self,
        track: &Track,
        timeline: &Timeline,
        length: u64,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let columns = Columns::of(&track.samples)?;
        let mut header = track.header.clone();
        header.duration = timeline.end();
        encode(out, &header)?;
        let shown = rescale(columns.duration, track.timescale(), self.clock);
        if let Some(list) = timeline.list(shown) {
            enclose(out, *b"edts", |out| encode(out, &list))?;
        }
        for part in nodes(&track.content) {
            match &part.kind {
                b"tkhd" | b"edts" => {}
                b"mdia" => enclose(out, part.kind, |out| {
                    media(track, &part, &columns, length, out)
                })?,
                _ => part.copy_to(out)?,
            }
        }
        Some(())
    }
}

fn media(
    track: &Track,
    media: &Node,
    columns: &Columns,
    length: u64,
    out: &mut Vec<u8>,
) -> Option<()> {
    let mut header = track.media.clone();
    // By composition (section 8.4.2.3), where that ends later.
    let shown = track.samples.over().saturating_sub(columns.first);
    let shown = u64::try_from(shown).unwrap_or(0);
    header.duration = columns.duration.max(shown);
    encode(out, &header)?;
    for part in nodes(media.content) {
        match &part.kind {
            b"mdhd" => {}
            b"minf" => enclose(out, part.kind, |out| {
                for part in nodes(part.content) {
                    match &part.kind {
                        b"stbl" => enclose(out, part.kind, |out| {
                            node(part.content, *b"stsd")?.copy_to(out)?;
                            columns.write(track, length, out)
                        })?,
                        _ => part.copy_to(out)?,
                    }
                }
                Some(())
            })?,
            _ => part.copy_to(out)?,
        }
    }
    Some(())
}

/// A track's samples as its tables have them.
struct Columns {
    durations: SttsBox,
    shifts: Vec<CttsEntry>,
    /// Of all samples together, in the track's ticks.
    duration: u64,
    /// When the first one is decoded.
    first: i64,
}

impl Columns {
    fn of(samples: &Samples) -> Option<Self> {
        let first = samples.iter().next()?;
        let mut durations = Vec::with_capacity(samples.len());
        let mut shifts: Vec<CttsEntry> = Vec::new();
        let mut clock = 0_u64;
        for sample in samples.iter() {
            // Tables can't go back in time. Where a recording does, its pictures are decoded later, and
            // shown when they should be.
            let shown = sample.shown().saturating_sub_unsigned(first.decoded);
            let sample_offset = shown.saturating_sub_unsigned(clock);
            let sample_offset = sample_offset.clamp(i32::MIN.into(), i32::MAX.into());
            match shifts.last_mut() {
                Some(run) if run.sample_offset == sample_offset => run.sample_count += 1,
                _ => shifts.push(CttsEntry {
                    sample_count: 1,
                    sample_offset,
                }),
            }
            let over = sample.decoded.saturating_add(sample.duration);
            let over = over.saturating_sub(first.decoded);
            let duration = u32::try_from(over.saturating_sub(clock)).ok()?;
            clock = clock.saturating_add(duration.into());
            durations.push(duration);
        }
        Some(Self {
            durations: SttsBox::from_sample_deltas(durations).ok()?,
            shifts,
            duration: clock,
            first: first.decoded.cast_signed(),
        })
    }

    fn write(&self, track: &Track, length: u64, out: &mut Vec<u8>) -> Option<()> {
        let samples = &track.samples;
        encode(out, &self.durations)?;
        if self.shifts.iter().any(|run| run.sample_offset != 0) {
            let shifts = CttsBox {
                version: 1,
                entries: self.shifts.clone(),
            };
            encode(out, &shifts)?;
        }
        let is_video = track.handler == HdlrBox::HANDLER_TYPE_VIDE;
        if is_video && samples.iter().any(|sample| !sample.sync) {
            encode(out, &sync(samples))?;
        }
        encode(out, &per_chunk(samples)?)?;
        encode(out, &sizes(samples)?)?;
        let chunk_offsets = samples.runs().map(|(at, _, _)| at.checked_add(length));
        let chunk_offsets = chunk_offsets.collect::<Option<_>>()?;
        encode(out, &Co64Box { chunk_offsets })
    }
}

fn sync(samples: &Samples) -> StssBox {
    let numbered = samples.iter().zip(1_u32..);
    StssBox {
        sample_numbers: numbered
            .filter(|(sample, _)| sample.sync)
            .filter_map(|(_, number)| NonZeroU32::new(number))
            .collect(),
    }
}

fn per_chunk(samples: &Samples) -> Option<StscBox> {
    let mut entries: Vec<StscEntry> = Vec::new();
    for ((_, count, description), number) in samples.runs().zip(1_u32..) {
        let entry = StscEntry {
            first_chunk: NonZeroU32::new(number)?,
            sample_per_chunk: u32::try_from(count).ok()?,
            // 0 is written by mistake; the first one is meant.
            sample_description_index: NonZeroU32::new(description).unwrap_or(NonZeroU32::MIN),
        };
        let as_before = entries.last().is_some_and(|last| {
            last.sample_per_chunk == entry.sample_per_chunk
                && last.sample_description_index == entry.sample_description_index
        });
        if !as_before {
            entries.push(entry);
        }
    }
    Some(StscBox { entries })
}

fn sizes(samples: &Samples) -> Option<StszBox> {
    let first = samples.iter().next()?.size;
    match NonZeroU32::new(first) {
        Some(sample_size) if samples.iter().all(|sample| sample.size == first) => {
            Some(StszBox::Fixed {
                sample_size,
                sample_count: u32::try_from(samples.len()).ok()?,
            })
        }
        _ => Some(StszBox::Variable {
            entry_sizes: samples.iter().map(|sample| sample.size).collect(),
        }),
    }
}
