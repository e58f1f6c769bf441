//! `AudioContext`: Web Audio as far as the page needs it.

use std::ops::Deref;

use wasm_bindgen_futures::JsFuture;
use web_sys::{AudioContext, AudioNode, MediaStream, MediaStreamAudioSourceNode};

use crate::browser::js::get_field;
use crate::browser::listener::Listener;

/// A running `AudioContext`, closed when dropped.
///
/// A call or an alarm suspends it (`interrupted` in WebKit), and then it is silent. It is resumed as soon as it can be.
pub(super) struct OpenAudioContext {
    context: AudioContext,
    _on_change: Listener,
}

impl OpenAudioContext {
    /// `None`: the browser has no Web Audio.
    pub fn new() -> Option<Self> {
        let context = AudioContext::new().ok()?;
        // Some browsers suspend a new context, although the person has just pressed a button.
        resume(&context);
        let changed = context.clone();
        Some(Self {
            _on_change: Listener::new(&context, "statechange", move |_| resume(&changed)),
            context,
        })
    }

    /// Whether it works, and isn't silent.
    pub fn is_running(&self) -> bool {
        get_field(&self.context, "state") == "running"
    }

    /// Leads the audio track of a stream to a node. Browsers collect a source that nothing references.
    pub fn connect(
        &self,
        stream: &MediaStream,
        to: &AudioNode,
    ) -> Option<MediaStreamAudioSourceNode> {
        let source = self.context.create_media_stream_source(stream).ok()?;
        source.connect_with_audio_node(to).ok()?;
        Some(source)
    }
}

/// Nothing happens where it runs already, or during a call: WebKit's may stay mute for good if it is resumed then, and
/// changes its state again afterwards.
fn resume(context: &AudioContext) {
    if get_field(context, "state") == "suspended"
        && let Ok(promise) = context.resume()
    {
        // May be rejected. A future that isn't awaited keeps that from being logged as an error of the page.
        drop(JsFuture::from(promise));
    }
}

impl Deref for OpenAudioContext {
    type Target = AudioContext;

    fn deref(&self) -> &AudioContext {
        &self.context
    }
}

impl Drop for OpenAudioContext {
    fn drop(&mut self) {
        // Fails only for a closed context.
        let _ = self.context.close();
    }
}
