//! What is gathered from a recording while it goes by: little, however long it is.

use std::ops::Range;
use std::time::Duration;

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::block::Block;
use super::decimator::Thinned;
use super::element::{child, children, leaf, put_id};
use super::info::Info;
use super::opus;
use super::timeline::Timeline;
use super::tracks::{Track, Tracks};
use crate::facts::{Keyframe, MOST_KEYFRAMES};

/// SeekHeads name the Cues once. More is nonsense.
const MOST_CUES: usize = 8;

/// All positions count from the recording's first byte, all times are in nanoseconds unless they say ticks.
#[derive(Debug)]
pub(super) struct Recording {
    /// The body of the EBML header.
    pub ebml: Option<Vec<u8>>,
    pub info: Option<Info>,
    /// As recorded, and read.
    pub tracks: Option<(Vec<u8>, Tracks)>,
    /// Where the Segment's body begins: what its own positions count from.
    pub segment: u64,
    /// Where the first Cluster begins.
    pub clusters: Option<u64>,
    /// Whether the file says where it was filmed.
    pub located: bool,
    pub keyframes: Thinned<Keyframe>,
    pub cues: Thinned<Cue>,
    timelines: Vec<Timeline>,
    tick: u64,
    cluster: Cluster,
    /// Where there are Cues, and where SeekHeads say that there are some.
    cues_met: Vec<u64>,
    cues_named: Vec<u64>,
}

/// A cluster that can be shown from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    /// When its first keyframe is shown, in ticks.
    pub time: u64,
    /// Where it begins.
    pub cluster: u64,
    /// Where the keyframe's block begins within its body. 0: right there.
    pub block: u64,
}

#[derive(Debug, Default)]
struct Cluster {
    at: u64,
    body: u64,
    /// In ticks.
    time: u64,
    /// Whether a block was met in it.
    begun: bool,
    cued: bool,
}

/// A block, whose last byte has yet to come.
#[derive(Debug)]
pub(super) struct Frame {
    /// Where its element begins.
    pub at: u64,
    pub keyframe: bool,
    /// In ticks, of all frames of the block.
    pub duration: Option<u64>,
    track: u64,
    time: i16,
    /// Where the coded picture lies.
    bytes: Range<u64>,
    count: u64,
    opus: Option<u64>,
}

impl Recording {
    pub(super) fn new() -> Self {
        Self {
            ebml: None,
            info: None,
            tracks: None,
            segment: 0,
            clusters: None,
            located: false,
            keyframes: Thinned::new(MOST_KEYFRAMES),
            cues: Thinned::new(MOST_KEYFRAMES),
            timelines: Vec::new(),
            tick: 1,
            cluster: Cluster::default(),
            cues_met: Vec::new(),
            cues_named: Vec::new(),
        }
    }

    pub(super) fn tracks(&mut self, body: Vec<u8>) {
        let tracks = Tracks::read(&body);
        self.timelines = tracks.tracks.iter().map(|_| Timeline::default()).collect();
        self.tracks = Some((body, tracks));
    }

    pub(super) fn seek_head(&mut self, body: &[u8]) {
        let mut cues = Vec::new();
        put_id(mkv::Cues::ID, &mut cues);
        for (_, seek) in children(body).filter(|(id, _)| *id == mkv::Seek::ID) {
            let named = child(seek).is_some_and(|mkv::SeekId(id)| *id == *cues);
            let place = child(seek).map(|mkv::SeekPosition(place)| place);
            if let Some(place) = place.filter(|_| named && self.cues_named.len() < MOST_CUES) {
                self.cues_named.push(self.segment.saturating_add(place));
            }
        }
    }

    pub(super) fn cues(&mut self, at: u64) {
        if self.cues_met.len() < MOST_CUES {
            self.cues_met.push(at);
        }
    }

    /// Whether players find Cues: they come first, or are named.
    pub(super) fn has_cues(&self) -> bool {
        let early = |at: &u64| self.clusters.is_none_or(|clusters| *at < clusters);
        let mut met = self.cues_met.iter();
        met.any(|at| early(at) || self.cues_named.contains(at))
    }

    /// Matroska's tags (RFC 9559, section 5.1.8) have names of their own, and ffmpeg copies those of phones:
    /// `location`, `com.apple.quicktime.location.ISO6709`, `GPSLatitude`.
    pub(super) fn tag(&mut self, name: &[u8]) {
        let name = name.to_ascii_lowercase();
        let says = |word: &[u8]| name.windows(word.len()).any(|part| part == word);
        self.located |= says(b"location")
            || says(b"latitude")
            || says(b"longitude")
            || name.starts_with(b"gps")
            || name.starts_with(b"geo");
    }

    pub(super) fn cluster(&mut self, at: u64, body: u64) {
        if self.clusters.is_none() {
            self.clusters = Some(at);
            self.tick = self.info.get_or_insert_default().tick();
        }
        self.cluster = Cluster {
            at,
            body,
            ..Cluster::default()
        };
    }

    pub(super) fn cluster_time(&mut self, body: &[u8]) {
        if let Some(mkv::Timestamp(time)) = leaf(body) {
            self.cluster.time = time;
        }
    }

    /// Whether the Cluster has a block: without one it is not worth serving.
    pub(super) fn cluster_begun(&self) -> bool {
        self.cluster.begun
    }

    /// A block, with what is needed of its bytes; `None` if it is of no use.
    pub(super) fn frame(&self, at: u64, body: u64, bytes: &[u8], size: u64) -> Option<Frame> {
        let block = Block::read(bytes, size)?;
        let track = self.track(block.track)?;
        let opus = track.1.opus.then(|| {
            let durations = block.frames.iter().map(|frame| opus::duration(frame));
            durations.sum::<Option<u64>>()
        });
        Some(Frame {
            at,
            keyframe: block.keyframe,
            duration: None,
            track: block.track,
            time: block.time,
            bytes: body.saturating_add(block.first.start)..body.saturating_add(block.first.end),
            count: block.frames.len() as u64,
            opus: opus.flatten().filter(|duration| *duration > 0),
        })
    }

    /// A block, with or without a use, has come whole.
    pub(super) fn add(&mut self, frame: Option<Frame>) {
        self.cluster.begun = true;
        let Some(frame) = frame else { return };
        let Some((at, track)) = self.track(frame.track) else {
            return;
        };
        let duration = match (frame.duration, track.default_duration, frame.opus) {
            (Some(ticks), _, _) => Some(ticks.saturating_mul(self.tick)),
            (None, Some(each), _) => Some(each.saturating_mul(frame.count)),
            (None, None, opus) => opus,
        };
        // Before the beginning there is nothing.
        let ticks = self.cluster.time.saturating_add_signed(frame.time.into());
        let time = ticks.saturating_mul(self.tick);
        if let Some(timeline) = self.timelines.get_mut(at) {
            timeline.add(time, duration);
        }
        if frame.keyframe && !frame.bytes.is_empty() && self.is_picture(frame.track) {
            self.picture(&frame, ticks, time);
        }
    }

    fn picture(&mut self, frame: &Frame, ticks: u64, time: u64) {
        self.keyframes.push(Keyframe {
            at: Duration::from_nanos(time),
            bytes: frame.bytes.clone(),
        });
        if !std::mem::replace(&mut self.cluster.cued, true) {
            self.cues.push(Cue {
                time: ticks,
                cluster: self.cluster.at,
                block: frame.at.saturating_sub(self.cluster.body),
            });
        }
    }

    /// When the first frame of all tracks is shown or heard. Many writers count from when the camera was switched
    /// on, and no element of WebM moves what comes after it to the beginning.
    pub(super) fn begin(&self) -> u64 {
        let begins = self.timelines.iter().filter_map(Timeline::begin);
        begins.min().unwrap_or(0)
    }

    /// When the last frame of all tracks ends.
    pub(super) fn end(&self) -> u64 {
        let ends = self.timelines.iter().map(Timeline::end);
        ends.max().unwrap_or(0)
    }

    fn track(&self, number: u64) -> Option<(usize, &Track)> {
        let (_, tracks) = self.tracks.as_ref()?;
        let mut tracks = tracks.tracks.iter().enumerate();
        tracks.find(|(_, track)| track.number == number)
    }

    fn is_picture(&self, track: u64) -> bool {
        let video = self
            .tracks
            .as_ref()
            .and_then(|(_, tracks)| tracks.video.as_ref());
        video.is_some_and(|video| video.number == track)
    }
}
