//! From coded bytes to a picture. Runs in the child alone, and only once that has given up its rights.

use std::io::Cursor;

use image_webp::WebPDecoder;

use super::between::MOST_DECODED;
use super::image::{Picture, is_decodable};
use super::protocol::{Answer, Coding, Input};

/// Decodes what belongs together, and says for each picture that is wanted what became of it. Each is made `small` before the
/// next one comes.
pub(super) fn decode(
    coding: Coding,
    config: &[u8],
    input: &Input<Vec<u8>>,
    small: &mut dyn FnMut(Picture) -> Result<Picture, Answer>,
) -> Vec<Result<Picture, Answer>> {
    let Input { bytes, wanted } = input;
    let mut shown = Shown {
        wanted,
        kept: Vec::new(),
        count: 0,
        small,
    };
    let decoded = match coding {
        Coding::Vp8 => vp8(bytes).map(|picture| _ = shown.push(|| Ok(picture))),
        Coding::H264 => h264(config, bytes, &mut shown),
        Coding::Pixmap => pixmaps(bytes, &mut shown),
    };
    let mut kept = shown.kept;
    let rest = decoded.err().unwrap_or(Answer::Unreadable);
    kept.resize(wanted.len(), Err(rest));
    kept
}

/// The pictures in the order in which they are shown.
struct Shown<'a> {
    /// Of these places, rising.
    wanted: &'a [u32],
    /// What became of them, as far as they have come.
    kept: Vec<Result<Picture, Answer>>,
    /// How many have been shown.
    count: u32,
    small: &'a mut dyn FnMut(Picture) -> Result<Picture, Answer>,
}

impl Shown<'_> {
    /// The next one, which is made only if it is wanted. `true`: it was the last of those.
    fn push(&mut self, picture: impl FnOnce() -> Result<Picture, Answer>) -> bool {
        if self.wanted.get(self.kept.len()) == Some(&self.count) {
            self.kept.push(picture().and_then(&mut *self.small));
        }
        self.count += 1;
        self.kept.len() == self.wanted.len()
    }
}

/// A VP8 key frame, which is a WebP picture as soon as a RIFF header says so (RFC 9649, section 2.5).
fn vp8(frame: &[u8]) -> Result<Picture, Answer> {
    let (width, height) = vp8_size(frame).ok_or(Answer::Unreadable)?;
    if !is_decodable(width, height) {
        return Err(Answer::TooLarge);
    }
    let webp = webp(frame).ok_or(Answer::Unreadable)?;
    let mut decoder = WebPDecoder::new(Cursor::new(webp)).map_err(|_| Answer::Unreadable)?;
    let mut rgb = vec![0; decoder.output_buffer_size().ok_or(Answer::Unreadable)?];
    decoder
        .read_image(&mut rgb)
        .map_err(|_| Answer::Unreadable)?;
    Ok(Picture { width, height, rgb })
}

/// The size that a key frame states (RFC 6386, section 9.1). `None`: it isn't a key frame.
fn vp8_size(frame: &[u8]) -> Option<(u32, u32)> {
    let [tag, _, _, 0x9d, 0x01, 0x2a, size @ ..] = frame.first_chunk::<10>()? else {
        return None;
    };
    // The two upper bits say how a player should enlarge it.
    let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    let [w, idth, h, eight] = *size;
    (tag & 1 == 0).then(|| (side(w, idth), side(h, eight)))
}

fn webp(frame: &[u8]) -> Option<Vec<u8>> {
    /// A frame that is decoded and not shown is no WebP picture. The bit alone is what differs.
    const SHOW_FRAME: u8 = 0x10;
    let padding = frame.len() % 2;
    let size = u32::try_from(frame.len()).ok()?;
    let whole = u32::try_from(frame.len().checked_add(12 + padding)?).ok()?;
    let mut webp = b"RIFF".to_vec();
    webp.extend(whole.to_le_bytes());
    webp.extend(b"WEBPVP8 ");
    webp.extend(size.to_le_bytes());
    let (tag, rest) = frame.split_first()?;
    webp.push(tag | SHOW_FRAME);
    webp.extend(rest);
    webp.extend(std::iter::repeat_n(0, padding));
    Some(webp)
}

#[cfg(not(feature = "openh264"))]
fn h264(_avcc: &[u8], _coded: &[u8], _shown: &mut Shown<'_>) -> Result<(), Answer> {
    Err(Answer::Unreadable)
}

#[cfg(feature = "openh264")]
fn h264(avcc: &[u8], coded: &[u8], shown: &mut Shown<'_>) -> Result<(), Answer> {
    use h264_reader::nal::sps::{FrameMbsFlags, SeqParameterSet};
    use h264_reader::nal::{Nal, RefNal};
    use openh264::OpenH264API;
    use openh264::decoder::{DecodedYUV, Decoder, DecoderConfig, Flush};
    use openh264::formats::YUVSource;

    let stream = super::annex_b::h264(avcc, coded).ok_or(Answer::Unreadable)?;
    let mut pixels = 1;
    for unit in super::annex_b::units(&stream) {
        const SEQUENCE_PARAMETER_SET: u8 = 7;
        if unit.first().map(|header| header & 31) != Some(SEQUENCE_PARAMETER_SET) {
            continue;
        }
        let unit = RefNal::new(unit, &[], true);
        let set = SeqParameterSet::from_bits(unit.rbsp_bits()).map_err(|_| Answer::Unreadable)?;
        // Before cropping: that is what is allocated.
        let side = |macroblocks: u32| macroblocks.saturating_add(1).saturating_mul(16);
        let height =
            side(set.pic_height_in_map_units_minus1).saturating_mul(match set.frame_mbs_flags {
                FrameMbsFlags::Frames => 1,
                FrameMbsFlags::Fields { .. } => 2,
            });
        let width = side(set.pic_width_in_mbs_minus1);
        if !is_decodable(width, height) {
            return Err(Answer::TooLarge);
        }
        pixels = pixels.max(u64::from(width) * u64::from(height));
    }
    let picture = |decoded: &DecodedYUV<'_>| {
        let (columns, rows) = decoded.dimensions();
        let size = u32::try_from(columns).ok().zip(u32::try_from(rows).ok());
        let (width, height) = size.ok_or(Answer::Unreadable)?;
        if !is_decodable(width, height) {
            return Err(Answer::TooLarge);
        }
        let mut rgb = vec![0; columns * rows * 3];
        decoded.write_rgb8(&mut rgb);
        Ok(Picture { width, height, rgb })
    };
    // Else it would hand out pictures as they are decoded, and not as they are shown.
    let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
    let decoder = Decoder::with_api_config(OpenH264API::from_source(), config);
    let mut decoder = decoder.map_err(|_| Answer::Unreadable)?;
    for unit in super::annex_b::units(&stream) {
        let unit = [&[0, 0, 0, 1], unit].concat();
        match decoder.decode(&unit) {
            Ok(Some(decoded)) if shown.push(|| picture(&decoded)) => return Ok(()),
            // The container had claimed far fewer pixels.
            Ok(_) if u64::from(shown.count) * pixels > 2 * MOST_DECODED => {
                return Err(Answer::TooLarge);
            }
            Ok(_) => {}
            // What is shown from here on may be another picture than it should be.
            Err(_) if is_slice(&unit) => return Err(Answer::Unreadable),
            Err(_) => {}
        }
    }
    for decoded in decoder.flush_remaining().map_err(|_| Answer::Unreadable)? {
        shown.push(|| picture(&decoded));
    }
    Ok(())
}

/// Whether a unit holds a part of a picture: ITU-T H.264, table 7-1.
#[cfg(feature = "openh264")]
fn is_slice(unit: &[u8]) -> bool {
    unit.get(4)
        .is_some_and(|header| (1..=5).contains(&(header & 31)))
}

/// PPM pictures as ffmpeg writes them, one behind the other.
fn pixmaps(mut bytes: &[u8], shown: &mut Shown<'_>) -> Result<(), Answer> {
    while !bytes.is_empty() {
        let (picture, rest) = pixmap(bytes)?;
        bytes = rest;
        shown.push(|| Ok(picture));
    }
    Ok(())
}

/// The first of them, and what follows: `P6`, width, height and 255, white space between, then the pixels.
fn pixmap(bytes: &[u8]) -> Result<(Picture, &[u8]), Answer> {
    let mut fields = bytes.splitn(4, |byte| byte.is_ascii_whitespace());
    let magic = fields.next();
    let mut number = || {
        std::str::from_utf8(fields.next()?)
            .ok()?
            .parse::<u32>()
            .ok()
    };
    let (width, height) = number().zip(number()).ok_or(Answer::Unreadable)?;
    let rgb = fields.next().and_then(|rest| rest.strip_prefix(b"255\n"));
    let (Some(b"P6"), Some(rgb)) = (magic, rgb) else {
        return Err(Answer::Unreadable);
    };
    if !is_decodable(width, height) {
        return Err(Answer::TooLarge);
    }
    let length = usize::try_from(u64::from(width) * u64::from(height) * 3);
    let pixels = length.ok().and_then(|length| rgb.split_at_checked(length));
    let (rgb, rest) = pixels.ok_or(Answer::Unreadable)?;
    let rgb = rgb.to_vec();
    Ok((Picture { width, height, rgb }, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_vp8_frame_states_its_size_and_only_key_frames_do() {
        let mut frame = [0x10, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0xb4, 0x00];
        assert_eq!(vp8_size(&frame), Some((320, 180)));
        frame[0] |= 1;
        assert_eq!(vp8_size(&frame), None);
        assert_eq!(vp8_size(&frame[..9]), None);
    }

    /// Of what belongs together, the pictures in these places, whole.
    fn decoded<const N: usize>(
        coding: Coding,
        bytes: &[u8],
        wanted: [u32; N],
    ) -> [Result<Picture, Answer>; N] {
        let input = Input {
            bytes: bytes.to_vec(),
            wanted: wanted.to_vec(),
        };
        let decoded = decode(coding, &[], &input, &mut Ok);
        decoded.try_into().expect("a word about each")
    }

    #[test]
    fn a_frame_that_claims_too_many_pixels_is_not_decoded() {
        let frame = [0x10, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xff, 0x3f];
        assert_eq!(decoded(Coding::Vp8, &frame, [0]), [Err(Answer::TooLarge)]);
        let pixmap = b"P6\n9999 9999\n255\n";
        let refused = decoded(Coding::Pixmap, pixmap, [0]);
        assert_eq!(refused, [Err(Answer::TooLarge)]);
    }

    #[test]
    fn a_pixmap_has_exactly_its_pixels() {
        let [picture] = decoded(Coding::Pixmap, b"P6\n2 1\n255\n\n 5678", [0]);
        let picture = picture.expect("a picture");
        assert_eq!((picture.width, picture.height), (2, 1));
        assert_eq!(picture.rgb, b"\n 5678");
        for bad in [
            &b"P6\n2 1\n255\n12345"[..],
            b"P5\n2 1\n255\n123456",
            b"P6\n-2 1\n255\n",
            b"P6\n2",
            b"",
        ] {
            let refused = decoded(Coding::Pixmap, bad, [0]);
            assert_eq!(refused, [Err(Answer::Unreadable)]);
        }
    }

    #[test]
    fn of_several_pictures_those_are_taken_that_are_wanted() {
        let pixmap = |pixel: &[u8; 3]| [&b"P6\n1 1\n255\n"[..], pixel].concat();
        let film = [b"one", b"two", b"thr", b"fou"].map(pixmap).concat();
        let pixels = decoded(Coding::Pixmap, &film, [1, 3, 4]).map(|it| it.map(|it| it.rgb));
        let want = [
            Ok(b"two".to_vec()),
            Ok(b"fou".to_vec()),
            Err(Answer::Unreadable),
        ];
        assert_eq!(pixels, want);
        // What came before the damage is good.
        let cut = decoded(Coding::Pixmap, &film[..film.len() - 1], [2, 3]);
        assert!(matches!(cut, [Ok(_), Err(Answer::Unreadable)]), "{cut:?}");
    }

    proptest! {
        #[test]
        fn garbage_behind_a_key_frames_header_never_panics(
            tail in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut frame = vec![0x50, 1, 0, 0x9d, 1, 0x2a, 33, 0, 17, 0];
            frame.extend(tail);
            let _ = decoded(Coding::Vp8, &frame, [0]);
        }

        #[cfg(feature = "openh264")]
        #[test]
        fn garbage_between_start_codes_never_panics(
            tail in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut frame = vec![0, 0, 0, 1, 0x67];
            frame.extend(tail);
            let _ = decoded(Coding::H264, &frame, [0, 2]);
        }
    }
}
