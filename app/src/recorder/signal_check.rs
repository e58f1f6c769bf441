//! Signs that a recording would show or say nothing. Pure.

/// A room's noise is louder than that; full scale is 1.
const HEARD: f32 = 0.012;

/// Nobody talks without pause.
const PATIENCE_MS: f64 = 4_000.0;

/// Mean luminance, of 255. A lens that is covered gives less, a dim room more.
const LIGHT: f32 = 16.0;

/// How loud it has been lately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hearing {
    heard_at: Option<f64>,
}

impl Hearing {
    /// The loudest moment of a while that ended at `now`. Whether nothing has been heard for long.
    pub fn is_unheard(&mut self, loudest: f32, now: f64) -> bool {
        let heard_at = *self.heard_at.get_or_insert(now);
        if loudest > HEARD {
            self.heard_at = Some(now);
            return false;
        }
        now - heard_at > PATIENCE_MS
    }
}

/// How loud it is for a meter from 0 to 1: ears hear in ratios. -60 dB and less is 0.
pub fn loudness(loudest: f32) -> f32 {
    (1.0 + loudest.max(1e-6).log10() / 3.0).clamp(0.0, 1.0)
}

/// Whether a picture is dark: pixels as RGBA.
pub fn is_dark(pixels: &[u8]) -> bool {
    let (sum, count) = pixels
        .as_chunks::<4>()
        .0
        .iter()
        .fold((0.0, 0.0), |(sum, count), pixel| {
            let [red, green, blue, _] = pixel.map(f32::from);
            // BT.709.
            (
                sum + 0.2126 * red + 0.7152 * green + 0.0722 * blue,
                count + 1.0,
            )
        });
    count > 0.0 && sum / count < LIGHT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_in_talking_is_no_silence() {
        let mut hearing = Hearing::default();
        for (at, loudest, unheard) in [
            (0.0, 0.0, false),
            (3_900.0, 0.0, false),
            (4_100.0, 0.0, true),
            (4_200.0, 0.2, false),
            (8_000.0, 0.001, false),
            (8_300.0, 0.001, true),
        ] {
            assert_eq!(hearing.is_unheard(loudest, at), unheard, "{at}");
        }
    }

    #[test]
    fn four_seconds_of_a_room_s_noise_are_no_silence_yet() {
        let mut hearing = Hearing::default();
        assert!(!hearing.is_unheard(HEARD, 1_000.0));
        assert!(!hearing.is_unheard(HEARD, 5_000.0));
        assert!(hearing.is_unheard(HEARD, 5_001.0));
    }

    #[test]
    fn the_meter_shows_ratios() {
        assert_eq!(loudness(0.0), 0.0);
        assert_eq!(loudness(1.0), 1.0);
        assert!((loudness(0.1) - 2.0 / 3.0).abs() < 0.01);
    }

    #[test]
    fn a_covered_lens_is_dark_and_a_dim_room_is_not() {
        assert!(is_dark(&[3, 4, 5, 255].repeat(100)));
        assert!(!is_dark(&[40, 40, 40, 255].repeat(100)));
        assert!(!is_dark(&[]), "no picture yet");
    }

    /// Eyes see green best, and blue least.
    #[test]
    fn colours_count_as_eyes_see_them() {
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
        assert!(!is_dark(&half), "the mean counts");
    }
}
