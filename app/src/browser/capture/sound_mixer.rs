//! Mixes the sound of a shared screen with the microphone, because a recorder takes one audio track.

use web_sys::{
    MediaStream, MediaStreamAudioDestinationNode, MediaStreamAudioSourceNode, MediaStreamTrack,
};

use super::audio_context::OpenAudioContext;
use super::stream::tracks;

/// A mix that goes on until it is dropped, which also stops the microphone.
pub(super) struct SoundMixer {
    /// The track of the microphone.
    pub microphone: Option<MediaStreamTrack>,
    destination: MediaStreamAudioDestinationNode,
    _sources: Vec<MediaStreamAudioSourceNode>,
    _context: OpenAudioContext,
}

impl SoundMixer {
    /// `None`: the browser has no Web Audio.
    pub fn new(shared: &MediaStream, microphone: Option<&MediaStream>) -> Option<Self> {
        let context = OpenAudioContext::new()?;
        let destination = context.create_media_stream_destination().ok()?;
        let inputs = [Some(shared), microphone].into_iter().flatten();
        let sources = inputs.map(|it| context.connect(it, &destination));
        Some(Self {
            _sources: sources.collect::<Option<_>>()?,
            microphone: microphone.and_then(|it| tracks(it).next()),
            destination,
            _context: context,
        })
    }

    /// A stream with the mixed track.
    pub fn mixed(&self) -> MediaStream {
        self.destination.stream()
    }
}

impl Drop for SoundMixer {
    fn drop(&mut self) {
        if let Some(microphone) = &self.microphone {
            microphone.stop();
        }
    }
}
