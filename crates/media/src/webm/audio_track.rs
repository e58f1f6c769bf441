//! The audio track of a recording: its codec, and where its packets lie.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::element::{children, decode_child, find_child};
use super::tracks::{AUDIO, MAX_TRACKS, codec_id};
use crate::audio::{AacConfig, AudioCodec, AudioTrack, MAX_PACKETS, NoAudio, OpusHead, Packet};

/// Lists the packets of the first audio track whose codec is supported.
#[derive(Debug)]
pub(super) struct AudioCollector {
    track: Result<ChosenTrack, NoAudio>,
    /// With the times of their blocks.
    packets: Vec<Packet>,
    is_cut: bool,
}

#[derive(Debug)]
struct ChosenTrack {
    number: u64,
    codec: AudioCodec,
    /// By how much its timestamps are late, in nanoseconds (RFC 9559, section 5.1.4.1.25).
    delay: u64,
}

impl Default for AudioCollector {
    fn default() -> Self {
        Self {
            track: Err(NoAudio::Missing),
            packets: Vec::new(),
            is_cut: false,
        }
    }
}

impl AudioCollector {
    /// Chooses the track by the body of the Tracks element.
    pub(super) fn choose_track(&mut self, tracks: &[u8]) {
        let entries = children(tracks).filter(|(id, _)| *id == mkv::TrackEntry::ID);
        let is_audio =
            |entry: &&[u8]| decode_child(entry).is_some_and(|mkv::TrackType(it)| it == AUDIO);
        let mut audio = entries
            .take(MAX_TRACKS)
            .map(|(_, entry)| entry)
            .filter(is_audio)
            .peekable();
        self.track = match audio.peek() {
            None => Err(NoAudio::Missing),
            Some(_) => audio
                .find_map(ChosenTrack::read)
                .ok_or(NoAudio::UnsupportedCodec),
        };
    }

    /// Whether this is the number of the track.
    pub(super) fn is_of(&self, track: u64) -> bool {
        self.track.as_ref().is_ok_and(|it| it.number == track)
    }

    /// Adds the frames of a block of the track, which lie one behind the other.
    /// `timestamp` is in nanoseconds.
    pub(super) fn add(&mut self, timestamp: u64, mut offset: u64, sizes: &[u64]) {
        for (index, size) in sizes.iter().enumerate() {
            self.is_cut |= self.packets.len() >= MAX_PACKETS;
            if self.is_cut {
                return;
            }
            self.packets.push(Packet {
                at: (index == 0).then(|| i64::try_from(timestamp).unwrap_or(i64::MAX)),
                offset,
                // Longer ones are left out.
                size: u32::try_from(*size).unwrap_or(u32::MAX),
            });
            offset = offset.saturating_add(*size);
        }
    }

    /// The track, in a recording whose first frame has the timestamp `begin`, in nanoseconds.
    pub(super) fn into_track(mut self, begin: u64) -> Result<AudioTrack, NoAudio> {
        let track = self.track?;
        for packet in &mut self.packets {
            packet.at = packet.at.map(|at| {
                at.saturating_sub_unsigned(begin)
                    .saturating_sub_unsigned(track.delay)
            });
        }
        AudioTrack::new(track.codec, self.packets, self.is_cut)
    }
}

impl ChosenTrack {
    /// Reads the entry of an audio track. `None`: its packets can't be extracted.
    fn read(entry: &[u8]) -> Option<Self> {
        // Their bytes are compressed once more, or encrypted.
        if find_child::<mkv::ContentEncodings>(entry).is_some() {
            return None;
        }
        let mkv::TrackNumber(number) = decode_child(entry)?;
        let private = find_child::<mkv::CodecPrivate>(entry)?;
        let codec = match codec_id(entry).as_str() {
            "A_OPUS" => AudioCodec::Opus(OpusHead::read(private)?),
            "A_AAC" => AudioCodec::Aac(AacConfig::read(private)?),
            _ => return None,
        };
        Some(Self {
            number,
            codec,
            delay: decode_child(entry).map_or(0, |mkv::CodecDelay(nanoseconds)| nanoseconds),
        })
    }
}
