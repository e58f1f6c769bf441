//! PPM images: what ffmpeg writes, one behind the other.

use super::Output;
use crate::image::{RgbImage, is_decodable};
use crate::protocol::DecodeError;

pub(super) fn decode(mut bytes: &[u8], output: &mut Output<'_>) -> Result<(), DecodeError> {
    while !bytes.is_empty() {
        let (image, rest) = read_image(bytes)?;
        bytes = rest;
        output.push(|| Ok(image));
    }
    Ok(())
}

/// Reads `P6`, width, height and 255 with white space between them, then the samples.
/// Returns what follows, too.
fn read_image(bytes: &[u8]) -> Result<(RgbImage, &[u8]), DecodeError> {
    let mut fields = bytes.splitn(4, |byte| byte.is_ascii_whitespace());
    let magic = fields.next();
    let mut number = || {
        std::str::from_utf8(fields.next()?)
            .ok()?
            .parse::<u32>()
            .ok()
    };
    let (width, height) = number().zip(number()).ok_or(DecodeError::Undecodable)?;
    let rgb = fields.next().and_then(|rest| rest.strip_prefix(b"255\n"));
    let (Some(b"P6"), Some(rgb)) = (magic, rgb) else {
        return Err(DecodeError::Undecodable);
    };
    if !is_decodable(width, height) {
        return Err(DecodeError::TooLarge);
    }
    let length = usize::try_from(u64::from(width) * u64::from(height) * 3);
    let samples = length.ok().and_then(|length| rgb.split_at_checked(length));
    let (rgb, rest) = samples.ok_or(DecodeError::Undecodable)?;
    let rgb = rgb.to_vec();
    Ok((RgbImage { width, height, rgb }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode_positions;
    use crate::protocol::Format;

    #[test]
    fn an_image_has_exactly_its_samples() {
        let [image] = decode_positions(Format::Ppm, b"P6\n2 1\n255\n\n 5678", [0]);
        let image = image.expect("an image");
        assert_eq!((image.width, image.height), (2, 1));
        assert_eq!(image.rgb, b"\n 5678");
        for bad in [
            &b"P6\n2 1\n255\n12345"[..],
            b"P5\n2 1\n255\n123456",
            b"P6\n-2 1\n255\n",
            b"P6\n2",
            b"",
        ] {
            let refused = decode_positions(Format::Ppm, bad, [0]);
            assert_eq!(refused, [Err(DecodeError::Undecodable)]);
        }
    }
}
