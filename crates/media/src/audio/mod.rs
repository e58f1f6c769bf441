//! Lifts the audio track out of a recording without decoding it: Opus to Ogg, AAC to ADTS.
//!
//! The recording is read twice: [`Reader::for_audio`](crate::Reader::for_audio) finds the packets of the track, whose
//! list may be at the end of the file, and [`Remuxer`] copies them. Neither format is written with gaps, so
//! [`AudioClock`] says at which time of the video each moment of the extracted audio is. Not here: decoding, and codecs
//! other than these two.

mod adts;
mod clock;
mod ogg;
mod opus_head;
pub(crate) mod opus_packet;
mod remuxer;
mod track;

#[cfg(test)]
mod tests;

pub(crate) use adts::AacConfig;
pub use clock::AudioClock;
pub(crate) use opus_head::OpusHead;
pub use remuxer::{RemuxedAudio, Remuxer};
pub(crate) use track::{AudioCodec, MAX_PACKETS, Packet};
pub use track::{AudioFormat, AudioTrack, NoAudio};
