//! Detects a silent microphone and a dark picture before they are recorded. Pure.

/// The peak of a microphone that picks up anything, be it the noise of a room; full scale is 1.
const AUDIBLE_PEAK: f32 = 0.012;

/// Longer than the pauses in speech.
const SILENCE_MS: f64 = 4_000.0;

/// Mean luma of 255 between those of a covered lens and of a dim room.
const DARK_BELOW: f32 = 16.0;

/// Detects silence that lasts longer than a pause in speech.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilenceDetector {
    audible_at: Option<f64>,
}

impl SilenceDetector {
    /// Takes the peak of the samples up to `now`, in milliseconds. Whether it has been silent for too long.
    pub fn update(&mut self, peak: f32, now: f64) -> bool {
        let audible_at = *self.audible_at.get_or_insert(now);
        if peak > AUDIBLE_PEAK {
            self.audible_at = Some(now);
            return false;
        }
        now - audible_at > SILENCE_MS
    }
}

/// The level of a peak on a logarithmic scale from 0 (-60 dB or less) to 1, as loudness is perceived.
pub fn loudness(peak: f32) -> f32 {
    (1.0 + peak.max(1e-6).log10() / 3.0).clamp(0.0, 1.0)
}

/// Whether a picture, in RGBA, is dark.
pub fn is_dark(pixels: &[u8]) -> bool {
    let (sum, count) = pixels
        .as_chunks::<4>()
        .0
        .iter()
        .fold((0.0, 0.0), |(sum, count), pixel| {
            let [red, green, blue, _] = pixel.map(f32::from);
            // The luma coefficients of BT.709.
            (
                sum + 0.2126 * red + 0.7152 * green + 0.0722 * blue,
                count + 1.0,
            )
        });
    count > 0.0 && sum / count < DARK_BELOW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_in_speech_is_no_silence() {
        let mut detector = SilenceDetector::default();
        for (at, peak, is_silent) in [
            (0.0, 0.0, false),
            (3_900.0, 0.0, false),
            (4_100.0, 0.0, true),
            (4_200.0, 0.2, false),
            (8_000.0, 0.001, false),
            (8_300.0, 0.001, true),
        ] {
            assert_eq!(detector.update(peak, at), is_silent, "{at}");
        }
    }

    #[test]
    fn silence_begins_after_four_seconds() {
        let mut detector = SilenceDetector::default();
        assert!(!detector.update(AUDIBLE_PEAK, 1_000.0));
        assert!(!detector.update(AUDIBLE_PEAK, 5_000.0));
        assert!(detector.update(AUDIBLE_PEAK, 5_001.0));
    }

    #[test]
    fn the_level_is_logarithmic() {
        assert_eq!(loudness(0.0), 0.0);
        assert_eq!(loudness(1.0), 1.0);
        assert!((loudness(0.1) - 2.0 / 3.0).abs() < 0.01);
    }

    #[test]
    fn a_covered_lens_is_dark_and_a_dim_room_is_not() {
        assert!(is_dark(&[3, 4, 5, 255].repeat(100)));
        assert!(!is_dark(&[40, 40, 40, 255].repeat(100)));
        assert!(!is_dark(&[]), "no frame yet");
    }

    #[test]
    fn colours_are_weighted_by_their_luma() {
        for (darkest, lightest) in [
            ([75, 0, 0, 255], [76, 0, 0, 255]),
            ([0, 22, 0, 255], [0, 23, 0, 255]),
            ([0, 0, 221, 255], [0, 0, 222, 255]),
            ([15, 15, 15, 255], [16, 17, 16, 255]),
        ] {
            assert!(is_dark(&darkest.repeat(9)), "{darkest:?}");
            assert!(!is_dark(&lightest.repeat(9)), "{lightest:?}");
        }
        let half = [[0, 0, 0, 255], [40, 40, 40, 255]].concat();
        assert!(!is_dark(&half), "the mean decides");
    }
}
