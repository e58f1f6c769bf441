//! Measures the level of the sound that is recorded.

use web_sys::{AnalyserNode, MediaStreamAudioSourceNode};

use super::CaptureStream;
use super::audio_context::OpenAudioContext;

/// Samples in one measurement: 43 ms at 48 kHz.
const WINDOW: usize = 2048;

/// Reads the samples of a stream's audio track. The audio isn't played.
pub struct AudioLevelMeter {
    analyser: AnalyserNode,
    _source: MediaStreamAudioSourceNode,
    _context: OpenAudioContext,
}

impl AudioLevelMeter {
    /// `None`: the stream has no audio, or the browser has no Web Audio.
    pub fn new(stream: &CaptureStream) -> Option<Self> {
        if !stream.has_audio() {
            return None;
        }
        let context = OpenAudioContext::new()?;
        let analyser = context.create_analyser().ok()?;
        Some(Self {
            _source: context.connect(stream.stream(), &analyser)?,
            analyser,
            _context: context,
        })
    }

    /// The peak of the current window; full scale is 1.
    pub fn peak(&self) -> f32 {
        let mut samples = [0.0; WINDOW];
        self.analyser.get_float_time_domain_data(&mut samples);
        samples.iter().fold(0.0, |peak, it| it.abs().max(peak))
    }
}
