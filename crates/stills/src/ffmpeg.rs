//! What ffmpeg is given and asked for: coded frames on its standard input, pictures on its output.

use std::ffi::OsString;

use super::between::MOST_DECODED;
use super::{MOST_PIXELS, Moment, STILL_SIDE, annex_b};
use media::{Codec, VideoTrack};

/// Frames as one of ffmpeg's demuxers reads them.
pub(super) struct Stream {
    /// The demuxer's name.
    pub format: &'static str,
    pub bytes: Vec<u8>,
}

/// The most that it answers for each picture: a PPM picture of [`STILL_SIDE`] squared.
pub(super) const MOST_BYTES: u64 = STILL_SIDE as u64 * STILL_SIDE as u64 * 3 + 64;

/// Wraps a frame. `None`: it makes no sense, or ffmpeg isn't asked for this codec.
pub(super) fn stream(video: &VideoTrack, frame: &[u8]) -> Option<Stream> {
    let (format, bytes) = match video.codec {
        Codec::Vp9 => ("ivf", ivf(b"VP90", video, &[frame])?),
        Codec::Av1 => {
            /// Containers leave the temporal delimiter away (AV1 in ISO-BMFF, section 2.4).
            const TEMPORAL_DELIMITER: [u8; 2] = [0x12, 0];
            // Behind four bytes of `av1C` comes the sequence header.
            let sequence = video.config.get(4..).unwrap_or_default();
            (
                "ivf",
                ivf(b"AV01", video, &[&TEMPORAL_DELIMITER, sequence, frame])?,
            )
        }
        Codec::H264 => ("h264", annex_b::h264(&video.config, frame)?),
        Codec::H265 => ("hevc", annex_b::h265(&video.config, frame)?),
        // VP8 is decoded here, whatever ffmpeg there is.
        Codec::Vp8 | Codec::Other => return None,
    };
    Some(Stream { format, bytes })
}

/// An IVF file of one frame.
fn ivf(kind: &[u8; 4], video: &VideoTrack, frame: &[&[u8]]) -> Option<Vec<u8>> {
    let frame = frame.concat();
    // The decoder takes the size from the frame.
    let side = |length: u32| u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    let mut bytes = b"DKIF\0\0\x20\0".to_vec();
    bytes.extend(kind);
    bytes.extend(side(video.width));
    bytes.extend(side(video.height));
    // A frame a second, one frame, and a number that nobody uses.
    bytes.extend([1_u32, 1, 1, 0].map(u32::to_le_bytes).as_flattened());
    bytes.extend(u32::try_from(frame.len()).ok()?.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend(frame);
    Some(bytes)
}

/// Its command line: no file, no protocol but the pipes, bounded memory and pixels, as few threads as it can; of what is shown
/// these moments only, scaled down, one behind the other.
pub(super) fn arguments(format: &str, moments: &[Moment]) -> Vec<OsString> {
    const MOST_ALLOCATED: u64 = 256 << 20;
    let places: Vec<String> = moments
        .iter()
        .map(|it| format!("eq(n,{})", it.place))
        .collect();
    let last = moments.last().map_or(0, |it| u64::from(it.place));
    // The container may have claimed far fewer.
    let most_pixels = MOST_PIXELS.min(2 * MOST_DECODED / (last + 1));
    let strictly = match last {
        0 => "",
        // Behind damage it would show another picture than it should. And it would throw a picture away when it finds that
        // more of them are shown later than decoded than it had guessed.
        _ => "-xerror -err_detect explode -strict 1 ",
    };
    // A picture a second, so that none is left out and none comes twice, whatever times they have.
    let filters = format!(
        "select='{}',scale=w='min({STILL_SIDE},iw)':h='min({STILL_SIDE},ih)':\
         force_original_aspect_ratio=decrease:flags=lanczos+accurate_rnd+full_chroma_int,\
         setpts=N/TB",
        places.join("+")
    );
    let line = format!(
        "-nostdin -hide_banner -loglevel quiet -max_alloc {MOST_ALLOCATED} -filter_threads 1 \
         -protocol_whitelist pipe -threads 1 -max_pixels {most_pixels} {strictly}-f {format} -i pipe:0 \
         -an -sn -dn -r 1 -frames:v {} -vf {filters} -threads 1 -c:v ppm -pix_fmt rgb24 -f image2pipe pipe:1",
        places.len()
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
