//! The Tracks element: codec and size of the video, whether it is HDR, and the default duration of each track's frames.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::element::{children, decode_child, decode_leaf, find_child};
use crate::summary::{Codec, Rotation, VideoTrack, is_hdr_transfer};

/// Maximum number of tracks that are read. Recordings have two, films in many languages a few dozen.
pub(super) const MAX_TRACKS: usize = 64;

/// TrackType (RFC 9559, section 5.1.4.1.3).
const VIDEO: u64 = 1;
pub(super) const AUDIO: u64 = 2;

/// The video and audio tracks of a recording.
#[derive(Debug)]
pub(super) struct Tracks {
    pub tracks: Vec<Track>,
    /// The first video track.
    pub video: Option<Video>,
    pub has_audio: bool,
}

/// What is needed for the duration of a track's frames.
#[derive(Debug)]
pub(super) struct Track {
    pub number: u64,
    /// Of a frame, in nanoseconds.
    pub default_duration: Option<u64>,
    pub is_opus: bool,
}

/// A video track.
#[derive(Debug)]
pub(super) struct Video {
    pub number: u64,
    pub track: VideoTrack,
    /// Whether its transfer characteristics are of HDR.
    pub is_hdr: bool,
    /// Whether its frames are compressed once more, or encrypted, so that a decoder can't read their bytes.
    pub has_content_encodings: bool,
}

impl Tracks {
    /// Reads the element's body.
    pub(super) fn read(body: &[u8]) -> Self {
        let mut found = Self {
            tracks: Vec::new(),
            video: None,
            has_audio: false,
        };
        let entries = children(body).filter(|(id, _)| *id == mkv::TrackEntry::ID);
        for (_, entry) in entries.take(MAX_TRACKS) {
            let Some(mkv::TrackNumber(number)) = decode_child(entry) else {
                continue;
            };
            let track_type = decode_child(entry).map_or(0, |mkv::TrackType(it)| it);
            if track_type != VIDEO && track_type != AUDIO {
                continue;
            }
            if track_type == VIDEO && found.video.is_none() {
                found.video = Some(Video::read(number, entry));
            }
            found.has_audio |= track_type == AUDIO;
            found.tracks.push(Track {
                number,
                default_duration: decode_child(entry)
                    .map(|mkv::DefaultDuration(nanoseconds)| nanoseconds)
                    .filter(|nanoseconds| *nanoseconds > 0),
                is_opus: codec_id(entry) == "A_OPUS",
            });
        }
        found
    }
}

impl Video {
    fn read(number: u64, entry: &[u8]) -> Self {
        let video = find_child::<mkv::Video>(entry).unwrap_or_default();
        let private = find_child::<mkv::CodecPrivate>(entry).unwrap_or_default();
        let pixels = |count: u64| u32::try_from(count).unwrap_or_default();
        Self {
            number,
            track: VideoTrack {
                codec: codec(&codec_id(entry)),
                config: private.to_vec(),
                width: decode_child(video).map_or(0, |mkv::PixelWidth(width)| pixels(width)),
                height: decode_child(video).map_or(0, |mkv::PixelHeight(height)| pixels(height)),
                rotation: find_child::<mkv::Projection>(video).map_or(Rotation::None, rotation),
            },
            is_hdr: find_child::<mkv::Colour>(video)
                .and_then(decode_child)
                .is_some_and(|mkv::TransferCharacteristics(it)| is_hdr_transfer(it)),
            has_content_encodings: find_child::<mkv::ContentEncodings>(entry).is_some(),
        }
    }
}

pub(super) fn codec_id(entry: &[u8]) -> String {
    let id = find_child::<mkv::CodecId>(entry).and_then(decode_leaf);
    id.map_or_else(String::new, |mkv::CodecId(id)| id)
}

fn codec(id: &str) -> Codec {
    match id {
        "V_VP8" => Codec::Vp8,
        "V_VP9" => Codec::Vp9,
        "V_AV1" => Codec::Av1,
        "V_MPEG4/ISO/AVC" => Codec::H264,
        "V_MPEGH/ISO/HEVC" => Codec::H265,
        _ => Codec::Other,
    }
}

/// The rotation of a Projection element.
///
/// ProjectionPoseRoll is counter-clockwise (RFC 9559, section 5.1.4.1.28.46), [`Rotation`] clockwise.
fn rotation(projection: &[u8]) -> Rotation {
    let is_rectangular =
        decode_child(projection).is_none_or(|mkv::ProjectionType(projection)| projection == 0);
    let roll = decode_child(projection).map_or(0.0, |mkv::ProjectionPoseRoll(degrees)| degrees);
    let is_near = |degrees: f64| is_rectangular && (roll - degrees).abs() < 1.0;
    if is_near(-90.0) || is_near(270.0) {
        Rotation::Quarter
    } else if is_near(180.0) || is_near(-180.0) {
        Rotation::Half
    } else if is_near(90.0) || is_near(-270.0) {
        Rotation::ThreeQuarters
    } else {
        Rotation::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webm::tests::fixtures::{leaf, master};

    /// The entry of a video track: further children, and those of its Video element.
    fn video(rest: &[Vec<u8>], video: &[Vec<u8>]) -> Vec<u8> {
        let entry = [
            leaf(&mkv::TrackNumber(7)),
            leaf(&mkv::TrackType(VIDEO)),
            rest.concat(),
            master(mkv::Video::ID, video),
        ];
        master(mkv::TrackEntry::ID, &entry)
    }

    fn rotated(projection: &[Vec<u8>]) -> Rotation {
        let entry = video(&[], &[master(mkv::Projection::ID, projection)]);
        let video = Tracks::read(&entry).video.expect("a video track");
        video.track.rotation
    }

    #[test]
    fn a_codec_is_known_by_its_id() {
        for (id, want) in [
            ("V_VP8", Codec::Vp8),
            ("V_VP9", Codec::Vp9),
            ("V_AV1", Codec::Av1),
            ("V_MPEG4/ISO/AVC", Codec::H264),
            ("V_MPEGH/ISO/HEVC", Codec::H265),
            ("V_THEORA", Codec::Other),
        ] {
            assert_eq!(codec(id), want);
        }
    }

    #[test]
    fn the_first_video_track_counts() {
        let audio = [leaf(&mkv::TrackNumber(1)), leaf(&mkv::TrackType(AUDIO))];
        let h264 = [
            master(mkv::CodecId::ID, &[b"V_MPEG4/ISO/AVC".to_vec()]),
            master(mkv::CodecPrivate::ID, &[vec![1, 66, 192, 31]]),
            leaf(&mkv::DefaultDuration(40_000_000)),
        ];
        let pixels = [leaf(&mkv::PixelWidth(640)), leaf(&mkv::PixelHeight(480))];
        let body = [
            master(mkv::TrackEntry::ID, &audio),
            video(&h264, &pixels),
            video(&[], &[]),
        ];
        let tracks = Tracks::read(&body.concat());
        let video = tracks.video.expect("a video track");
        let want = VideoTrack {
            codec: Codec::H264,
            config: vec![1, 66, 192, 31],
            width: 640,
            height: 480,
            rotation: Rotation::None,
        };
        assert_eq!(
            (video.number, video.has_content_encodings, video.track),
            (7, false, want)
        );
        assert!(tracks.has_audio);
        let durations: Vec<_> = tracks
            .tracks
            .iter()
            .map(|track| track.default_duration)
            .collect();
        assert_eq!(durations, [None, Some(40_000_000), None]);
    }

    #[test]
    fn a_counter_clockwise_roll_becomes_a_clockwise_rotation() {
        for (roll, want) in [
            (0.0, Rotation::None),
            (-90.0, Rotation::Quarter),
            (180.0, Rotation::Half),
            (-180.0, Rotation::Half),
            (90.0, Rotation::ThreeQuarters),
            (270.0, Rotation::Quarter),
            (-270.0, Rotation::ThreeQuarters),
            (-89.0, Rotation::None),
            (45.0, Rotation::None),
            (f64::NAN, Rotation::None),
        ] {
            assert_eq!(
                rotated(&[leaf(&mkv::ProjectionPoseRoll(roll))]),
                want,
                "{roll}"
            );
        }
        let sphere = [
            leaf(&mkv::ProjectionType(1)),
            leaf(&mkv::ProjectionPoseRoll(90.0)),
        ];
        assert_eq!(rotated(&sphere), Rotation::None);
    }

    #[test]
    fn pictures_are_hdr_by_their_transfer_characteristics() {
        let is_hdr = |children: &[Vec<u8>]| {
            let video = Tracks::read(&video(&[], children)).video;
            video.expect("a video track").is_hdr
        };
        for (transfer, want) in [(1, false), (2, false), (14, false), (16, true), (18, true)] {
            let colour = [leaf(&mkv::TransferCharacteristics(transfer))];
            let colour = master(mkv::Colour::ID, &colour);
            assert_eq!(is_hdr(&[colour]), want, "{transfer}");
        }
        assert!(!is_hdr(&[]) && !is_hdr(&[master(mkv::Colour::ID, &[])]));
    }

    #[test]
    fn compressed_frames_are_recognized() {
        let body = video(&[master(mkv::ContentEncodings::ID, &[])], &[]);
        assert!(
            Tracks::read(&body)
                .video
                .is_some_and(|video| video.has_content_encodings)
        );
    }

    #[test]
    fn tracks_beyond_the_maximum_are_ignored() {
        let body = video(&[], &[]).repeat(5000);
        assert_eq!(Tracks::read(&body).tracks.len(), MAX_TRACKS);
    }
}
