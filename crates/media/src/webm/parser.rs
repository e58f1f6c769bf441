//! Walks a file's elements as its bytes arrive, however they are cut.
//!
//! Three kinds of elements are entered (Segment; Cluster or Tags; BlockGroup), small ones are taken whole,
//! of blocks the beginning, all else is passed over. Nothing is held but where the walk is. It ends at the
//! first bytes that make no sense: what comes later can't be told from noise.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::element::{Begun, Head, leaf};
use super::info::Info;
use super::recording::{Frame, Recording};
use super::rules::{Level, Verdict, is_top_level};
use super::{block, rules};

#[derive(Debug)]
pub(super) struct Walk {
    /// Where the next byte lies.
    at: u64,
    /// Where the last whole element ends.
    whole: u64,
    step: Step,
    /// What is gathered for this step, and how much it takes.
    gathered: Vec<u8>,
    wanted: u64,
    open: Vec<Open>,
    frame: Option<Frame>,
    group: Group,
    recording: Recording,
}

/// What the next bytes are.
#[derive(Clone, Copy, Debug)]
enum Step {
    Head,
    /// The body of an element that is taken whole.
    Body(Place),
    /// The beginning of a block's.
    Block(Place),
    /// Of no interest up to the element's end.
    Pass(Place),
    /// Another recording behind this one.
    Another,
    /// Nothing that makes sense.
    Junk,
}

/// An element: what it is, and where.
#[derive(Clone, Copy, Debug)]
struct Place {
    id: VInt64,
    at: u64,
    body: u64,
    end: u64,
}

/// An element that was entered.
#[derive(Clone, Copy, Debug)]
struct Open {
    level: Level,
    /// Its own, or of what it lies in.
    end: Option<u64>,
    /// Whether it said its own.
    sized: bool,
}

#[derive(Debug, Default)]
struct Group {
    at: u64,
    duration: Option<u64>,
    refers: bool,
}

impl Walk {
    pub(super) fn new() -> Self {
        Self {
            at: 0,
            whole: 0,
            step: Step::Head,
            gathered: Vec::new(),
            wanted: 1,
            open: Vec::new(),
            frame: None,
            group: Group::default(),
            recording: Recording::new(),
        }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if let Some((head, rest)) = self.head_at_hand(bytes) {
                self.at = self.at.saturating_add(head.width as u64);
                bytes = rest;
                self.begun(head);
                continue;
            }
            let wanted = match self.step {
                Step::Pass(place) => place.end - self.at,
                Step::Another | Step::Junk => u64::MAX,
                _ => self.wanted - self.gathered.len() as u64,
            };
            let length = usize::try_from(wanted).map_or(bytes.len(), |most| most.min(bytes.len()));
            let (now, later) = bytes.split_at(length);
            bytes = later;
            self.at = self.at.saturating_add(length as u64);
            match self.step {
                Step::Pass(place) if self.at == place.end => self.ended(place),
                Step::Pass(_) | Step::Junk => {}
                Step::Another => self.whole = self.at,
                Step::Head | Step::Body(_) | Step::Block(_) => {
                    self.gathered.extend_from_slice(now);
                    if self.gathered.len() as u64 == self.wanted {
                        self.gathered();
                    }
                }
            }
        }
    }

    /// A head that need not be gathered first, and what follows it: most are not cut.
    fn head_at_hand<'a>(&self, bytes: &'a [u8]) -> Option<(Head, &'a [u8])> {
        let (Step::Head, true) = (self.step, self.gathered.is_empty()) else {
            return None;
        };
        let Begun::Head(head) = Head::read(bytes) else {
            return None;
        };
        Some((head, bytes.get(head.width..)?))
    }

    /// Whether the last element lacks its end. What makes no sense behind the last one is none.
    pub(super) fn is_cut(&self) -> bool {
        self.whole < self.at && !matches!(self.step, Step::Junk)
    }

    /// What was found, where the last whole element ends, and where the file does.
    pub(super) fn finish(self) -> (Recording, u64, u64) {
        (self.recording, self.whole, self.at)
    }

    /// As much is there as was wanted.
    fn gathered(&mut self) {
        match self.step {
            Step::Head => match Head::read(&self.gathered) {
                Begun::Short(wanted) => self.wanted = wanted as u64,
                Begun::Junk => self.step = Step::Junk,
                Begun::Head(head) => self.begun(head),
            },
            Step::Body(place) => {
                let body = std::mem::take(&mut self.gathered);
                self.take(place.id, body);
                self.ended(place);
            }
            Step::Block(place) => {
                let size = place.end - place.body;
                let wanted = block::wanted(&self.gathered, size);
                if wanted > self.wanted {
                    self.wanted = wanted;
                    return;
                }
                if block::is_head_again(&self.gathered, place.id, size) {
                    self.step = Step::Junk;
                    return;
                }
                if self.frame.is_none() {
                    let bytes = &self.gathered;
                    self.frame = self.recording.frame(place.at, place.body, bytes, size);
                }
                self.pass(place);
            }
            Step::Pass(_) | Step::Another | Step::Junk => {}
        }
    }

    /// An element's head is there, and its body is next.
    fn begun(&mut self, head: Head) {
        let at = self.at - head.width as u64;
        self.close_before(head.id, at);
        let parent = self.open.last().and_then(|open| open.end);
        let end = head.size.map(|size| self.at.saturating_add(size));
        if end.zip(parent).is_some_and(|(end, parent)| end > parent) {
            self.step = Step::Junk;
            return;
        }
        let within = self.open.last().map(|open| (open.level, open.sized));
        let verdict = rules::verdict(within, head, &self.recording);
        match verdict {
            Verdict::Enter(level) => return self.enter(level, at, end.or(parent), end.is_some()),
            Verdict::Another => {
                self.step = Step::Another;
                self.whole = self.at;
                return;
            }
            _ => {}
        }
        // Only a Segment and a Cluster may leave their size open, and those are entered.
        let Some(end) = end else {
            self.step = Step::Junk;
            return;
        };
        let place = Place {
            id: head.id,
            at,
            body: self.at,
            end,
        };
        match verdict {
            Verdict::Take => {
                self.want(Step::Body(place), end - self.at);
            }
            Verdict::Block => {
                let wanted = block::wanted(&[], end - self.at);
                self.want(Step::Block(place), wanted);
            }
            Verdict::Flatten => {
                self.want(Step::Head, 1);
                self.close_ended();
            }
            Verdict::Junk => self.step = Step::Junk,
            Verdict::Pass | Verdict::Enter(_) | Verdict::Another => self.pass(place),
        }
    }

    /// A Cluster of unknown size ends before what belongs into a Segment, both before another file.
    fn close_before(&mut self, id: VInt64, at: u64) {
        let another = id == mkv::Ebml::ID || id == mkv::Segment::ID;
        while let Some(open) = self.open.last() {
            let ends = match open.level {
                Level::Segment => another,
                Level::Cluster => another || is_top_level(id),
                Level::Tags | Level::BlockGroup => false,
            };
            if open.sized || !ends {
                return;
            }
            self.open.pop();
            self.whole = at;
        }
    }

    fn enter(&mut self, level: Level, at: u64, end: Option<u64>, sized: bool) {
        match level {
            Level::Segment => self.recording.segment = self.at,
            Level::Cluster => self.recording.cluster(at, self.at),
            Level::Tags => {}
            Level::BlockGroup => {
                self.group = Group {
                    at,
                    ..Group::default()
                };
            }
        }
        self.open.push(Open { level, end, sized });
        self.want(Step::Head, 1);
        self.close_ended();
    }

    /// An element that was taken whole.
    fn take(&mut self, id: VInt64, body: Vec<u8>) {
        match id {
            mkv::Ebml::ID => self.recording.ebml = Some(body),
            mkv::Info::ID => self.recording.info = Some(Info::new(body)),
            mkv::Tracks::ID => self.recording.tracks(body),
            mkv::SeekHead::ID => self.recording.seek_head(&body),
            mkv::TagName::ID => self.recording.tag(&body),
            mkv::Timestamp::ID => self.recording.cluster_time(&body),
            mkv::ReferenceBlock::ID => self.group.refers = true,
            mkv::BlockDuration::ID => {
                let told = leaf(&body).map(|mkv::BlockDuration(ticks)| ticks);
                self.group.duration = told.filter(|ticks| *ticks > 0);
            }
            _ => {}
        }
    }

    /// The element's last byte was there.
    fn ended(&mut self, place: Place) {
        match self.open.last().map(|open| open.level) {
            None => self.whole = self.at,
            Some(Level::Segment) => {
                if place.id == mkv::Cues::ID {
                    self.recording.cues(place.at);
                }
                self.whole = self.at;
            }
            Some(Level::Cluster) => {
                if place.id == mkv::SimpleBlock::ID {
                    let frame = self.frame.take();
                    self.recording.add(frame);
                }
                if self.recording.cluster_begun() {
                    self.whole = self.at;
                }
            }
            Some(Level::Tags | Level::BlockGroup) => {}
        }
        self.want(Step::Head, 1);
        self.close_ended();
    }

    /// Leaves what ends here.
    fn close_ended(&mut self) {
        while let Some(open) = self.open.pop_if(|open| open.end == Some(self.at)) {
            if open.level == Level::BlockGroup {
                if let Some(frame) = &mut self.frame {
                    frame.at = self.group.at;
                    frame.keyframe = !self.group.refers;
                    frame.duration = self.group.duration;
                }
                let frame = self.frame.take();
                self.recording.add(frame);
            }
            self.whole = self.at;
        }
    }

    fn pass(&mut self, place: Place) {
        if self.at == place.end {
            self.ended(place);
        } else {
            self.step = Step::Pass(place);
        }
    }

    fn want(&mut self, step: Step, wanted: u64) {
        self.step = step;
        self.gathered.clear();
        self.wanted = wanted;
        if wanted == 0 {
            self.gathered();
        }
    }
}
