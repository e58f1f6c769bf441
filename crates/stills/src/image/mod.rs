//! Uncompressed images: resizing, rotating, and encoding as JPEG within a budget of bytes for all stills of a video.

pub mod jpeg_header;
#[cfg(test)]
mod tests;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use jpeg_encoder::{ColorType, Encoder};

use super::{MAX_PIXELS, STILL_SIDE};
use media::Rotation;

/// An image of 8-bit red, green and blue samples, row by row from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RgbImage {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

/// No limit: the decoder has applied that of the request already.
const AS_DECODED: u32 = u32::MAX;

/// Maximum side in pixels and JPEG quality of stills, from the largest files to the smallest.
///
/// Quality is lowered before size, down to where block artefacts hide more than the pixels show.
const STEPS: [(u32, u8); 16] = [
    (AS_DECODED, 85),
    (AS_DECODED, 80),
    (AS_DECODED, 74),
    (AS_DECODED, 68),
    (AS_DECODED, 62),
    (AS_DECODED, 56),
    (AS_DECODED, 50),
    (AS_DECODED, 44),
    (640, 44),
    (560, 42),
    (480, 40),
    (400, 40),
    (320, 38),
    (256, 34),
    (160, 30),
    (96, 25),
];

/// Lengths of a picture that is larger than a still, before the sizes of [`STEPS`].
const LARGE_SIDES: [u32; 6] = [3072, 2048, 1536, 1280, 1024, STILL_SIDE];

/// JPEG qualities at each length of such a picture, after those of [`STEPS`] as it was decoded.
///
/// Half of the pixels at the first of them show more than all at less than the last, and have fewer bytes.
const LARGE_QUALITIES: [u8; 3] = [50, 42, 35];

/// The steps for images whose longest side has so many pixels.
fn steps(longest: u32) -> Vec<(u32, u8)> {
    if longest <= STILL_SIDE {
        return STEPS.to_vec();
    }
    let (as_decoded, smaller): (Vec<_>, Vec<_>) =
        STEPS.iter().partition(|(side, _)| *side == AS_DECODED);
    // One that is hardly smaller, at a better quality, would be a larger file.
    let sides = LARGE_SIDES.iter().filter(|side| **side <= longest / 5 * 4);
    let larger = sides.flat_map(|side| LARGE_QUALITIES.map(|quality| (*side, quality)));
    let lower = LARGE_QUALITIES[1..].iter();
    let lower = lower.map(|quality| (AS_DECODED, *quality));
    as_decoded
        .into_iter()
        .chain(lower)
        .chain(larger)
        .chain(smaller)
        .collect()
}

/// Whether a frame of this size may be decoded: it has pixels, and at most [`MAX_PIXELS`].
pub(super) fn is_decodable(width: u32, height: u32) -> bool {
    let pixels = u64::from(width) * u64::from(height);
    (1..=MAX_PIXELS).contains(&pixels)
}

impl RgbImage {
    /// Scales the image down so that neither side is longer than `side`. Never enlarges it.
    pub(super) fn fit(self, side: u32, resizer: &mut Resizer) -> Option<Self> {
        let long = self.width.max(self.height);
        if long <= side {
            return Some(self);
        }
        let scaled = |length: u32| {
            let exact = u64::from(length) * u64::from(side);
            let rounded = (exact + u64::from(long) / 2) / u64::from(long);
            u32::try_from(rounded).unwrap_or(side).max(1)
        };
        let (width, height) = (scaled(self.width), scaled(self.height));
        let mut rgb = vec![0; width as usize * height as usize * 3];
        // Typed: an image of any type would compile the scaling of fourteen types, three megabytes.
        let from = TypedImageRef::<U8x3>::from_buffer(self.width, self.height, &self.rgb).ok()?;
        let mut to = TypedImage::from_buffer(width, height, &mut rgb).ok()?;
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        resizer.resize_typed(&from, &mut to, &options).ok()?;
        Some(Self { width, height, rgb })
    }

    /// Rotates the image clockwise.
    pub(super) fn rotate(self, rotation: Rotation) -> Self {
        let (pixels, _) = self.rgb.as_chunks::<3>();
        let row = self.width as usize;
        let column = |x: usize| pixels.iter().skip(x).step_by(row.max(1));
        let (width, height, rgb): (_, _, Vec<u8>) = match rotation {
            Rotation::None => return self,
            Rotation::Half => {
                let rgb = pixels.iter().rev().flatten();
                (self.width, self.height, rgb.copied().collect())
            }
            Rotation::Quarter => {
                let rgb = (0..row).flat_map(|x| column(x).rev()).flatten();
                (self.height, self.width, rgb.copied().collect())
            }
            Rotation::ThreeQuarters => {
                let rgb = (0..row).rev().flat_map(column).flatten();
                (self.height, self.width, rgb.copied().collect())
            }
        };
        Self { width, height, rgb }
    }

    fn encode_jpeg(&self, quality: u8) -> Option<Vec<u8>> {
        let (width, height) = (self.width.try_into().ok()?, self.height.try_into().ok()?);
        let mut jpeg = Vec::new();
        // Standard Huffman tables, not optimized ones: zune-jpeg 0.5 decodes those as a green image.
        let encoder = Encoder::new(&mut jpeg, quality);
        let coded = encoder.encode(&self.rgb, width, height, ColorType::Rgb);
        coded.is_ok().then_some(jpeg)
    }
}

/// Encodes all images by the same step, at most `bytes_each` on average.
/// `None`: no step is small enough.
pub(super) fn encode_jpegs(
    images: &[RgbImage],
    bytes_each: u32,
    resizer: &mut Resizer,
) -> Option<Vec<Vec<u8>>> {
    let budget = usize::try_from(bytes_each)
        .ok()?
        .saturating_mul(images.len());
    let sides = images.iter().map(|it| it.width.max(it.height));
    let all = steps(sides.max().unwrap_or_default());
    let mut best = None;
    let mut steps = &all[..];
    if let Some(((side, quality), smaller)) = steps.split_first()
        && is_ample(images, budget)
    {
        best = encode_within(images, *side, *quality, budget, resizer);
        steps = if best.is_some() { &[] } else { smaller };
    }
    // A binary search: encoding twelve images sixteen times would take seconds.
    while let Some((larger, [(side, quality), smaller @ ..])) =
        steps.split_at_checked(steps.len() / 2)
    {
        steps = match encode_within(images, *side, *quality, budget, resizer) {
            Some(jpegs) => {
                best = Some(jpegs);
                larger
            }
            None => smaller,
        };
    }
    best
}

/// Whether the first of [`STEPS`] is worth a try: few pictures have more than two bits a pixel in it.
fn is_ample(images: &[RgbImage], budget: usize) -> bool {
    let pixels = images.iter().map(|it| it.rgb.len() / 3);
    budget >= pixels.sum::<usize>() / 4
}

/// Encodes all images by one step. `None`: they exceed the budget.
fn encode_within(
    images: &[RgbImage],
    side: u32,
    quality: u8,
    budget: usize,
    resizer: &mut Resizer,
) -> Option<Vec<Vec<u8>>> {
    let mut left = budget;
    let mut jpegs = Vec::new();
    for image in images {
        let jpeg = if image.width.max(image.height) <= side {
            image.encode_jpeg(quality)?
        } else {
            image.clone().fit(side, resizer)?.encode_jpeg(quality)?
        };
        left = left.checked_sub(jpeg.len())?;
        jpegs.push(jpeg);
    }
    Some(jpegs)
}
