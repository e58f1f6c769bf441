use proptest::prelude::*;

use super::*;
use crate::image::jpeg_header;

fn noise(width: u32, height: u32) -> RgbImage {
    let mut state = 1_u32;
    let rgb = (0..width * height * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    RgbImage {
        width,
        height,
        rgb: rgb.collect(),
    }
}

#[test]
fn a_quarter_turn_brings_the_left_column_to_the_top() {
    let image = RgbImage {
        width: 2,
        height: 1,
        rgb: vec![1, 1, 1, 2, 2, 2],
    };
    let rotated = image.clone().rotate(Rotation::Quarter);
    assert_eq!((rotated.width, rotated.height), (1, 2));
    assert_eq!(rotated.rgb, [1, 1, 1, 2, 2, 2]);
    let rotated = image.clone().rotate(Rotation::ThreeQuarters);
    assert_eq!(rotated.rgb, [2, 2, 2, 1, 1, 1]);
    assert_eq!(image.rotate(Rotation::Half).rgb, [2, 2, 2, 1, 1, 1]);
}

#[test]
fn noise_fits_a_budget_that_is_not_absurd() {
    let mut resizer = Resizer::new();
    let images = vec![noise(768, 768); 3];
    let jpegs = encode_jpegs(&images, 25_600, &mut resizer).expect("images");
    assert!(jpegs.iter().map(Vec::len).sum::<usize>() <= 3 * 25_600);
    assert_eq!(encode_jpegs(&[noise(768, 768)], 100, &mut resizer), None);
}

#[test]
fn stills_have_the_steps_that_they_had() {
    assert_eq!(steps(0), STEPS);
    assert_eq!(steps(STILL_SIDE), STEPS);
}

/// Of noise, which compresses worst.
/// A still has some 25,000 bytes at most, a short answer room for 90,000.
#[test]
fn a_large_picture_is_never_smaller_than_a_still() {
    let mut resizer = Resizer::new();
    for (width, height) in [(1920, 1080), (1000, 562)] {
        let image = noise(width, height);
        let all = steps(width);
        let mut length = |(side, quality): (u32, u8)| {
            let images = std::slice::from_ref(&image);
            let jpegs = encode_within(images, side, quality, usize::MAX, &mut resizer);
            jpegs.expect("an image")[0].len()
        };
        let lengths: Vec<usize> = all.iter().map(|step| length(*step)).collect();
        assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");

        let mut encode = |image: &RgbImage, bytes: usize| {
            let bytes = u32::try_from(bytes).expect("few");
            let images = std::slice::from_ref(image);
            let jpegs = encode_jpegs(images, bytes, &mut resizer).expect("an image");
            let (width, height) = jpeg_header::size(&jpegs[0]).expect("a JPEG");
            (width.max(height), jpegs[0].len())
        };
        // What fits exactly is found.
        for index in [0, all.len() / 2, all.len() - 1] {
            let side = all[index].0.min(width);
            assert_eq!(encode(&image, lengths[index]), (side, lengths[index]));
        }
        let still = noise(width, height).fit(STILL_SIDE, &mut Resizer::new());
        let (side, _) = encode(&still.expect("an image"), 25_000);
        let (large, _) = encode(&image, 90_000);
        assert!(large > side, "{large} {side}");
    }
}

#[test]
fn a_frame_without_pixels_or_with_too_many_is_not_decodable() {
    assert!(is_decodable(1, 1));
    assert!(is_decodable(7680, 4320));
    assert!(!is_decodable(0, 9));
    assert!(!is_decodable(16_383, 16_383));
    assert!(!is_decodable(u32::MAX, u32::MAX));
}

proptest! {
    #[test]
    fn four_quarter_turns_change_nothing(width in 1_u32..9, height in 1_u32..9) {
        let image = noise(width, height);
        let once = || image.clone().rotate(Rotation::Quarter);
        prop_assert_eq!(once().rotate(Rotation::ThreeQuarters), image.clone());
        prop_assert_eq!(once().rotate(Rotation::Quarter), image.clone().rotate(Rotation::Half));
        prop_assert_eq!(once().rotate(Rotation::Half), image.clone().rotate(Rotation::ThreeQuarters));
    }

    #[test]
    fn a_fitted_image_keeps_its_shape_and_has_all_its_pixels(
        width in 1_u32..300, height in 1_u32..300, side in 1_u32..300,
    ) {
        let fitted = noise(width, height).fit(side, &mut Resizer::new()).expect("an image");
        prop_assert!(fitted.width.max(fitted.height) == side.min(width.max(height)));
        prop_assert!(fitted.width >= 1 && fitted.height >= 1);
        prop_assert_eq!(fitted.rgb.len() as u64, u64::from(fitted.width) * u64::from(fitted.height) * 3);
    }
}
