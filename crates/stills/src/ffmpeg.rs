//! The input and the command line of ffmpeg: coded pictures on its standard input, PPM images on its output.

use std::ffi::OsString;

use super::select::MAX_DECODED_PIXELS;
use super::{CodedGroup, MAX_PIXELS, Moment, annex_b};
use media::{Codec, VideoTrack};

/// Coded pictures in a format that one of ffmpeg's demuxers reads.
pub(super) struct Stream {
    /// The demuxer's name.
    pub format: &'static str,
    /// What ffmpeg knows a picture's position by, as its filter `select` names it.
    position: &'static str,
    /// How it is probed, as options with a space behind each.
    probing: &'static str,
    pub bytes: Vec<u8>,
}

/// Maximum size of one image that it writes: a square PPM.
pub(super) const fn max_image_bytes(side: u32) -> u64 {
    (side as u64).pow(2) * 3 + 64
}

/// Wraps coded pictures. `None`: they are malformed, or ffmpeg isn't used for them.
pub(super) fn stream(video: &VideoTrack, coded: &CodedGroup) -> Option<Stream> {
    let to_ivf = |fourcc, each, once| {
        Some(Stream {
            format: "ivf",
            // Its timestamp: what isn't shown has a position, too, and ffmpeg doesn't count it.
            position: "t",
            // The header says it all: probing would decode the keyframe once more.
            probing: "-nofind_stream_info ",
            bytes: ivf(fourcc, video, each, once, coded)?,
        })
    };
    let byte_stream = |format, bytes| Stream {
        format,
        position: "n",
        // How far pictures are reordered is found by decoding some.
        probing: "",
        bytes,
    };
    match video.codec {
        // Keyframes have their built-in decoder.
        Codec::Vp8 if coded.lengths.len() < 2 => None,
        Codec::Vp8 => to_ivf(b"VP80", &[], &[]),
        Codec::Vp9 => to_ivf(b"VP90", &[], &[]),
        Codec::Av1 => {
            /// Containers leave the temporal delimiter out (AV1 in ISO-BMFF, section 2.4).
            const TEMPORAL_DELIMITER: [u8; 2] = [0x12, 0];
            // The sequence header follows the first four bytes of `av1C`.
            let sequence = video.config.get(4..).unwrap_or_default();
            to_ivf(b"AV01", &TEMPORAL_DELIMITER, sequence)
        }
        Codec::H264 => Some(byte_stream(
            "h264",
            annex_b::h264(&video.config, &coded.bytes)?,
        )),
        Codec::H265 => Some(byte_stream(
            "hevc",
            annex_b::h265(&video.config, &coded.bytes)?,
        )),
        Codec::Other => None,
    }
}

/// An IVF file with a frame a second, `each` in front of all of them, and then `once` in the first one.
fn ivf(
    fourcc: &[u8; 4],
    video: &VideoTrack,
    each: &[u8],
    once: &[u8],
    coded: &CodedGroup,
) -> Option<Vec<u8>> {
    // Saturation does no harm: the decoder takes the size from the frame.
    let side = |length: u32| u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let mut bytes = Vec::with_capacity(64 + coded.bytes.len() + 16 * coded.lengths.len());
    bytes.extend(b"DKIF\0\0\x20\0");
    bytes.extend(fourcc);
    bytes.extend(side(video.width));
    bytes.extend(side(video.height));
    // A time base of one second; the number of frames, which nothing reads; unused.
    bytes.extend([1_u32, 1, 1, 0].map(u32::to_le_bytes).as_flattened());
    let mut rest = coded.bytes.as_slice();
    for (position, length) in (0_u64..).zip(&coded.lengths) {
        let picture;
        (picture, rest) = rest.split_at_checked(*length)?;
        let once = if position == 0 { once } else { &[] };
        let frame = [each, once, picture].concat();
        bytes.extend(u32::try_from(frame.len()).ok()?.to_le_bytes());
        bytes.extend(position.to_le_bytes());
        bytes.extend(frame);
    }
    Some(bytes)
}

/// The command line that decodes `stream` and writes the pictures of these moments in their order, scaled down to
/// at most `side` pixels.
///
/// It allows no file and no protocol but the pipes, bounds memory and pixels, and uses as few threads as it can.
pub(super) fn arguments(stream: &Stream, moments: &[Moment], side: u32) -> Vec<OsString> {
    const MAX_ALLOCATION: u64 = 256 << 20;
    let Stream {
        format,
        position,
        probing,
        ..
    } = stream;
    let wanted = moments.iter();
    // A packet may hold two pictures, with one timestamp.
    let wanted = wanted.map(|it| {
        format!(
            "eq({position},{})*(isnan(prev_selected_t)+gt(t,prev_selected_t))",
            it.position
        )
    });
    let wanted: Vec<String> = wanted.collect();
    let last = moments.last().map_or(0, |it| u64::from(it.position));
    // The container may have declared far fewer pixels than the frames have.
    let max_pixels = MAX_PIXELS.min(2 * MAX_DECODED_PIXELS / (last + 1));
    let strictness = match last {
        0 => "",
        // Positions must stay right. By default ffmpeg goes on behind damage with pictures missing, and drops a
        // picture when it finds a reordering delay larger than the one it had guessed.
        _ => "-xerror -err_detect explode -strict 1 ",
    };
    // A timestamp a second: whatever times the frames have, none is dropped or repeated.
    let filters = format!(
        "select='{}',scale=w='min({side},iw)':h='min({side},ih)':\
         force_original_aspect_ratio=decrease:flags=lanczos+accurate_rnd+full_chroma_int,\
         setpts=N/TB",
        wanted.join("+")
    );
    let line = format!(
        "-nostdin -hide_banner -loglevel quiet -max_alloc {MAX_ALLOCATION} -filter_threads 1 \
         -protocol_whitelist pipe -threads 1 -max_pixels {max_pixels} {strictness}{probing}-f {format} \
         -i pipe:0 -an -sn -dn -r 1 -frames:v {} -vf {filters} -threads 1 -c:v ppm -pix_fmt rgb24 -f image2pipe pipe:1",
        wanted.len()
    );
    line.split(' ').map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::Rotation;

    fn track(codec: Codec, config: &[u8]) -> VideoTrack {
        VideoTrack {
            codec,
            config: config.to_vec(),
            width: 320,
            height: 180,
            rotation: Rotation::None,
        }
    }

    fn group(pictures: &[&[u8]]) -> CodedGroup {
        CodedGroup {
            bytes: pictures.concat(),
            lengths: pictures.iter().map(|it| it.len()).collect(),
            moments: Vec::new(),
        }
    }

    #[test]
    fn an_ivf_file_names_its_codec_and_the_length_and_place_of_each_frame() {
        let video = track(Codec::Av1, &[0x81, 0, 0, 0, 0x0a, 1, 7]);
        let stream = stream(&video, &group(&[&[0x32, 1, 9], &[0x32, 0]])).expect("a stream");
        assert_eq!(stream.format, "ivf");
        assert_eq!(&stream.bytes[8..16], b"AV01\x40\x01\xb4\x00");
        let first = [
            8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12, 0, 0x0a, 1, 7, 0x32, 1, 9,
        ];
        // The sequence header stands in the first one alone.
        let second = [4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x12, 0, 0x32, 0];
        assert_eq!(stream.bytes[32..], [&first[..], &second].concat());
    }

    #[test]
    fn a_keyframe_of_vp8_is_left_to_the_built_in_decoder() {
        let video = track(Codec::Vp8, &[]);
        assert!(stream(&video, &group(&[b"key"])).is_none());
        let stream = stream(&video, &group(&[b"key", b"frame"])).expect("a stream");
        assert_eq!(stream.bytes.len(), 32 + 12 + 3 + 12 + 5);
    }
}
