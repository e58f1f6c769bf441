//! Zoom factors: which there are, and which one a gesture means. Pure.

use crate::recorder::bindings::ZOOM_PRESETS;

/// What some cameras call a factor of 1: the web's unit is the driver's, and drivers of webcams count percents.
const PERCENT: f64 = 100.0;

/// The factors that a camera offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoomRange {
    min: f64,
    max: f64,
    step: f64,
    /// The camera's value of the factor 1.
    unit: f64,
}

impl ZoomRange {
    /// `None`: the camera doesn't zoom. Values are in the camera's unit.
    pub fn new((min, max, step): (f64, f64, f64)) -> Option<Self> {
        let unit = if min >= PERCENT { min } else { 1.0 };
        (min > 0.0 && max > min).then_some(Self {
            min: min / unit,
            max: max / unit,
            step: step / unit,
            unit,
        })
    }

    /// The factor of a camera's value.
    pub fn factor(self, value: f64) -> f64 {
        value / self.unit
    }

    /// The camera's value of a factor.
    pub fn value(self, factor: f64) -> f64 {
        factor * self.unit
    }

    /// The lowest and the highest factor.
    pub fn bounds(self) -> (f64, f64) {
        (self.min, self.max)
    }

    /// The nearest factor that the camera offers.
    pub fn clamp(self, factor: f64) -> f64 {
        let factor = if self.step > 0.0 {
            self.min + ((factor - self.min) / self.step).round() * self.step
        } else {
            factor
        };
        // `clamp` would print its limits in a panic: ten kilobytes of code for floats in the WASM.
        factor.max(self.min).min(self.max)
    }

    /// Whether it reaches beyond the main lens, to a wider one: a camera of several lenses, which it chooses by itself.
    pub fn has_wide_lens(self) -> bool {
        self.min < 1.0
    }

    /// The presets that the camera offers.
    pub fn presets(self) -> impl Iterator<Item = u32> {
        let offered = move |preset: &u32| match is_wide(*preset) {
            true => tenths(self.min) < 1.0,
            false => (self.min..=self.max).contains(&self.preset_factor(*preset)),
        };
        ZOOM_PRESETS.into_iter().filter(offered)
    }

    /// The factor of a preset. That of the wide lens is the lowest one, as those lenses differ.
    pub fn preset_factor(self, preset: u32) -> f64 {
        match is_wide(preset) {
            true => self.min,
            false => f64::from(preset) / 10.0,
        }
    }

    /// The step of a slider in tenths, in whole ones.
    pub fn slider_step(self) -> u32 {
        // Small: the range has several steps.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let step = (self.step * 10.0).round() as u32;
        step.max(1)
    }

    /// The preset below a factor, which shows it.
    pub fn active_preset(self, factor: f64) -> Option<u32> {
        // Rounded as it is shown.
        let below = |preset: &u32| tenths(self.preset_factor(*preset)) <= tenths(factor);
        self.presets()
            .filter(below)
            .last()
            .or_else(|| self.presets().next())
    }

    /// The factor after a double tap.
    pub fn toggled(self, factor: f64) -> f64 {
        let is_normal = tenths(factor) == tenths(self.clamp(1.0));
        self.clamp(if is_normal { 2.0 } else { 1.0 })
    }
}

/// Whether a preset, which is in tenths, is that of a lens wider than the main one.
fn is_wide(preset: u32) -> bool {
    preset < 10
}

/// Rounds a factor to tenths.
pub fn tenths(factor: f64) -> f64 {
    (factor * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANDROID: (f64, f64, f64) = (1.0, 8.0, 0.1);
    const IPHONE: (f64, f64, f64) = (0.5, 10.0, 0.0);

    /// Its steps, from the lowest factor on, miss 1.
    const UNEVEN: (f64, f64, f64) = (0.67, 8.0, 0.1);

    fn range(range: (f64, f64, f64)) -> ZoomRange {
        ZoomRange::new(range).expect("a range")
    }

    #[test]
    fn a_camera_without_a_range_does_not_zoom() {
        for range in [(1.0, 1.0, 0.1), (0.0, 0.0, 0.0), (f64::NAN, 2.0, 0.1)] {
            assert_eq!(ZoomRange::new(range), None);
        }
    }

    #[test]
    fn presets_are_within_the_range() {
        for (camera, want) in [
            (ANDROID, vec![10, 20, 50]),
            (IPHONE, vec![5, 10, 20, 50]),
            ((0.6, 8.0, 0.1), vec![5, 10, 20, 50]),
            (UNEVEN, vec![5, 10, 20, 50]),
            ((0.97, 3.0, 0.1), vec![10, 20]),
            ((1.0, 3.0, 0.1), vec![10, 20]),
            ((100.0, 400.0, 1.0), vec![10, 20]),
        ] {
            assert_eq!(range(camera).presets().collect::<Vec<_>>(), want);
        }
    }

    #[test]
    fn the_first_preset_of_a_wide_lens_is_the_lowest_factor() {
        for (camera, preset, want) in [
            (IPHONE, 5, 0.5),
            ((0.6, 8.0, 0.1), 5, 0.6),
            (UNEVEN, 5, 0.67),
            (UNEVEN, 10, 1.0),
        ] {
            assert_eq!(range(camera).preset_factor(preset), want, "{camera:?}");
        }
    }

    #[test]
    fn a_slider_has_the_steps_of_the_camera() {
        for (step, want) in [(0.0, 1), (0.01, 1), (0.1, 1), (0.2, 2), (0.5, 5), (1.0, 10)] {
            assert_eq!(range((1.0, 8.0, step)).slider_step(), want, "{step}");
        }
    }

    #[test]
    fn the_preset_below_a_factor_shows_it() {
        for (camera, factor, want) in [
            (IPHONE, 0.5, 5),
            (IPHONE, 0.96, 10),
            (IPHONE, 1.4, 10),
            (IPHONE, 9.0, 50),
            (ANDROID, 1.0, 10),
            (UNEVEN, 0.67, 5),
            (UNEVEN, 0.97, 10),
            ((0.64, 8.0, 0.0), 0.64, 5),
            ((1.5, 3.0, 0.1), 1.6, 20),
        ] {
            assert_eq!(range(camera).active_preset(factor), Some(want), "{factor}");
        }
    }

    #[test]
    fn a_double_tap_changes_between_one_and_two() {
        for (camera, factor, want) in [
            (ANDROID, 1.0, 2.0),
            (ANDROID, 2.0, 1.0),
            (ANDROID, 3.7, 1.0),
            (IPHONE, 0.5, 1.0),
            ((1.0, 1.5, 0.1), 1.0, 1.5),
        ] {
            assert_eq!(range(camera).toggled(factor), want, "{factor}");
        }
        for (factor, want) in [(0.67, 0.97), (0.97, 1.97), (1.97, 0.97)] {
            let toggled = range(UNEVEN).toggled(factor);
            assert!((toggled - want).abs() < 1e-9, "{factor}: {toggled}");
        }
    }

    #[test]
    fn factors_are_rounded_to_what_the_camera_offers() {
        for (camera, factor, want) in [
            ((1.0, 8.0, 0.5), 2.2, 2.0),
            (ANDROID, 20.0, 8.0),
            (IPHONE, 0.1, 0.5),
            (IPHONE, 1.23, 1.23),
        ] {
            let clamped = range(camera).clamp(factor);
            assert!((clamped - want).abs() < 1e-9, "{clamped}");
        }
    }

    #[test]
    fn percents_of_a_webcam_are_factors() {
        let webcam = range((100.0, 400.0, 1.0));
        assert_eq!(webcam.bounds(), (1.0, 4.0));
        assert_eq!((webcam.value(2.0), webcam.factor(250.0)), (200.0, 2.5));
        assert!(!webcam.has_wide_lens() && range(IPHONE).has_wide_lens());
    }
}
