//! Collects what the summary and the index need, in bounded memory however long the recording is.
//!
//! A little more than 300 lines: all of it adds to the same few fields.

use std::ops::Range;
use std::time::Duration;

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::audio_track::AudioCollector;
use super::block::Block;
use super::decimator::Decimator;
use super::element::{children, decode_child, decode_leaf, write_id};
use super::info::Info;
use super::timeline::Timeline;
use super::tracks::{Track, Tracks, Video};
use crate::audio::opus_packet;
use crate::summary::{Codec, CodedPicture, Keyframe, MAX_KEYFRAMES, MAX_PICTURES};

/// Maximum number of Cues, found or named by a SeekHead, that are remembered. Regular files have one.
const MAX_CUES: usize = 8;

/// Offsets count from the first byte of the recording.
/// Times are in nanoseconds unless they are in ticks.
#[derive(Debug)]
pub(super) struct SummaryBuilder {
    /// Body of the EBML header.
    pub ebml: Option<Vec<u8>>,
    pub info: Option<Info>,
    /// Body of the Tracks element, as recorded and parsed.
    pub tracks: Option<(Vec<u8>, Tracks)>,
    /// Offset of the Segment's body, from which its own positions count.
    pub segment: u64,
    /// Offset of the first Cluster.
    pub clusters: Option<u64>,
    /// Whether a tag says where the recording was made.
    pub has_location: bool,
    pub keyframes: Decimator<Keyframe>,
    /// All pictures of the video in decoding order. `None`: there are too many, or some can't be told
    /// apart.
    pub pictures: Option<Vec<CodedPicture>>,
    pub cues: Decimator<Cue>,
    /// Lists the packets of an audio track. `None`: they aren't needed.
    pub audio: Option<AudioCollector>,
    /// In the order of the tracks.
    timelines: Vec<Timeline>,
    timestamp_scale: u64,
    cluster: Cluster,
    /// Offsets of the Cues that were found, and of those that a SeekHead names.
    found_cues: Vec<u64>,
    named_cues: Vec<u64>,
}

/// An entry of the index: a Cluster with a keyframe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    /// Timestamp of its first keyframe, in ticks.
    pub time: u64,
    /// Offset of the Cluster.
    pub cluster: u64,
    /// Offset of the keyframe's block from the beginning of the Cluster's body.
    pub block: u64,
}

/// The current Cluster.
#[derive(Debug, Default)]
struct Cluster {
    offset: u64,
    body: u64,
    /// In ticks.
    timestamp: u64,
    has_blocks: bool,
    has_cue: bool,
}

/// A block whose beginning was read.
#[derive(Debug)]
pub(super) struct Frame {
    /// Offset of its element.
    pub offset: u64,
    pub is_keyframe: bool,
    is_invisible: bool,
    /// The stated duration of all frames of the block, in ticks.
    pub duration: Option<u64>,
    track: u64,
    /// Relative to the Cluster's timestamp, in ticks.
    timestamp: i16,
    /// Where its coded bytes lie.
    bytes: Range<u64>,
    /// The number of frames.
    count: u64,
    /// Whether its BlockGroup has further blocks, which aren't read.
    pub has_more_blocks: bool,
    /// The duration of all frames by their Opus packets.
    opus_duration: Option<u64>,
    /// The sizes of all frames in bytes, of a block of the audio track whose packets are listed.
    sizes: Vec<u64>,
}

impl SummaryBuilder {
    pub(super) fn new() -> Self {
        Self {
            ebml: None,
            info: None,
            tracks: None,
            segment: 0,
            clusters: None,
            has_location: false,
            keyframes: Decimator::new(MAX_KEYFRAMES),
            pictures: Some(Vec::new()),
            cues: Decimator::new(MAX_KEYFRAMES),
            audio: None,
            timelines: Vec::new(),
            timestamp_scale: 1,
            cluster: Cluster::default(),
            found_cues: Vec::new(),
            named_cues: Vec::new(),
        }
    }

    pub(super) fn read_tracks(&mut self, body: Vec<u8>) {
        let tracks = Tracks::read(&body);
        if let Some(audio) = &mut self.audio {
            audio.choose_track(&body);
        }
        self.timelines = tracks.tracks.iter().map(|_| Timeline::default()).collect();
        self.tracks = Some((body, tracks));
    }

    pub(super) fn read_seek_head(&mut self, body: &[u8]) {
        let mut cues = Vec::new();
        write_id(mkv::Cues::ID, &mut cues);
        for (_, seek) in children(body).filter(|(id, _)| *id == mkv::Seek::ID) {
            let is_cues = decode_child(seek).is_some_and(|mkv::SeekId(id)| *id == *cues);
            let position = decode_child(seek).map(|mkv::SeekPosition(position)| position);
            let has_room = self.named_cues.len() < MAX_CUES;
            if let Some(position) = position.filter(|_| is_cues && has_room) {
                self.named_cues.push(self.segment.saturating_add(position));
            }
        }
    }

    pub(super) fn add_cues(&mut self, offset: u64) {
        if self.found_cues.len() < MAX_CUES {
            self.found_cues.push(offset);
        }
    }

    /// Whether players find the Cues: before the Clusters, or by a SeekHead.
    pub(super) fn has_findable_cues(&self) -> bool {
        let precedes_clusters =
            |offset: &u64| self.clusters.is_none_or(|clusters| *offset < clusters);
        let mut found = self.found_cues.iter();
        found.any(|offset| precedes_clusters(offset) || self.named_cues.contains(offset))
    }

    /// Recognizes the name of a tag with a location.
    ///
    /// Matroska has official ones (RFC 9559, section 5.1.8), and ffmpeg copies those of phones: `location`,
    /// `com.apple.quicktime.location.ISO6709`, `GPSLatitude`.
    pub(super) fn read_tag_name(&mut self, name: &[u8]) {
        let name = name.to_ascii_lowercase();
        let contains = |word: &[u8]| name.windows(word.len()).any(|part| part == word);
        self.has_location |= contains(b"location")
            || contains(b"latitude")
            || contains(b"longitude")
            || name.starts_with(b"gps")
            || name.starts_with(b"geo");
    }

    pub(super) fn begin_cluster(&mut self, offset: u64, body: u64) {
        if self.clusters.is_none() {
            self.clusters = Some(offset);
            self.timestamp_scale = self.info.get_or_insert_default().timestamp_scale();
        }
        self.cluster = Cluster {
            offset,
            body,
            ..Cluster::default()
        };
    }

    pub(super) fn read_cluster_timestamp(&mut self, body: &[u8]) {
        if let Some(mkv::Timestamp(timestamp)) = decode_leaf(body) {
            self.cluster.timestamp = timestamp;
        }
    }

    /// Whether the current Cluster has a block. Without one it isn't worth serving.
    pub(super) fn cluster_has_blocks(&self) -> bool {
        self.cluster.has_blocks
    }

    /// Reads the beginning of a block, of any track. `None`: it is malformed.
    pub(super) fn read_block(
        &self,
        offset: u64,
        body: u64,
        bytes: &[u8],
        size: u64,
    ) -> Option<Frame> {
        let block = Block::read(bytes, size)?;
        let is_opus = self.track(block.track).is_some_and(|(_, it)| it.is_opus);
        let opus_duration = is_opus.then(|| {
            let durations = block.frames.iter();
            let durations = durations.map(|packet| opus_packet::packet_duration(packet));
            durations.sum::<Option<u64>>()
        });
        let Range { start, end } = block.first_frame;
        let is_listed = |audio: &AudioCollector| audio.is_of(block.track);
        let sizes = match self.audio.as_ref().is_some_and(is_listed) {
            false => Vec::new(),
            // Of a block with a single frame only the beginning was read.
            true if block.frames.len() == 1 => vec![end - start],
            true => block.frames.iter().map(|it| it.len() as u64).collect(),
        };
        // Few writers set the flag. VP8 says it in its own first byte (RFC 6386, section 9.1).
        let is_hidden_vp8 = self.video().is_some_and(|it| {
            let first = block.frames.first().and_then(|frame| frame.first());
            it.number == block.track
                && it.track.codec == Codec::Vp8
                && first.is_some_and(|tag| tag & 0x10 == 0)
        });
        Some(Frame {
            offset,
            is_keyframe: block.is_keyframe,
            is_invisible: block.is_invisible || is_hidden_vp8,
            duration: None,
            track: block.track,
            timestamp: block.timestamp,
            bytes: body.saturating_add(start)..body.saturating_add(end),
            count: block.frames.len() as u64,
            has_more_blocks: false,
            opus_duration: opus_duration.flatten().filter(|duration| *duration > 0),
            sizes,
        })
    }

    /// Adds a complete block. `None`: one that couldn't be read.
    pub(super) fn add_block(&mut self, frame: Option<Frame>) {
        self.cluster.has_blocks = true;
        let Some(frame) = frame else {
            // Others may depend on it.
            self.pictures = None;
            return;
        };
        let Some((index, track)) = self.track(frame.track) else {
            // Of subtitles, for example.
            return;
        };
        let duration = match (frame.duration, track.default_duration, frame.opus_duration) {
            (Some(ticks), _, _) => Some(ticks.saturating_mul(self.timestamp_scale)),
            (None, Some(each), _) => Some(each.saturating_mul(frame.count)),
            (None, None, opus) => opus,
        };
        // A timestamp before 0 counts as 0.
        let ticks = self
            .cluster
            .timestamp
            .saturating_add_signed(frame.timestamp.into());
        let timestamp = ticks.saturating_mul(self.timestamp_scale);
        if let Some(timeline) = self.timelines.get_mut(index) {
            timeline.add(timestamp, duration);
        }
        if let Some(audio) = &mut self.audio {
            audio.add(timestamp, frame.bytes.start, &frame.sizes);
        }
        if !self.is_video(frame.track) {
            return;
        }
        self.add_picture(&frame, ticks, timestamp);
        if frame.is_keyframe && !frame.bytes.is_empty() {
            self.add_keyframe(&frame, ticks, timestamp);
        }
    }

    fn add_picture(&mut self, frame: &Frame, ticks: u64, timestamp: u64) {
        let Some(pictures) = &mut self.pictures else {
            return;
        };
        // Of a large lace no frame is known, of several blocks one.
        if frame.count != 1 || frame.has_more_blocks || pictures.len() >= MAX_PICTURES {
            self.pictures = None;
            return;
        }
        if frame.bytes.is_empty() {
            return;
        }
        pictures.push(CodedPicture {
            at: (!frame.is_invisible).then(|| Duration::from_nanos(timestamp)),
            composition_time: i64::try_from(ticks).unwrap_or(i64::MAX),
            bytes: frame.bytes.clone(),
            is_keyframe: frame.is_keyframe,
        });
    }

    fn add_keyframe(&mut self, frame: &Frame, ticks: u64, timestamp: u64) {
        self.keyframes.push(Keyframe {
            at: Duration::from_nanos(timestamp),
            bytes: frame.bytes.clone(),
        });
        if !std::mem::replace(&mut self.cluster.has_cue, true) {
            self.cues.push(Cue {
                time: ticks,
                cluster: self.cluster.offset,
                block: frame.offset.saturating_sub(self.cluster.body),
            });
        }
    }

    /// The timestamp of the first frame of all tracks.
    ///
    /// Many writers count from when the camera was switched on, and WebM has no element that would shift timestamps.
    pub(super) fn begin(&self) -> u64 {
        let begins = self.timelines.iter().filter_map(Timeline::begin);
        begins.min().unwrap_or(0)
    }

    /// The latest timestamp of all tracks.
    pub(super) fn latest(&self) -> u64 {
        let latest = self.timelines.iter().filter_map(Timeline::latest);
        latest.max().unwrap_or(0)
    }

    /// The end of the last frame of all tracks.
    pub(super) fn end(&self) -> u64 {
        let ends = self.timelines.iter().map(Timeline::end);
        ends.max().unwrap_or(0)
    }

    fn track(&self, number: u64) -> Option<(usize, &Track)> {
        let (_, tracks) = self.tracks.as_ref()?;
        let mut tracks = tracks.tracks.iter().enumerate();
        tracks.find(|(_, track)| track.number == number)
    }

    fn is_video(&self, track: u64) -> bool {
        self.video().is_some_and(|video| video.number == track)
    }

    fn video(&self) -> Option<&Video> {
        let (_, tracks) = self.tracks.as_ref()?;
        tracks.video.as_ref()
    }
}
