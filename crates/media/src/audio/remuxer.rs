//! Copies the packets of an audio track into a format of its own, as the recording's bytes are read again.

use std::time::Duration;
use std::vec;

use super::ogg::{MAX_OVERHEAD, OggWriter};
use super::opus_head::opus_tags;
use super::opus_packet::packet_duration;
use super::{AacConfig, AudioClock, AudioCodec, AudioFormat, AudioTrack, Packet, adts};

/// Samples of Opus a second, whatever the rate of what was recorded.
const OPUS_RATE: u64 = 48_000;

const NANOSECONDS: u64 = 1_000_000_000;

/// Lifted audio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemuxedAudio {
    /// The format of `bytes`.
    pub format: AudioFormat,
    /// A complete file.
    pub bytes: Vec<u8>,
    /// When its moments are in the video.
    pub clock: AudioClock,
    /// Whether the end is missing because there was no room for it.
    pub is_cut: bool,
}

/// Copies the packets of a track.
#[derive(Debug)]
pub struct Remuxer {
    packets: vec::IntoIter<Packet>,
    /// The packet that comes next, and its bytes so far.
    next: Option<Packet>,
    buffer: Vec<u8>,
    /// Offset of the next byte in the recording.
    offset: u64,
    writer: Writer,
    clock: AudioClock,
    max_bytes: usize,
    max_duration: Duration,
    is_cut: bool,
}

#[derive(Debug)]
enum Writer {
    Opus(OggWriter),
    Aac(AacConfig, Vec<u8>),
}

impl Remuxer {
    /// Begins at the first byte of [`AudioTrack::range`].
    /// What is behind `max_bytes` or `max_duration` is left out, but for the first packet.
    pub fn new(track: AudioTrack, max_bytes: usize, max_duration: Duration) -> Self {
        let offset = track.range().start;
        let mut packets = track.packets.into_iter();
        let (writer, clock) = match track.codec {
            AudioCodec::Opus(head) => {
                let dropped = u64::from(head.pre_skip()) * NANOSECONDS / OPUS_RATE;
                let clock = AudioClock::starting_at(-dropped.cast_signed());
                let writer = OggWriter::new(head.as_bytes(), &opus_tags());
                (Writer::Opus(writer), clock)
            }
            AudioCodec::Aac(config) => {
                let clock = AudioClock::starting_at(0);
                (Writer::Aac(config, Vec::new()), clock)
            }
        };
        Self {
            next: packets.next(),
            packets,
            buffer: Vec::new(),
            offset,
            writer,
            clock,
            max_bytes,
            max_duration,
            is_cut: track.is_cut,
        }
    }

    /// Reads the next bytes of the recording, in order, split anywhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        let end = self.offset.saturating_add(bytes.len() as u64);
        while let Some(packet) = self.next {
            let from = packet.offset.saturating_add(self.buffer.len() as u64);
            let to = packet.end().min(end);
            let within = |offset: u64| usize::try_from(offset.saturating_sub(self.offset)).ok();
            let part = within(from).zip(within(to));
            if let Some(part) = part.and_then(|(from, to)| bytes.get(from..to)) {
                self.buffer.extend_from_slice(part);
            }
            if packet.end() > end {
                break;
            }
            self.write(packet);
            self.buffer.clear();
            self.next = if self.is_full() {
                None
            } else {
                self.packets.next()
            };
        }
        self.offset = end;
    }

    /// Whether all that is needed of the recording was read.
    pub fn is_done(&self) -> bool {
        self.next.is_none()
    }

    /// Ends the recording. `None`: there was no valid packet.
    pub fn finish(self) -> Option<RemuxedAudio> {
        let (format, bytes) = match self.writer {
            Writer::Opus(writer) => (AudioFormat::Ogg, writer.finish()),
            Writer::Aac(_, bytes) => (AudioFormat::Adts, bytes),
        };
        let is_empty = self.clock.duration().is_zero();
        (!is_empty).then_some(RemuxedAudio {
            format,
            bytes,
            clock: self.clock,
            is_cut: self.is_cut,
        })
    }

    /// Whether the next packet has no room. Then the rest is left out.
    fn is_full(&mut self) -> bool {
        let Some(next) = self.packets.as_slice().first() else {
            return false;
        };
        let needed = usize::try_from(next.size).unwrap_or(usize::MAX);
        let written = match &self.writer {
            Writer::Opus(writer) => writer.len().saturating_add(MAX_OVERHEAD),
            Writer::Aac(_, bytes) => bytes.len().saturating_add(adts::HEADER),
        };
        let is_full = written.saturating_add(needed) > self.max_bytes
            || self.clock.duration() >= self.max_duration;
        self.is_cut |= is_full;
        is_full
    }

    /// Writes a packet whose bytes are complete.
    /// An invalid one is left out: what follows it says its own time.
    fn write(&mut self, packet: Packet) {
        let duration = match &mut self.writer {
            Writer::Opus(writer) => {
                let duration = packet_duration(&self.buffer).filter(|duration| *duration > 0);
                if let Some(duration) = duration {
                    writer.push(&self.buffer, duration * OPUS_RATE / NANOSECONDS);
                }
                duration
            }
            Writer::Aac(config, bytes) => config.header(self.buffer.len()).map(|header| {
                bytes.extend(header);
                bytes.extend_from_slice(&self.buffer);
                config.frame_duration()
            }),
        };
        if let Some(duration) = duration {
            self.clock.add(packet.at, duration);
        }
    }
}
