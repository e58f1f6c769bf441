//! Writes the index of a recording: what is served in front of it so that players can seek.
//!
//! It is a `moov` box whose sample tables point into the fragments behind it, and the header of an `mdat` box around
//! the whole recording. OBS calls a file of this structure hybrid MP4.

use std::num::NonZeroU32;

use shiguredo_mp4::boxes::{
    Co64Box, CttsBox, CttsEntry, StscBox, StscEntry, StssBox, StszBox, SttsBox,
};

use super::boxes::{RawBox, boxes, find_box, write_box, write_leaf};
use super::edit_list::EditList;
use super::finish::Layout;
use super::movie::{Movie, Track};
use super::samples::Samples;
use super::timescale::rescale;

/// Maximum number of bytes by which an index may exceed its recording, which may consist of one picture.
const MAX_EXCESS: u64 = 64 << 10;

/// What an index is made of.
pub(super) struct Index<'a> {
    /// Payload of the recorded `ftyp` box. QuickTime may have none.
    pub file_type: Option<&'a [u8]>,
    pub movie: &'a Movie,
    pub layout: &'a Layout,
    /// The number of bytes of the recording that are served.
    pub recording_length: u64,
}

impl Index<'_> {
    /// Encodes it. `None`: boxes can't express it, or it would be disproportionately long.
    pub(super) fn encode(&self) -> Option<Vec<u8>> {
        // Chunk offsets count from the beginning of the index. They always take 64 bits, so its length is known from
        // a first attempt.
        let length = self.encode_at(0)?.len() as u64;
        if length > self.recording_length.saturating_add(MAX_EXCESS) {
            return None;
        }
        self.encode_at(length)
    }

    /// Encodes it for a recording that begins at this offset.
    fn encode_at(&self, recording_start: u64) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        if let Some(file_type) = self.file_type {
            write_box(&mut out, *b"ftyp", |out| {
                out.extend_from_slice(file_type);
                Some(())
            })?;
        }
        write_box(&mut out, *b"moov", |out| {
            self.write_movie(recording_start, out)
        })?;
        // A size of 1 means that a 64-bit size follows the type.
        out.extend_from_slice(b"\0\0\0\x01mdat");
        let size = self.recording_length.checked_add(16)?;
        out.extend_from_slice(&size.to_be_bytes());
        Some(out)
    }

    fn write_movie(&self, recording_start: u64, out: &mut Vec<u8>) -> Option<()> {
        let mut header = self.movie.header.clone();
        header.timescale = self.layout.timescale;
        header.duration = self.layout.duration_ticks();
        // Some readers take it as signed.
        i64::try_from(header.duration).ok()?;
        write_leaf(out, &header)?;
        for (track, edit_list) in self.movie.tracks.iter().zip(&self.layout.edit_lists) {
            if let Some(edit_list) = edit_list {
                write_box(out, *b"trak", |out| {
                    self.write_track(track, edit_list, recording_start, out)
                })?;
            }
        }
        for other in boxes(&self.movie.payload) {
            // `mvex` declares fragments, of which there are none any more.
            if !matches!(
                &other.box_type,
                b"mvhd" | b"trak" | b"mvex" | b"free" | b"skip"
            ) {
                other.copy_to(out)?;
            }
        }
        Some(())
    }

    fn write_track(
        &self,
        track: &Track,
        edit_list: &EditList,
        recording_start: u64,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let table = TableWriter::new(&track.samples)?;
        let mut header = track.header.clone();
        header.duration = edit_list.duration();
        write_leaf(out, &header)?;
        let media_duration = rescale(table.duration, track.timescale(), self.layout.timescale);
        if let Some(list) = edit_list.to_box(media_duration) {
            write_box(out, *b"edts", |out| write_leaf(out, &list))?;
        }
        for part in boxes(&track.payload) {
            match &part.box_type {
                b"tkhd" | b"edts" => {}
                b"mdia" => write_box(out, part.box_type, |out| {
                    write_media(track, &part, &table, recording_start, out)
                })?,
                _ => part.copy_to(out)?,
            }
        }
        Some(())
    }
}

fn write_media(
    track: &Track,
    media: &RawBox,
    table: &TableWriter,
    recording_start: u64,
    out: &mut Vec<u8>,
) -> Option<()> {
    let mut header = track.media_header.clone();
    // By composition times, where these end later (ISO/IEC 14496-12, section 8.4.2.3).
    let composed = track
        .samples
        .composition_end()
        .saturating_sub(table.first_decode_time);
    header.duration = table.duration.max(u64::try_from(composed).unwrap_or(0));
    write_leaf(out, &header)?;
    for part in boxes(media.payload) {
        match &part.box_type {
            b"mdhd" => {}
            b"minf" => write_box(out, part.box_type, |out| {
                for part in boxes(part.payload) {
                    match &part.box_type {
                        b"stbl" => write_box(out, part.box_type, |out| {
                            find_box(part.payload, *b"stsd")?.copy_to(out)?;
                            table.write(track, recording_start, out)
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

/// Writes a track's samples as the boxes of a sample table.
struct TableWriter {
    stts: SttsBox,
    composition_offsets: Vec<CttsEntry>,
    /// The duration of all samples, in ticks of the track.
    duration: u64,
    first_decode_time: i64,
}

impl TableWriter {
    fn new(samples: &Samples) -> Option<Self> {
        let first = samples.iter().next()?;
        let mut durations = Vec::with_capacity(samples.len());
        let mut composition_offsets: Vec<CttsEntry> = Vec::new();
        let mut decode_time = 0_u64;
        for sample in samples.iter() {
            // A table can't go back in time. Where a recording does, samples get a later decode time, and keep their
            // composition time.
            let composition_time = sample
                .composition_time()
                .saturating_sub_unsigned(first.decode_time);
            let sample_offset = composition_time.saturating_sub_unsigned(decode_time);
            let sample_offset = sample_offset.clamp(i32::MIN.into(), i32::MAX.into());
            match composition_offsets.last_mut() {
                Some(entry) if entry.sample_offset == sample_offset => entry.sample_count += 1,
                _ => composition_offsets.push(CttsEntry {
                    sample_count: 1,
                    sample_offset,
                }),
            }
            let end = sample.decode_time.saturating_add(sample.duration);
            let end = end.saturating_sub(first.decode_time);
            let duration = u32::try_from(end.saturating_sub(decode_time)).ok()?;
            decode_time = decode_time.saturating_add(duration.into());
            durations.push(duration);
        }
        Some(Self {
            stts: SttsBox::from_sample_deltas(durations).ok()?,
            composition_offsets,
            duration: decode_time,
            first_decode_time: first.decode_time.cast_signed(),
        })
    }

    fn write(&self, track: &Track, recording_start: u64, out: &mut Vec<u8>) -> Option<()> {
        let samples = &track.samples;
        write_leaf(out, &self.stts)?;
        if self
            .composition_offsets
            .iter()
            .any(|it| it.sample_offset != 0)
        {
            let ctts = CttsBox {
                version: 1,
                entries: self.composition_offsets.clone(),
            };
            write_leaf(out, &ctts)?;
        }
        if track.is_video() && samples.iter().any(|sample| !sample.is_sync) {
            write_leaf(out, &stss(samples))?;
        }
        write_leaf(out, &stsc(samples)?)?;
        write_leaf(out, &stsz(samples)?)?;
        let chunk_offsets = samples
            .chunks()
            .map(|(offset, _, _)| offset.checked_add(recording_start));
        let chunk_offsets = chunk_offsets.collect::<Option<_>>()?;
        write_leaf(out, &Co64Box { chunk_offsets })
    }
}

fn stss(samples: &Samples) -> StssBox {
    let numbered = samples.iter().zip(1_u32..);
    StssBox {
        sample_numbers: numbered
            .filter(|(sample, _)| sample.is_sync)
            .filter_map(|(_, number)| NonZeroU32::new(number))
            .collect(),
    }
}

fn stsc(samples: &Samples) -> Option<StscBox> {
    let mut entries: Vec<StscEntry> = Vec::new();
    for ((_, count, description_index), number) in samples.chunks().zip(1_u32..) {
        let entry = StscEntry {
            first_chunk: NonZeroU32::new(number)?,
            sample_per_chunk: u32::try_from(count).ok()?,
            // Some writers count from 0 and mean the first one.
            sample_description_index: NonZeroU32::new(description_index).unwrap_or(NonZeroU32::MIN),
        };
        let continues = entries.last().is_some_and(|last| {
            last.sample_per_chunk == entry.sample_per_chunk
                && last.sample_description_index == entry.sample_description_index
        });
        if !continues {
            entries.push(entry);
        }
    }
    Some(StscBox { entries })
}

fn stsz(samples: &Samples) -> Option<StszBox> {
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
