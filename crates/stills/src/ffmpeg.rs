//! The input and the command line of ffmpeg: coded frames on its standard input, PPM images on its output.

use std::ffi::OsString;

use super::select::MAX_DECODED_PIXELS;
use super::{MAX_PIXELS, Moment, annex_b};
use media::{Codec, VideoTrack};

/// Coded frames in a format that one of ffmpeg's demuxers reads.
pub(super) struct Stream {
    /// The demuxer's name.
    pub format: &'static str,
    pub bytes: Vec<u8>,
}

/// Maximum size of one image that it writes: a square PPM.
pub(super) const fn max_image_bytes(side: u32) -> u64 {
    (side as u64).pow(2) * 3 + 64
}

/// Wraps a coded frame. `None`: it is malformed, or ffmpeg isn't used for this codec.
pub(super) fn stream(video: &VideoTrack, frame: &[u8]) -> Option<Stream> {
    let (format, bytes) = match video.codec {
        Codec::Vp9 => ("ivf", ivf(b"VP90", video, &[frame])?),
        Codec::Av1 => {
            /// Containers leave the temporal delimiter out (AV1 in ISO-BMFF, section 2.4).
            const TEMPORAL_DELIMITER: [u8; 2] = [0x12, 0];
            // The sequence header follows the first four bytes of `av1C`.
            let sequence = video.config.get(4..).unwrap_or_default();
            (
                "ivf",
                ivf(b"AV01", video, &[&TEMPORAL_DELIMITER, sequence, frame])?,
            )
        }
        Codec::H264 => ("h264", annex_b::h264(&video.config, frame)?),
        Codec::H265 => ("hevc", annex_b::h265(&video.config, frame)?),
        // VP8 always has its built-in decoder.
        Codec::Vp8 | Codec::Other => return None,
    };
    Some(Stream { format, bytes })
}

/// An IVF file with one frame.
fn ivf(fourcc: &[u8; 4], video: &VideoTrack, frame: &[&[u8]]) -> Option<Vec<u8>> {
    let length = frame.iter().map(|it| it.len()).sum::<usize>();
    // Saturation does no harm: the decoder takes the size from the frame.
    let side = |length: u32| u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let mut bytes = Vec::with_capacity(44 + length);
    bytes.extend(b"DKIF\0\0\x20\0");
    bytes.extend(fourcc);
    bytes.extend(side(video.width));
    bytes.extend(side(video.height));
    // Time base of one second, one frame, unused.
    bytes.extend([1_u32, 1, 1, 0].map(u32::to_le_bytes).as_flattened());
    bytes.extend(u32::try_from(length).ok()?.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    frame.iter().for_each(|part| bytes.extend_from_slice(part));
    Some(bytes)
}

/// The command line that decodes `format` and writes the pictures of these moments in their order, scaled down to
/// at most `side` pixels.
///
/// It allows no file and no protocol but the pipes, bounds memory and pixels, and uses as few threads as it can.
pub(super) fn arguments(format: &str, moments: &[Moment], side: u32) -> Vec<OsString> {
    const MAX_ALLOCATION: u64 = 256 << 20;
    let wanted: Vec<String> = moments
        .iter()
        .map(|it| format!("eq(n,{})", it.position))
        .collect();
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
         -protocol_whitelist pipe -threads 1 -max_pixels {max_pixels} {strictness}-f {format} -i pipe:0 \
         -an -sn -dn -r 1 -frames:v {} -vf {filters} -threads 1 -c:v ppm -pix_fmt rgb24 -f image2pipe pipe:1",
        wanted.len()
    );
    line.split(' ').map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::Rotation;

    #[test]
    fn an_ivf_file_names_its_codec_and_the_length_of_its_frame() {
        let video = VideoTrack {
            codec: Codec::Av1,
            config: vec![0x81, 0, 0, 0, 0x0a, 1, 7],
            width: 320,
            height: 180,
            rotation: Rotation::None,
        };
        let stream = stream(&video, &[0x32, 1, 9]).expect("a stream");
        assert_eq!(stream.format, "ivf");
        assert_eq!(stream.bytes.len(), 32 + 12 + 8);
        assert_eq!(&stream.bytes[8..16], b"AV01\x40\x01\xb4\x00");
        assert_eq!(stream.bytes[32..36], [8, 0, 0, 0]);
        assert_eq!(stream.bytes[44..], [0x12, 0, 0x0a, 1, 7, 0x32, 1, 9]);
    }
}
