//! `AudioContext`: Web Audio as far as the page needs it.

use std::ops::Deref;

use web_sys::{AudioContext, AudioNode, MediaStream, MediaStreamAudioSourceNode};

/// A running `AudioContext`, closed when dropped.
pub(super) struct OpenAudioContext(AudioContext);

impl OpenAudioContext {
    /// `None`: the browser has no Web Audio.
    pub fn new() -> Option<Self> {
        let context = AudioContext::new().ok()?;
        // Some browsers suspend a new context, although the person has just pressed a button.
        let _ = context.resume();
        Some(Self(context))
    }

    /// Leads the audio track of a stream to a node. Browsers collect a source that nothing references.
    pub fn connect(
        &self,
        stream: &MediaStream,
        to: &AudioNode,
    ) -> Option<MediaStreamAudioSourceNode> {
        let source = self.0.create_media_stream_source(stream).ok()?;
        source.connect_with_audio_node(to).ok()?;
        Some(source)
    }
}

impl Deref for OpenAudioContext {
    type Target = AudioContext;

    fn deref(&self) -> &AudioContext {
        &self.0
    }
}

impl Drop for OpenAudioContext {
    fn drop(&mut self) {
        // Fails only for a closed context.
        let _ = self.0.close();
    }
}
