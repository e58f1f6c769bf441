//! The audio track of a recording, as the readers of the containers find it.

use std::ops::Range;

use super::adts::AacConfig;
use super::opus_head::OpusHead;

/// Maximum number of packets of a track that are listed: two hours of Opus in packets of 20 ms, in 13 MB of memory.
///
/// Recorders write longer packets, or as long ones.
pub(crate) const MAX_PACKETS: usize = 400_000;

/// Maximum size of a packet in bytes.
/// No valid one of Opus is larger (RFC 7845, section 6), and none of AAC nearly as large.
pub(super) const MAX_PACKET_BYTES: u32 = 61_440;

/// Why the audio of a recording can't be extracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAudio {
    /// The recording has no audio track, or no packet of it is complete.
    #[error("there is no audio in it")]
    Missing,
    /// The codec of no audio track is supported.
    #[error("its audio is neither Opus nor AAC")]
    UnsupportedCodec,
    /// The packets aren't stored in the order in which they are played.
    #[error("its audio isn't stored in order")]
    Disordered,
}

/// The format of extracted audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioFormat {
    /// Opus in Ogg (RFC 7845).
    Ogg,
    /// AAC in ADTS (ISO/IEC 13818-7, annex B).
    Adts,
}

impl AudioFormat {
    /// The media type, for a `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Ogg => "audio/ogg",
            Self::Adts => "audio/aac",
        }
    }

    /// The usual file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Ogg => "ogg",
            Self::Adts => "aac",
        }
    }
}

/// A codec whose packets can be extracted, with what a decoder must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AudioCodec {
    Opus(OpusHead),
    Aac(AacConfig),
}

/// A packet of an audio track. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packet {
    /// When it is played, from the first frame of the video on.
    /// It may begin before that. `None`: when the packet before it ends.
    pub at: Option<i64>,
    /// Offset in the recording, in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u32,
}

impl Packet {
    /// Offset behind its last byte.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(u64::from(self.size))
    }
}

/// The audio track of a recording: where its packets lie, and when they are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AudioTrack {
    pub(super) codec: AudioCodec,
    /// In the order in which they are stored, and played. Not empty.
    pub(super) packets: Vec<Packet>,
    /// Whether there were more than [`MAX_PACKETS`].
    pub(super) is_cut: bool,
}

impl AudioTrack {
    /// A track with these packets in the order in which they are played. Empty and huge ones are left out.
    pub(crate) fn new(
        codec: AudioCodec,
        mut packets: Vec<Packet>,
        is_cut: bool,
    ) -> Result<Self, NoAudio> {
        packets.retain(|packet| (1..=MAX_PACKET_BYTES).contains(&packet.size));
        let is_ordered = packets.is_sorted_by(|one, next| one.end() <= next.offset);
        match is_ordered {
            _ if packets.is_empty() => Err(NoAudio::Missing),
            false => Err(NoAudio::Disordered),
            true => Ok(Self {
                codec,
                packets,
                is_cut,
            }),
        }
    }

    /// The part of the recording from its first packet to its last one, in bytes.
    pub fn range(&self) -> Range<u64> {
        let start = self.packets.first().map_or(0, |first| first.offset);
        start..self.packets.last().map_or(start, Packet::end)
    }
}
