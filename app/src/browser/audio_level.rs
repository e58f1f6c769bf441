//! How loud a microphone is.

use web_sys::{AnalyserNode, AudioContext, MediaStreamAudioSourceNode};

use super::Camera;

/// Samples that are looked at at once: at 48 kHz the last 43 ms.
const WINDOW: usize = 2048;

/// Hears along. It costs the person nothing: no sound comes out.
pub struct Meter {
    context: AudioContext,
    analyser: AnalyserNode,
    // Browsers let go of a source that nobody holds.
    _source: MediaStreamAudioSourceNode,
}

impl Meter {
    /// `None`: there is no sound, or this browser can't.
    pub fn of(camera: &Camera) -> Option<Self> {
        if camera.is_silent() {
            return None;
        }
        let context = AudioContext::new().ok()?;
        // Some begin silent, although the person has just pressed a button.
        let _ = context.resume();
        let hearing = hear(&context, camera);
        if hearing.is_none() {
            let _ = context.close();
        }
        let (source, analyser) = hearing?;
        Some(Self {
            context,
            analyser,
            _source: source,
        })
    }

    /// The loudest sample just now; full scale is 1.
    pub fn loudest(&self) -> f32 {
        let mut samples = [0.0; WINDOW];
        self.analyser.get_float_time_domain_data(&mut samples);
        samples.iter().fold(0.0, |most, it| it.abs().max(most))
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        // Fails for one that is closed.
        let _ = self.context.close();
    }
}

fn hear(
    context: &AudioContext,
    camera: &Camera,
) -> Option<(MediaStreamAudioSourceNode, AnalyserNode)> {
    let source = context.create_media_stream_source(camera.stream()).ok()?;
    let analyser = context.create_analyser().ok()?;
    source.connect_with_audio_node(&analyser).ok()?;
    Some((source, analyser))
}
