//! H.264, decoded by openh264 where that is built in.

use super::Output;
use crate::protocol::DecodeError;

/// Reads what the stream declares, as fuzz targets see into that and not into a decoder written in C++.
#[cfg(not(feature = "openh264"))]
pub(super) fn decode(
    avcc: &[u8],
    coded: &[u8],
    _output: &mut Output<'_>,
) -> Result<(), DecodeError> {
    let stream = crate::annex_b::h264(avcc, coded).ok_or(DecodeError::Undecodable)?;
    declared(&stream)?;
    Err(DecodeError::Undecodable)
}

/// Decodes pictures, length-prefixed or as a byte stream, until no further one is wanted.
#[cfg(feature = "openh264")]
pub(super) fn decode(
    avcc: &[u8],
    coded: &[u8],
    output: &mut Output<'_>,
) -> Result<(), DecodeError> {
    use openh264::OpenH264API;
    use openh264::decoder::{Decoder, DecoderConfig, Flush};

    use crate::annex_b::{self, nal_units};
    use crate::select::MAX_DECODED_PIXELS;

    let stream = annex_b::h264(avcc, coded).ok_or(DecodeError::Undecodable)?;
    let Declared { pixels, colors } = declared(&stream)?;
    // The default would hand out pictures in decoding order instead of presentation order.
    let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
    let decoder = Decoder::with_api_config(OpenH264API::from_source(), config);
    let mut decoder = decoder.map_err(|_| DecodeError::Undecodable)?;
    for unit in nal_units(&stream) {
        let unit = [&[0, 0, 0, 1], unit].concat();
        match decoder.decode(&unit) {
            Ok(Some(decoded)) if output.push(|| to_image(&decoded, colors)) => return Ok(()),
            // The container declared far fewer pixels than the parameter sets.
            Ok(_) if u64::from(output.count) * pixels > 2 * MAX_DECODED_PIXELS => {
                return Err(DecodeError::TooLarge);
            }
            Ok(_) => {}
            // Behind a damaged slice pictures may be missing, so positions can't be trusted.
            Err(_) if is_slice(&unit) => return Err(DecodeError::Undecodable),
            Err(_) => {}
        }
    }
    let rest = decoder.flush_remaining();
    for decoded in rest.map_err(|_| DecodeError::Undecodable)? {
        output.push(|| to_image(&decoded, colors));
    }
    Ok(())
}

/// What the sequence parameter sets of a stream declare.
struct Declared {
    /// The most pixels of any of them, before cropping: that is what is allocated.
    pixels: u64,
    /// The colours of the last one.
    colors: DeclaredColors,
}

/// `matrix_coefficients`, if they are there, and the range.
#[cfg_attr(
    not(feature = "openh264"),
    expect(dead_code, reason = "the decoder isn't built in")
)]
#[derive(Clone, Copy, Default)]
struct DeclaredColors {
    matrix: Option<u8>,
    is_full_range: bool,
}

fn declared(stream: &[u8]) -> Result<Declared, DecodeError> {
    use h264_reader::nal::sps::{FrameMbsFlags, SeqParameterSet};
    use h264_reader::nal::{Nal, RefNal};

    const SEQUENCE_PARAMETER_SET: u8 = 7;
    let mut declared = Declared {
        pixels: 1,
        colors: DeclaredColors::default(),
    };
    for unit in crate::annex_b::nal_units(stream) {
        if unit.first().map(|header| header & 31) != Some(SEQUENCE_PARAMETER_SET) {
            continue;
        }
        let unit = RefNal::new(unit, &[], true);
        let set = SeqParameterSet::from_bits(unit.rbsp_bits());
        let set = set.map_err(|_| DecodeError::Undecodable)?;
        let side = |macroblocks: u32| macroblocks.saturating_add(1).saturating_mul(16);
        let fields = match set.frame_mbs_flags {
            FrameMbsFlags::Frames => 1,
            FrameMbsFlags::Fields { .. } => 2,
        };
        let height = side(set.pic_height_in_map_units_minus1).saturating_mul(fields);
        let width = side(set.pic_width_in_mbs_minus1);
        if !crate::image::is_decodable(width, height) {
            return Err(DecodeError::TooLarge);
        }
        declared.pixels = declared.pixels.max(u64::from(width) * u64::from(height));
        let usability = set.vui_parameters.as_ref();
        let signal = usability.and_then(|it| it.video_signal_type.as_ref());
        let description = signal.and_then(|it| it.colour_description.as_ref());
        declared.colors = DeclaredColors {
            matrix: description.map(|it| it.matrix_coefficients),
            is_full_range: signal.is_some_and(|it| it.video_full_range_flag),
        };
    }
    Ok(declared)
}

#[cfg(feature = "openh264")]
fn to_image(decoded: &openh264::decoder::DecodedYUV<'_>, colors: DeclaredColors) -> super::Decoded {
    use openh264::formats::YUVSource;

    use super::yuv::{Colors, to_rgb};

    let (columns, rows) = decoded.dimensions();
    let size = u32::try_from(columns).ok().zip(u32::try_from(rows).ok());
    let (width, height) = size.ok_or(DecodeError::Undecodable)?;
    if !crate::image::is_decodable(width, height) {
        return Err(DecodeError::TooLarge);
    }
    let colors = Colors::new(colors.matrix, colors.is_full_range, height);
    let strides = decoded.strides();
    let planes = [
        (decoded.y(), strides.0),
        (decoded.u(), strides.1),
        (decoded.v(), strides.2),
    ];
    let rgb = to_rgb(planes, (columns, rows), colors);
    Ok(crate::image::RgbImage { width, height, rgb })
}

/// Whether a NAL unit, behind its start code, is a slice of a picture (ITU-T H.264, table 7-1).
#[cfg(feature = "openh264")]
fn is_slice(unit: &[u8]) -> bool {
    unit.get(4)
        .is_some_and(|header| (1..=5).contains(&(header & 31)))
}

#[cfg(all(test, feature = "openh264"))]
mod tests {
    use proptest::prelude::*;

    use crate::decode::decode_positions;
    use crate::protocol::Format;

    proptest! {
        #[test]
        fn garbage_between_start_codes_never_panics(
            tail in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut frame = vec![0, 0, 0, 1, 0x67];
            frame.extend(tail);
            let _ = decode_positions(Format::H264, &frame, [0, 2]);
        }
    }
}
