//! Decodes coded bytes into images. Runs only in the worker process, inside its sandbox.

mod h264;
mod ppm;
mod vp8;
#[cfg(feature = "openh264")]
mod yuv;

use super::image::RgbImage;
use super::protocol::{DecodeError, Format, Input};

/// The result for one wanted picture.
pub(super) type Decoded = Result<RgbImage, DecodeError>;

/// Decodes what belongs together, and returns one result for each wanted picture.
///
/// `shrink` is applied to each picture before the next one is decoded, which bounds the memory.
pub(super) fn decode(
    format: Format,
    config: &[u8],
    input: &Input<Vec<u8>>,
    shrink: &mut dyn FnMut(RgbImage) -> Decoded,
) -> Vec<Decoded> {
    let Input { bytes, positions } = input;
    let mut output = Output {
        positions,
        results: Vec::new(),
        count: 0,
        shrink,
    };
    let decoded = match format {
        Format::Vp8 => vp8::decode(bytes).map(|image| _ = output.push(|| Ok(image))),
        Format::H264 => h264::decode(config, bytes, &mut output),
        Format::Ppm => ppm::decode(bytes, &mut output),
    };
    let mut results = output.results;
    let rest = decoded.err().unwrap_or(DecodeError::Undecodable);
    results.resize(positions.len(), Err(rest));
    results
}

/// Receives the pictures of an input in presentation order, and keeps the wanted ones.
struct Output<'a> {
    /// The wanted positions in presentation order, ascending.
    positions: &'a [u32],
    /// The results for the first of them.
    results: Vec<Decoded>,
    /// Number of pictures received so far.
    count: u32,
    shrink: &'a mut dyn FnMut(RgbImage) -> Decoded,
}

impl Output<'_> {
    /// Receives the next picture, and converts it only if it is wanted. `true`: no further one is wanted.
    fn push(&mut self, convert: impl FnOnce() -> Decoded) -> bool {
        if self.positions.get(self.results.len()) == Some(&self.count) {
            self.results.push(convert().and_then(&mut *self.shrink));
        }
        self.count += 1;
        self.results.len() == self.positions.len()
    }
}

/// Decodes an input and returns the pictures at these positions, in full size.
#[cfg(test)]
fn decode_positions<const N: usize>(
    format: Format,
    bytes: &[u8],
    positions: [u32; N],
) -> [Decoded; N] {
    let input = Input {
        bytes: bytes.to_vec(),
        positions: positions.to_vec(),
    };
    let results = decode(format, &[], &input, &mut Ok);
    results.try_into().expect("a result for each position")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_claims_too_many_pixels_is_not_decoded() {
        let frame = [0x10, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xff, 0x3f];
        let ppm = b"P6\n9999 9999\n255\n";
        for (format, bytes) in [(Format::Vp8, &frame[..]), (Format::Ppm, ppm)] {
            let refused = decode_positions(format, bytes, [0]);
            assert_eq!(refused, [Err(DecodeError::TooLarge)]);
        }
    }

    #[test]
    fn only_the_wanted_pictures_are_kept() {
        let ppm = |pixel: &[u8; 3]| [&b"P6\n1 1\n255\n"[..], pixel].concat();
        let pictures = [b"one", b"two", b"thr", b"fou"].map(ppm).concat();
        let results = decode_positions(Format::Ppm, &pictures, [1, 3, 4]);
        let want = [
            Ok(b"two".to_vec()),
            Ok(b"fou".to_vec()),
            Err(DecodeError::Undecodable),
        ];
        assert_eq!(results.map(|it| it.map(|image| image.rgb)), want);
        // Pictures before the damage are good.
        let cut = decode_positions(Format::Ppm, &pictures[..pictures.len() - 1], [2, 3]);
        let is_as_expected = matches!(cut, [Ok(_), Err(DecodeError::Undecodable)]);
        assert!(is_as_expected, "{cut:?}");
    }
}
