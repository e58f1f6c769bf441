//! Chooses pictures by whether anything changes from one to another.

use crate::image::RgbImage;

/// Cells of a picture that are compared, in each direction.
const GRID: usize = 32;

/// The difference below which two pictures look the same: the root of the mean square over all cells, of 255.
///
/// A camera's noise and coding make less. A change of a fortieth of the contrast in a hundredth of the picture makes more.
const SAME: f32 = 2.5;

/// The mean brightness of each cell, row by row.
type Signature = Vec<f32>;

/// The indices of at most `max` of these pictures, which are in order of time, in the same order.
///
/// What looks like an earlier one is left out, but the last one never is. If there are still too many, some are chosen
/// evenly, with the first and the last one.
pub(crate) fn choose(pictures: &[&RgbImage], max: usize) -> Vec<usize> {
    let mut kept: Vec<(usize, Signature)> = Vec::new();
    for (index, picture) in pictures.iter().enumerate() {
        let signature = signature(picture);
        let is_last = index + 1 == pictures.len();
        if is_last
            || kept
                .iter()
                .all(|(_, it)| difference(it, &signature) >= SAME)
        {
            kept.push((index, signature));
        }
    }
    let count = kept.len().min(max);
    let steps = count.saturating_sub(1).max(1);
    let last = kept.len().saturating_sub(1);
    (0..count)
        .map(|number| kept[number * last / steps].0)
        .collect()
}

fn signature(picture: &RgbImage) -> Signature {
    let (width, height) = (
        picture.width.max(1) as usize,
        picture.height.max(1) as usize,
    );
    let (pixels, _) = picture.rgb.as_chunks::<3>();
    let mut cells = vec![(0_f32, 0_f32); GRID * GRID];
    for (index, [red, green, blue]) in pixels.iter().enumerate() {
        let (x, y) = (index % width, index / width);
        let (sum, count) = &mut cells[y * GRID / height * GRID + x * GRID / width];
        // The weights of ITU-R BT.601.
        *sum += 0.299 * f32::from(*red) + 0.587 * f32::from(*green) + 0.114 * f32::from(*blue);
        *count += 1.0;
    }
    cells
        .into_iter()
        .map(|(sum, count)| sum / count.max(1.0))
        .collect()
}

fn difference(a: &Signature, b: &Signature) -> f32 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
    let cells = f32::from(u16::try_from(GRID * GRID).unwrap_or(u16::MAX));
    (squares.sum::<f32>() / cells).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A grey picture with a white bar at `place`, of 64.
    fn bar(place: usize) -> RgbImage {
        let row = (0..64).flat_map(|x| if x / 4 == place { [255; 3] } else { [90; 3] });
        let row: Vec<u8> = row.collect();
        RgbImage {
            width: 64,
            height: 36,
            rgb: row.repeat(36),
        }
    }

    fn chosen(places: &[usize], max: usize) -> Vec<usize> {
        let pictures: Vec<RgbImage> = places.iter().map(|it| bar(*it)).collect();
        choose(&pictures.iter().collect::<Vec<_>>(), max)
    }

    #[test]
    fn near_duplicates_are_dropped_except_first_and_last() {
        assert_eq!(chosen(&[1, 1, 1, 7, 7, 1, 1], 12), [0, 3, 6]);
        assert_eq!(chosen(&[1, 1, 1], 12), [0, 2]);
        assert_eq!(chosen(&[1], 12), [0]);
        assert!(chosen(&[], 12).is_empty());
    }

    #[test]
    fn many_different_pictures_are_sampled_evenly() {
        let places: Vec<usize> = (0..13).collect();
        assert_eq!(chosen(&places, 4), [0, 4, 8, 12]);
        assert_eq!(chosen(&places, 1), [0]);
    }

    #[test]
    fn noise_is_no_change_and_a_few_letters_are_one() {
        let still = bar(3);
        let mut noisy = still.clone();
        for (index, sample) in noisy.rgb.iter_mut().enumerate() {
            *sample = sample.saturating_add(u8::try_from(index * 7 % 5).expect("few"));
        }
        assert_eq!(choose(&[&still, &noisy, &still], 12), [0, 2]);
        // Letters on a label: half of the contrast in one of two hundred parts of the picture.
        let mut label = still.clone();
        for row in 10..13 {
            let start = (row * 64 + 40) * 3;
            label.rgb[start..start + 4 * 3].fill(200);
        }
        assert_eq!(choose(&[&still, &label, &still], 12), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn stills_chosen_by_change_are_ordered_and_hold_both_ends(
            places in proptest::collection::vec(0_usize..16, 1..48), max in 2_usize..13,
        ) {
            let chosen = chosen(&places, max);
            prop_assert!(chosen.len() <= max);
            prop_assert!(chosen.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(chosen.first(), Some(&0));
            prop_assert_eq!(chosen.last(), Some(&(places.len() - 1)));
            // Each different picture is there, if there is room for all of them.
            let different: std::collections::HashSet<_> = places.iter().collect();
            if different.len() + 2 <= max {
                let shown: std::collections::HashSet<_> = chosen.iter().map(|it| &places[*it]).collect();
                prop_assert_eq!(shown, different);
            }
        }
    }
}
