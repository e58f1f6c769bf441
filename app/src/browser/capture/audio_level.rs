//! Measures the level of the microphone.

use web_sys::{AnalyserNode, AudioContext, MediaStreamAudioSourceNode};

use super::CaptureStream;

/// Samples in one measurement: 43 ms at 48 kHz.
const WINDOW: usize = 2048;

/// Reads the samples of a stream's audio track. The audio isn't played.
pub struct AudioLevelMeter {
    context: AudioContext,
    analyser: AnalyserNode,
    // Browsers collect a source that nothing references.
    _source: MediaStreamAudioSourceNode,
}

impl AudioLevelMeter {
    /// `None`: the stream has no audio, or the browser has no Web Audio.
    pub fn new(stream: &CaptureStream) -> Option<Self> {
        if !stream.has_audio() {
            return None;
        }
        let context = AudioContext::new().ok()?;
        // Some browsers suspend a new context, although the person has just pressed a button.
        let _ = context.resume();
        let nodes = connect(&context, stream);
        if nodes.is_none() {
            let _ = context.close();
        }
        let (source, analyser) = nodes?;
        Some(Self {
            context,
            analyser,
            _source: source,
        })
    }

    /// The peak of the current window; full scale is 1.
    pub fn peak(&self) -> f32 {
        let mut samples = [0.0; WINDOW];
        self.analyser.get_float_time_domain_data(&mut samples);
        samples.iter().fold(0.0, |peak, it| it.abs().max(peak))
    }
}

impl Drop for AudioLevelMeter {
    fn drop(&mut self) {
        // Fails only for a closed context.
        let _ = self.context.close();
    }
}

fn connect(
    context: &AudioContext,
    stream: &CaptureStream,
) -> Option<(MediaStreamAudioSourceNode, AnalyserNode)> {
    let source = context.create_media_stream_source(stream.stream()).ok()?;
    let analyser = context.create_analyser().ok()?;
    source.connect_with_audio_node(&analyser).ok()?;
    Some((source, analyser))
}
