//! Parses the elements of a file as its bytes arrive, split anywhere.
//!
//! It enters Segment, Cluster, Tags and BlockGroup. Of other elements it buffers small ones that matter and the
//! beginning of blocks, and skips the rest. It stops at the first bytes that are no element: what follows those can't
//! be told from garbage.
//!
//! A little more than 300 lines: one state machine.

use std::time::Duration;

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::audio_track::AudioCollector;
use super::element::{Header, ParsedHeader};
use super::info::Info;
use super::open_elements::OpenElements;
use super::pending_block::PendingBlock;
use super::rules::{Action, Master, Parent};
use super::summary::SummaryBuilder;
use super::{block, rules};

#[derive(Debug)]
pub(super) struct Parser {
    /// Offset of the next byte.
    offset: u64,
    /// Offset behind the last complete element.
    complete: u64,
    state: State,
    /// The bytes for this state so far, and how many it needs.
    buffer: Vec<u8>,
    needed: u64,
    open: OpenElements,
    block: PendingBlock,
    summary: SummaryBuilder,
    /// Whether a Cluster follows on what can't be parsed.
    loses_clusters: bool,
}

/// The id of a Cluster, as it is encoded.
const CLUSTER: [u8; 4] = [0x1f, 0x43, 0xb6, 0x75];

/// What the next bytes are.
#[derive(Clone, Copy, Debug)]
enum State {
    Header,
    /// The body of an element that is buffered.
    Body(ElementSpan),
    /// The beginning of a block's body.
    Block(ElementSpan),
    Skip(ElementSpan),
    /// Another EBML document behind this one.
    NextDocument,
    /// Garbage.
    Stopped,
}

/// An element, and where it lies.
#[derive(Clone, Copy, Debug)]
struct ElementSpan {
    id: VInt64,
    offset: u64,
    body: u64,
    end: u64,
}

impl Parser {
    pub(super) fn new() -> Self {
        Self {
            offset: 0,
            complete: 0,
            state: State::Header,
            buffer: Vec::new(),
            needed: 1,
            open: OpenElements::default(),
            block: PendingBlock::default(),
            summary: SummaryBuilder::new(),
            loses_clusters: false,
        }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if let Some((header, rest)) = self.unsplit_header(bytes) {
                self.offset = self.offset.saturating_add(header.width as u64);
                bytes = rest;
                self.begin_element(header);
                continue;
            }
            let left = match self.state {
                State::Skip(span) => span.end - self.offset,
                State::NextDocument | State::Stopped => u64::MAX,
                _ => self.needed - self.buffer.len() as u64,
            };
            let length = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
            let (now, later) = bytes.split_at(length);
            bytes = later;
            self.offset = self.offset.saturating_add(length as u64);
            match self.state {
                State::Skip(span) if self.offset == span.end => self.end_element(span),
                State::Skip(_) => {}
                State::Stopped => self.look_for_cluster(now),
                State::NextDocument => self.complete = self.offset,
                State::Header | State::Body(_) | State::Block(_) => {
                    self.buffer.extend_from_slice(now);
                    if self.buffer.len() as u64 == self.needed {
                        self.handle_buffer();
                    }
                }
            }
        }
    }

    /// A header that needn't be buffered because it isn't split, as most aren't; and what follows it.
    fn unsplit_header<'a>(&self, bytes: &'a [u8]) -> Option<(Header, &'a [u8])> {
        let (State::Header, true) = (self.state, self.buffer.is_empty()) else {
            return None;
        };
        let ParsedHeader::Complete(header) = Header::read(bytes) else {
            return None;
        };
        Some((header, bytes.get(header.width..)?))
    }

    /// Makes it list the packets of an audio track.
    pub(super) fn collect_audio(&mut self, collector: AudioCollector) {
        self.summary.audio = Some(collector);
    }

    /// The time from the first frame to the latest one so far.
    pub(super) fn reached(&self) -> Duration {
        let (begin, latest) = (self.summary.begin(), self.summary.latest());
        Duration::from_nanos(latest.saturating_sub(begin))
    }

    /// Whether the last element is incomplete.
    /// Garbage behind the last element isn't one, unless a further Cluster follows: then it lies within a recording,
    /// and what follows is lost.
    pub(super) fn is_cut(&self) -> bool {
        match self.state {
            State::Stopped => self.loses_clusters,
            _ => self.complete < self.offset,
        }
    }

    /// Looks for the id of a Cluster in what can't be parsed.
    fn look_for_cluster(&mut self, bytes: &[u8]) {
        if self.loses_clusters {
            return;
        }
        self.buffer.extend_from_slice(bytes);
        self.loses_clusters = self.buffer.windows(CLUSTER.len()).any(|it| it == CLUSTER);
        // The id may be split between two pieces.
        let kept = self.buffer.len().saturating_sub(CLUSTER.len() - 1);
        self.buffer.drain(..kept);
    }

    /// What was found, the offset behind the last complete element, and the length of the file.
    pub(super) fn finish(self) -> (SummaryBuilder, u64, u64) {
        (self.summary, self.complete, self.offset)
    }

    /// Handles the buffer when it has as many bytes as needed.
    fn handle_buffer(&mut self) {
        match self.state {
            State::Header => match Header::read(&self.buffer) {
                ParsedHeader::Incomplete(needed) => self.needed = needed as u64,
                ParsedHeader::Invalid => self.state = State::Stopped,
                ParsedHeader::Complete(header) => self.begin_element(header),
            },
            State::Body(span) => {
                let body = std::mem::take(&mut self.buffer);
                self.read_body(span.id, body);
                self.end_element(span);
            }
            State::Block(span) => {
                let size = span.end - span.body;
                let needed = block::bytes_needed(&self.buffer, size);
                if needed > self.needed {
                    self.needed = needed;
                    return;
                }
                if block::repeats_headers(&self.buffer, span.id, size) {
                    self.state = State::Stopped;
                    return;
                }
                let (summary, bytes) = (&self.summary, &self.buffer);
                self.block
                    .set_frame(|| summary.read_block(span.offset, span.body, bytes, size));
                self.skip(span);
            }
            State::Skip(_) | State::NextDocument | State::Stopped => {}
        }
    }

    /// Decides what to do with the element of a header that was just read.
    fn begin_element(&mut self, header: Header) {
        let offset = self.offset - header.width as u64;
        while self.open.close_unsized(header.id) {
            self.complete = offset;
        }
        let end = header.size.map(|size| self.offset.saturating_add(size));
        let ends = end.zip(self.open.end());
        if ends.is_some_and(|(end, parent_end)| end > parent_end) {
            return self.stop_at(header);
        }
        let action = rules::action(self.open.parent(), header, &self.summary);
        match action {
            Action::Enter(master) => {
                let is_sized = end.is_some();
                let parent = Parent { master, is_sized };
                return self.enter(parent, offset, end);
            }
            Action::NextDocument => {
                self.state = State::NextDocument;
                self.complete = self.offset;
                return;
            }
            _ => {}
        }
        // Only Segment and Cluster may have an unknown size (RFC 9559, section 5.1), and those are entered.
        let Some(end) = end else {
            return self.stop_at(header);
        };
        let span = ElementSpan {
            id: header.id,
            offset,
            body: self.offset,
            end,
        };
        match action {
            Action::Buffer => self.read(State::Body(span), end - self.offset),
            Action::ReadBlock => {
                let needed = block::bytes_needed(&[], end - self.offset);
                self.read(State::Block(span), needed);
            }
            Action::Flatten => {
                self.read(State::Header, 1);
                self.close_ended();
            }
            Action::Stop => self.stop_at(header),
            Action::Skip | Action::Enter(_) | Action::NextDocument => self.skip(span),
        }
    }

    /// Stops behind the header of an element that can't be here.
    fn stop_at(&mut self, header: Header) {
        self.state = State::Stopped;
        // It has the header if that was split.
        self.buffer.clear();
        self.loses_clusters = header.id == mkv::Cluster::ID;
    }

    fn enter(&mut self, parent: Parent, offset: u64, end: Option<u64>) {
        match parent.master {
            Master::Segment => self.summary.segment = self.offset,
            Master::Cluster => self.summary.begin_cluster(offset, self.offset),
            Master::Tags => {}
            Master::BlockGroup => self.block.begin_group(offset),
        }
        self.open.push(parent, end);
        self.read(State::Header, 1);
        self.close_ended();
    }

    /// Reads the body of an element that was buffered.
    fn read_body(&mut self, id: VInt64, body: Vec<u8>) {
        match id {
            mkv::Ebml::ID => self.summary.ebml = Some(body),
            mkv::Info::ID => self.summary.info = Some(Info::new(body)),
            mkv::Tracks::ID => self.summary.read_tracks(body),
            mkv::SeekHead::ID => self.summary.read_seek_head(&body),
            mkv::TagName::ID => self.summary.read_tag_name(&body),
            mkv::Timestamp::ID => self.summary.read_cluster_timestamp(&body),
            mkv::ReferenceBlock::ID => self.block.set_reference(),
            mkv::BlockDuration::ID => self.block.read_duration(&body),
            _ => {}
        }
    }

    /// Handles the end of an element that wasn't entered.
    fn end_element(&mut self, span: ElementSpan) {
        match self.open.parent().map(|parent| parent.master) {
            None => self.complete = self.offset,
            Some(Master::Segment) => {
                if span.id == mkv::Cues::ID {
                    self.summary.add_cues(span.offset);
                }
                self.complete = self.offset;
            }
            Some(Master::Cluster) => {
                if span.id == mkv::SimpleBlock::ID {
                    let frame = self.block.take_simple_block();
                    self.summary.add_block(frame);
                }
                if self.summary.cluster_has_blocks() {
                    self.complete = self.offset;
                }
            }
            Some(Master::Tags | Master::BlockGroup) => {}
        }
        self.read(State::Header, 1);
        self.close_ended();
    }

    /// Closes the open elements that end here.
    fn close_ended(&mut self) {
        while let Some(master) = self.open.close_ended(self.offset) {
            if master == Master::BlockGroup {
                let frame = self.block.take_group();
                self.summary.add_block(frame);
            }
            self.complete = self.offset;
        }
    }

    fn skip(&mut self, span: ElementSpan) {
        if self.offset == span.end {
            self.end_element(span);
        } else {
            self.state = State::Skip(span);
        }
    }

    /// Goes on with `state`, which needs so many bytes.
    fn read(&mut self, state: State, needed: u64) {
        self.state = state;
        self.buffer.clear();
        self.needed = needed;
        if needed == 0 {
            self.handle_buffer();
        }
    }
}
