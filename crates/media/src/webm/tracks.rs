//! What Tracks says: which pictures there are, and how long a frame of each track is.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::element::{child, children, leaf};
use crate::facts::{Codec, Rotation, VideoTrack};

/// Recordings have two tracks, films with many languages a few dozen; further ones are not looked at.
const MOST_TRACKS: usize = 64;

/// TrackType: RFC 9559, section 5.1.4.1.3.
const VIDEO: u64 = 1;
const AUDIO: u64 = 2;

/// All tracks of a recording that are shown or heard.
#[derive(Debug)]
pub(super) struct Tracks {
    pub tracks: Vec<Track>,
    /// The first one with pictures.
    pub video: Option<Video>,
    pub audio: bool,
}

/// How one track counts its frames.
#[derive(Debug)]
pub(super) struct Track {
    pub number: u64,
    /// Of a frame, in nanoseconds.
    pub default_duration: Option<u64>,
    pub opus: bool,
}

/// The pictures.
#[derive(Debug)]
pub(super) struct Video {
    pub number: u64,
    pub track: VideoTrack,
    /// Frames are compressed once more, or encrypted: their bytes are not what a decoder takes.
    pub encoded: bool,
}

impl Tracks {
    /// From the element's body.
    pub(super) fn read(body: &[u8]) -> Self {
        let mut found = Self {
            tracks: Vec::new(),
            video: None,
            audio: false,
        };
        let entries = children(body).filter(|(id, _)| *id == mkv::TrackEntry::ID);
        for (_, entry) in entries.take(MOST_TRACKS) {
            let Some(mkv::TrackNumber(number)) = child(entry) else {
                continue;
            };
            let kind = child(entry).map_or(0, |mkv::TrackType(kind)| kind);
            if kind != VIDEO && kind != AUDIO {
                continue;
            }
            if kind == VIDEO && found.video.is_none() {
                found.video = Some(Video::read(number, entry));
            }
            found.audio |= kind == AUDIO;
            found.tracks.push(Track {
                number,
                default_duration: child(entry)
                    .map(|mkv::DefaultDuration(nanoseconds)| nanoseconds)
                    .filter(|nanoseconds| *nanoseconds > 0),
                opus: codec_id(entry) == "A_OPUS",
            });
        }
        found
    }
}

impl Video {
    fn read(number: u64, entry: &[u8]) -> Self {
        let picture = body_of::<mkv::Video>(entry).unwrap_or_default();
        let private = body_of::<mkv::CodecPrivate>(entry).unwrap_or_default();
        let pixels = |count: u64| u32::try_from(count).unwrap_or_default();
        Self {
            number,
            track: VideoTrack {
                codec: codec(&codec_id(entry)),
                config: private.to_vec(),
                width: child(picture).map_or(0, |mkv::PixelWidth(width)| pixels(width)),
                height: child(picture).map_or(0, |mkv::PixelHeight(height)| pixels(height)),
                rotation: body_of::<mkv::Projection>(picture).map_or(Rotation::None, rotation),
            },
            encoded: body_of::<mkv::ContentEncodings>(entry).is_some(),
        }
    }
}

fn body_of<T: Element>(master: &[u8]) -> Option<&[u8]> {
    let (_, body) = children(master).find(|(id, _)| *id == T::ID)?;
    Some(body)
}

fn codec_id(entry: &[u8]) -> String {
    let id = body_of::<mkv::CodecId>(entry).and_then(leaf);
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

/// ProjectionPoseRoll counts against the clock (RFC 9559, section 5.1.4.1.28.46), [`Rotation`] with it.
fn rotation(projection: &[u8]) -> Rotation {
    let flat = child(projection).is_none_or(|mkv::ProjectionType(kind)| kind == 0);
    let roll = child(projection).map_or(0.0, |mkv::ProjectionPoseRoll(degrees)| degrees);
    let near = |degrees: f64| flat && (roll - degrees).abs() < 1.0;
    if near(-90.0) || near(270.0) {
        Rotation::Quarter
    } else if near(180.0) || near(-180.0) {
        Rotation::Half
    } else if near(90.0) || near(-270.0) {
        Rotation::ThreeQuarters
    } else {
        Rotation::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webm::sample::{leaf, master};

    /// The children of a track with pictures.
    fn video(rest: &[Vec<u8>], picture: &[Vec<u8>]) -> Vec<u8> {
        let entry = [
            leaf(&mkv::TrackNumber(7)),
            leaf(&mkv::TrackType(VIDEO)),
            rest.concat(),
            master(mkv::Video::ID, picture),
        ];
        master(mkv::TrackEntry::ID, &entry)
    }

    fn rotated(projection: &[Vec<u8>]) -> Rotation {
        let entry = video(&[], &[master(mkv::Projection::ID, projection)]);
        let video = Tracks::read(&entry).video.expect("a video track");
        video.track.rotation
    }

    #[test]
    fn a_codec_is_known_by_its_name() {
        for (name, want) in [
            ("V_VP8", Codec::Vp8),
            ("V_VP9", Codec::Vp9),
            ("V_AV1", Codec::Av1),
            ("V_MPEG4/ISO/AVC", Codec::H264),
            ("V_MPEGH/ISO/HEVC", Codec::H265),
            ("V_THEORA", Codec::Other),
        ] {
            assert_eq!(codec(name), want);
        }
    }

    #[test]
    fn the_first_track_with_pictures_counts() {
        let sound = [leaf(&mkv::TrackNumber(1)), leaf(&mkv::TrackType(AUDIO))];
        let h264 = [
            master(mkv::CodecId::ID, &[b"V_MPEG4/ISO/AVC".to_vec()]),
            master(mkv::CodecPrivate::ID, &[vec![1, 66, 192, 31]]),
            leaf(&mkv::DefaultDuration(40_000_000)),
        ];
        let pixels = [leaf(&mkv::PixelWidth(640)), leaf(&mkv::PixelHeight(480))];
        let body = [
            master(mkv::TrackEntry::ID, &sound),
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
        assert_eq!((video.number, video.encoded, video.track), (7, false, want));
        assert!(tracks.audio);
        let durations: Vec<_> = tracks
            .tracks
            .iter()
            .map(|track| track.default_duration)
            .collect();
        assert_eq!(durations, [None, Some(40_000_000), None]);
    }

    #[test]
    fn a_roll_against_the_clock_is_a_turn_with_it() {
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
    fn compressed_frames_are_not_what_a_decoder_takes() {
        let body = video(&[master(mkv::ContentEncodings::ID, &[])], &[]);
        assert!(Tracks::read(&body).video.is_some_and(|video| video.encoded));
    }

    #[test]
    fn thousands_of_tracks_are_not_kept() {
        let body = video(&[], &[]).repeat(5000);
        assert_eq!(Tracks::read(&body).tracks.len(), MOST_TRACKS);
    }
}
