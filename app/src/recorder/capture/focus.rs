//! Finds the point of a frame under a finger. Pure.

/// Width and height in pixels.
pub type Size = (f64, f64);

/// The point of the frame at `(x, y)` of the element that shows it, from 0 to 1 from the left and from the top. `None`:
/// there is no frame at that place.
///
/// The frame is shown whole, in the middle of the element. A mirrored one is mirrored back.
pub fn point_of_frame(
    (x, y): (f64, f64),
    shown: Size,
    frame: Size,
    is_mirrored: bool,
) -> Option<(f64, f64)> {
    if !(frame.0 > 0.0 && frame.1 > 0.0) {
        return None;
    }
    let (horizontal, vertical) = (shown.0 / frame.0, shown.1 / frame.1);
    let scale = horizontal.min(vertical);
    let along = |at: f64, shown: f64, frame: f64| {
        let length = frame * scale;
        (at - (shown - length) / 2.0) / length
    };
    let (x, y) = (along(x, shown.0, frame.0), along(y, shown.1, frame.1));
    let is_inside = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
    is_inside.then_some((if is_mirrored { 1.0 - x } else { x }, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: Size = (400.0, 800.0);
    const WIDE: Size = (1280.0, 720.0);

    #[test]
    fn a_whole_frame_has_margins() {
        // 400×225 of the phone's 800 lines, from 287.5 to 512.5.
        for (at, want) in [
            ((200.0, 400.0), Some((0.5, 0.5))),
            ((0.0, 287.5), Some((0.0, 0.0))),
            ((100.0, 512.5), Some((0.25, 1.0))),
            ((200.0, 100.0), None),
        ] {
            assert_eq!(point_of_frame(at, PHONE, WIDE, false), want, "{at:?}");
        }
    }

    #[test]
    fn a_mirrored_frame_is_mirrored_back() {
        let left = point_of_frame((100.0, 400.0), PHONE, WIDE, true);
        assert_eq!(left, Some((0.75, 0.5)));
        assert_eq!(point_of_frame((1.0, 1.0), PHONE, (0.0, 0.0), false), None);
    }
}
