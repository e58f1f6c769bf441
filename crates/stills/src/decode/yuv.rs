//! Conversion of pictures with halved colour planes (4:2:0) to RGB, by what the stream says of its colours.
//!
//! The decoder's own conversion takes everything for standard definition: it turns the green of phones' videos into
//! another one. The crates for this take longer to build than all others of the decoders together.

/// What samples mean (ITU-T H.273, section 8).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colors {
    /// The weights of red and blue in the lightness.
    weights: (f32, f32),
    /// Whether samples have all values from 0 to 255, instead of 16 to 235 and 16 to 240.
    is_full_range: bool,
}

const BT_601: (f32, f32) = (0.299, 0.114);
const BT_709: (f32, f32) = (0.2126, 0.0722);
const BT_2020: (f32, f32) = (0.2627, 0.0593);
const FCC: (f32, f32) = (0.30, 0.11);
const SMPTE_240: (f32, f32) = (0.212, 0.087);

/// Pictures with so many rows are taken for high definition where the stream doesn't say, as by Chromium.
const HIGH_DEFINITION_ROWS: u32 = 720;

/// Bits of the fraction in the conversion's integers.
/// With more of them what colour adds would exceed 16 bits, of which a processor adds eight at a time.
const FRACTION: u32 = 6;

impl Colors {
    /// By `matrix_coefficients` (H.273, table 4) and the range; by the number of rows where the stream doesn't say.
    pub(super) fn new(matrix: Option<u8>, is_full_range: bool, rows: u32) -> Self {
        let weights = match matrix {
            Some(1) => BT_709,
            Some(4) => FCC,
            Some(5 | 6) => BT_601,
            Some(7) => SMPTE_240,
            Some(9 | 10) => BT_2020,
            _ if rows >= HIGH_DEFINITION_ROWS => BT_709,
            _ => BT_601,
        };
        Self {
            weights,
            is_full_range,
        }
    }
}

/// The planes of a picture: lightness, blue and red, each with its number of samples from one row to the next.
pub(super) type Planes<'a> = [(&'a [u8], usize); 3];

/// Converts a picture, within 3 of 255. What a plane lacks is shown as anything.
///
/// Takes 3 ms for 1920 × 1080: colour by colour, because compilers make vectors of such loops.
pub(super) fn to_rgb(
    [lights, blues, reds]: Planes<'_>,
    (columns, rows): (usize, usize),
    colors: Colors,
) -> Vec<u8> {
    let factors = Factors::of(colors);
    let mut added = [0; 3].map(|_: i16| vec![0; columns.next_multiple_of(2)]);
    let mut grey = vec![0; columns];
    let mut converted = [0; 3].map(|_: u8| vec![0; columns]);
    let mut rgb = vec![0; columns * rows * 3];
    for (index, pixels) in rgb.chunks_exact_mut((columns * 3).max(1)).enumerate() {
        if index % 2 == 0 {
            factors.add_colour(row(blues, index / 2), row(reds, index / 2), &mut added);
        }
        for (to, light) in grey.iter_mut().zip(row(lights, index)) {
            *to = factors.grey[usize::from(*light)];
        }
        for (converted, added) in converted.iter_mut().zip(&added) {
            for ((to, added), grey) in converted.iter_mut().zip(added).zip(&grey) {
                let sum = grey.saturating_add(*added) >> FRACTION;
                *to = sum.max(0).cast_unsigned().min(255) as u8;
            }
        }
        let [reds, greens, blues] = &converted;
        for (((pixel, red), green), blue) in
            pixels.chunks_exact_mut(3).zip(reds).zip(greens).zip(blues)
        {
            pixel.copy_from_slice(&[*red, *green, *blue]);
        }
    }
    rgb
}

/// What samples become.
struct Factors {
    /// By a sample of lightness: its part of red, green and blue, rounded for the end of the calculation.
    grey: [i16; 256],
    red_of_red: i16,
    green_of_red: i16,
    green_of_blue: i16,
    blue_of_blue: i16,
}

impl Factors {
    fn of(colors: Colors) -> Self {
        let (red, blue) = colors.weights;
        let green = 1.0 - red - blue;
        let (darkest, lightness, chroma) = match colors.is_full_range {
            true => (0.0, 1.0, 1.0),
            false => (16.0, 255.0 / 219.0, 255.0 / 224.0),
        };
        let (of_red, of_blue) = (chroma * 2.0 * (1.0 - red), chroma * 2.0 * (1.0 - blue));
        #[expect(clippy::cast_possible_truncation, reason = "below 512")]
        let fixed = |factor: f32| (factor * f32::from(1_i16 << FRACTION)).round() as i16;
        Self {
            grey: std::array::from_fn(|sample| fixed((sample as f32 - darkest) * lightness + 0.5)),
            red_of_red: fixed(of_red),
            green_of_red: fixed(-of_red * red / green),
            green_of_blue: fixed(-of_blue * blue / green),
            blue_of_blue: fixed(of_blue),
        }
    }

    /// What a row of colour samples adds to the red, green and blue of two pixels each.
    fn add_colour(
        &self,
        blues: &[u8],
        reds: &[u8],
        [to_red, to_green, to_blue]: &mut [Vec<i16>; 3],
    ) {
        let pairs = to_red.chunks_exact_mut(2).zip(to_green.chunks_exact_mut(2));
        let pairs = pairs.zip(to_blue.chunks_exact_mut(2));
        for (((to_red, to_green), to_blue), (blue, red)) in pairs.zip(blues.iter().zip(reds)) {
            let (blue, red) = (i16::from(*blue) - 128, i16::from(*red) - 128);
            to_red.fill(self.red_of_red * red);
            to_green.fill(self.green_of_red * red + self.green_of_blue * blue);
            to_blue.fill(self.blue_of_blue * blue);
        }
    }
}

/// A plane from the beginning of a row on.
fn row((plane, stride): (&[u8], usize), row: usize) -> &[u8] {
    let start = row.saturating_mul(stride).min(plane.len());
    &plane[start..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A sample's value as the standard defines it (H.273, equations 38 to 43), from 0 to 255.
    fn coded([red, green, blue]: [u8; 3], colors: Colors) -> [u8; 3] {
        let (of_red, of_blue) = colors.weights;
        let [red, green, blue] = [red, green, blue].map(|it| f32::from(it) / 255.0);
        let light = of_red * red + (1.0 - of_red - of_blue) * green + of_blue * blue;
        let from_blue = (blue - light) / (2.0 * (1.0 - of_blue));
        let from_red = (red - light) / (2.0 * (1.0 - of_red));
        let (darkest, lightness, chroma) = match colors.is_full_range {
            true => (0.0, 255.0, 255.0),
            false => (16.0, 219.0, 224.0),
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped"
        )]
        let rounded = |value: f32| value.round().clamp(0.0, 255.0) as u8;
        [
            rounded(darkest + lightness * light),
            rounded(128.0 + chroma * from_blue),
            rounded(128.0 + chroma * from_red),
        ]
    }

    proptest! {
        #[test]
        fn colours_survive_encoding_and_decoding(
            rgb: [u8; 3], matrix in 0_u8..12, is_full_range: bool, columns in 1_usize..5, rows in 1_usize..5,
        ) {
            let colors = Colors::new(Some(matrix), is_full_range, 480);
            let [light, blue, red] = coded(rgb, colors);
            let (lights, blues, reds) = ([light; 32], [blue; 16], [red; 16]);
            let planes = [(&lights[..], 7), (&blues[..], 4), (&reds[..], 4)];
            let converted = to_rgb(planes, (columns, rows), colors);
            prop_assert_eq!(converted.len(), columns * rows * 3);
            for pixel in converted.chunks(3) {
                for (got, want) in pixel.iter().zip(rgb) {
                    prop_assert!(got.abs_diff(want) <= 3, "{pixel:?} of {rgb:?}");
                }
            }
        }

        #[test]
        fn no_size_and_no_plane_panics(
            [lights, blues, reds]: [Vec<u8>; 3], size in (0_usize..20, 0_usize..20), stride in 0_usize..20,
            matrix in 0_u8..12, is_full_range: bool,
        ) {
            let planes = [(&lights[..], stride), (&blues[..], stride), (&reds[..], stride)];
            to_rgb(planes, size, Colors::new(Some(matrix), is_full_range, 0));
        }
    }

    #[test]
    fn an_unspecified_colour_space_follows_the_height() {
        let unsaid = |rows| Colors::new(Some(2), false, rows);
        assert_eq!(unsaid(719), Colors::new(Some(6), false, 1080));
        assert_eq!(unsaid(720), Colors::new(Some(1), false, 480));
    }
}
