//! Mixes the sound of a shared screen with the microphone, because a recorder takes one audio track.

use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{
    AudioNode, MediaStream, MediaStreamAudioDestinationNode, MediaStreamAudioSourceNode,
    MediaStreamTrack,
};

use super::audio_context::OpenAudioContext;
use super::tracks::{is_lost, tracks};
use crate::browser::js::{call_now, get_field, set_field};

/// The gain of two sounds, so that the sum of both at full scale isn't clipped.
const HEADROOM: f32 = 0.5;

/// A mix that goes on until it is dropped, which also stops the microphone.
pub(super) struct SoundMixer {
    /// The tracks that are mixed: the shared sound, and the microphone if there is one.
    inputs: Vec<MediaStreamTrack>,
    destination: MediaStreamAudioDestinationNode,
    _sources: Vec<MediaStreamAudioSourceNode>,
    context: OpenAudioContext,
}

impl SoundMixer {
    /// `None`: the browser has no Web Audio.
    pub fn new(shared: &MediaStream, microphone: Option<&MediaStream>) -> Option<Self> {
        let context = OpenAudioContext::new()?;
        let destination = context.create_media_stream_destination().ok()?;
        // By name, because the types of web-sys would weigh more.
        let gain = call_now(&context, "createGain", &Array::new())?;
        if microphone.is_some() {
            set_field(&get_field(&gain, "gain"), "value", &HEADROOM.into());
        }
        let gain: AudioNode = gain.unchecked_into();
        gain.connect_with_audio_node(&destination).ok()?;
        let inputs = [Some(shared), microphone].into_iter().flatten();
        let sources = inputs.clone().map(|it| context.connect(it, &gain));
        Some(Self {
            inputs: inputs.flat_map(tracks).collect(),
            _sources: sources.collect::<Option<_>>()?,
            destination,
            context,
        })
    }

    /// Whether one of the sounds is lost, or all are silent because the browser suspends the mix.
    pub fn has_lost_sound(&self) -> bool {
        self.inputs.iter().any(is_lost) || !self.context.is_running()
    }

    /// The track of the microphone.
    pub fn microphone(&self) -> Option<&MediaStreamTrack> {
        self.inputs.get(1)
    }

    /// A stream with the mixed track.
    pub fn mixed(&self) -> MediaStream {
        self.destination.stream()
    }
}

impl Drop for SoundMixer {
    fn drop(&mut self) {
        if let Some(microphone) = self.microphone() {
            microphone.stop();
        }
    }
}
