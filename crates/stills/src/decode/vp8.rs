//! VP8 key frames, decoded as WebP.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::Decoded;
use crate::image::{RgbImage, is_decodable};
use crate::protocol::DecodeError;

/// Decodes a VP8 key frame: with a RIFF header in front it is a WebP image (RFC 9649, section 2.5).
pub(super) fn decode(frame: &[u8]) -> Decoded {
    let (width, height) = frame_size(frame).ok_or(DecodeError::Undecodable)?;
    if !is_decodable(width, height) {
        return Err(DecodeError::TooLarge);
    }
    let webp = to_webp(frame).ok_or(DecodeError::Undecodable)?;
    let mut decoder = WebPDecoder::new(Cursor::new(webp)).map_err(|_| DecodeError::Undecodable)?;
    let size = decoder.output_buffer_size();
    let mut rgb = vec![0; size.ok_or(DecodeError::Undecodable)?];
    decoder
        .read_image(&mut rgb)
        .map_err(|_| DecodeError::Undecodable)?;
    Ok(RgbImage { width, height, rgb })
}

/// The size that a key frame states (RFC 6386, section 9.1). `None`: it isn't a key frame.
fn frame_size(frame: &[u8]) -> Option<(u32, u32)> {
    let [tag, _, _, 0x9d, 0x01, 0x2a, size @ ..] = frame.first_chunk::<10>()? else {
        return None;
    };
    // The two upper bits are the scale at which a player should show it.
    let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    let [width, width_high, height, height_high] = *size;
    (tag & 1 == 0).then(|| (side(width, width_high), side(height, height_high)))
}

fn to_webp(frame: &[u8]) -> Option<Vec<u8>> {
    /// WebP doesn't allow a frame that is decoded and not shown. Such a frame differs only by this bit.
    const SHOW_FRAME: u8 = 0x10;
    let padding = frame.len() % 2;
    let size = u32::try_from(frame.len()).ok()?;
    let riff_size = u32::try_from(frame.len().checked_add(12 + padding)?).ok()?;
    let mut webp = b"RIFF".to_vec();
    webp.extend(riff_size.to_le_bytes());
    webp.extend(b"WEBPVP8 ");
    webp.extend(size.to_le_bytes());
    let (tag, rest) = frame.split_first()?;
    webp.push(tag | SHOW_FRAME);
    webp.extend(rest);
    webp.extend(std::iter::repeat_n(0, padding));
    Some(webp)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decode::decode_positions;
    use crate::protocol::Format;

    #[test]
    fn only_a_key_frame_states_a_size() {
        let mut frame = [0x10, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0xb4, 0x00];
        assert_eq!(frame_size(&frame), Some((320, 180)));
        frame[0] |= 1;
        assert_eq!(frame_size(&frame), None);
        assert_eq!(frame_size(&frame[..9]), None);
    }

    proptest! {
        #[test]
        fn garbage_behind_a_key_frames_header_never_panics(
            tail in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut frame = vec![0x50, 1, 0, 0x9d, 1, 0x2a, 33, 0, 17, 0];
            frame.extend(tail);
            let _ = decode_positions(Format::Vp8, &frame, [0]);
        }
    }
}
