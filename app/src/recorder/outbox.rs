//! What is recorded and not yet safe. Pure: pieces are opaque, only their lengths count.

use std::ops::Range;

/// How long bytes wait for more before they are sent, from when the first of them was kept, in milliseconds. They lie
/// in the browser's own store meanwhile: as many requests as this allows are enough, and each costs the server an
/// object and a commit.
const GATHER_MS: f64 = 2000.0;

/// When bytes were kept that could not be: only the server can have them, so they don't wait.
pub const NOT_KEPT: f64 = f64::NEG_INFINITY;

/// So many don't wait.
const GATHERED: u64 = 1 << 20;

/// How long nothing waits once there is a hurry, in milliseconds: as long as a recorder takes to hand out what it has.
const HURRY_MS: f64 = 1000.0;

/// Bytes a request carries at first. Small enough to show progress, large enough to be worth a request.
const FIRST_PART: u64 = 1 << 20;

/// And at most, on a line that keeps up: fewer round trips to work off what is waiting.
const LARGEST_PART: u64 = 4 << 20;

/// How long a part should take, in milliseconds.
const PART_MS: f64 = 5000.0;

/// And at least, on one that doesn't: 30 s are enough for it at 35 kbit/s.
const SMALLEST_PART: u64 = 128 << 10;

/// A take, in order, and how much of it is safe. What is safe stays here: the server may lose it.
#[derive(Debug)]
pub struct Outbox<P> {
    held: Vec<Held<P>>,
    /// How many of those are safe.
    safe: usize,
    recorded: u64,
    recorded_ms: u32,
    committed: u64,
    committed_ms: u32,
    part: u64,
    hurried_until: f64,
    ended: bool,
    complete: bool,
}

#[derive(Debug)]
struct Held<P> {
    piece: P,
    at: Range<u64>,
    until_ms: u32,
    kept_at: f64,
}

/// What to send next.
#[derive(Debug, PartialEq, Eq)]
pub struct Part<P> {
    /// Where in the take it begins.
    pub offset: u64,
    /// Pieces, and which bytes of each.
    pub slices: Vec<(P, Range<u64>)>,
    /// Whether the take is complete with it.
    pub last: bool,
}

impl<P> Default for Outbox<P> {
    fn default() -> Self {
        Self {
            held: Vec::new(),
            safe: 0,
            recorded: 0,
            recorded_ms: 0,
            committed: 0,
            committed_ms: 0,
            part: FIRST_PART,
            hurried_until: f64::NEG_INFINITY,
            ended: false,
            complete: false,
        }
    }
}

impl<P: Clone> Outbox<P> {
    /// Of a take whose first bytes are safe, and not here any more.
    pub fn starting_at(released: u64) -> Self {
        Self {
            recorded: released,
            committed: released,
            ..Self::default()
        }
    }

    /// The server has more than what was kept here: the rest was lost, and what it has is all there is.
    pub fn catch_up(&mut self, offset: u64) {
        self.recorded = self.recorded.max(offset);
    }

    /// The recorder handed out a piece of this many bytes, which ends that far into the take, and was kept at this
    /// moment on the page's clock.
    pub fn push(&mut self, piece: P, length: u64, until_ms: u32, kept_at: f64) {
        self.recorded_ms = self.recorded_ms.max(until_ms);
        if length > 0 {
            let at = self.recorded..self.recorded + length;
            self.recorded = at.end;
            self.held.push(Held {
                piece,
                at,
                until_ms,
                kept_at,
            });
        }
    }

    /// The page may be gone soon, or nothing more may come for a while: from now on, for a moment, nothing waits.
    pub fn hurry(&mut self, now: f64) {
        self.hurried_until = now + HURRY_MS;
    }

    /// How long the next part should wait for more, in milliseconds. 0: not at all.
    pub fn gathers_for(&self, now: f64) -> u32 {
        let waiting = self.recorded - self.committed;
        let held = self.held.get(self.safe..).unwrap_or_default();
        let nothing = held.is_empty();
        if nothing || self.ended || waiting >= GATHERED || now <= self.hurried_until {
            return 0;
        }
        // Not only the first: one behind it may be kept nowhere.
        let kept = held.iter().map(|it| it.kept_at);
        let earliest = kept.fold(now, f64::min);
        let left = (earliest + GATHER_MS - now).clamp(0.0, GATHER_MS);
        // Rounded up: a timer that rings too early would have to ring again.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped above"
        )]
        let left = left.ceil() as u32;
        left
    }

    /// The recorder will hand out nothing more.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// How long it is.
    pub fn recorded_ms(&self) -> u32 {
        self.recorded_ms
    }

    /// How many bytes were recorded.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// How many bytes are safe.
    pub fn committed(&self) -> u64 {
        self.committed
    }

    /// How much of the take these are, in time: whole pieces, so never more than is true.
    pub fn committed_ms(&self) -> u32 {
        if self.committed == self.recorded {
            return self.recorded_ms;
        }
        self.committed_ms
    }

    /// Whether the server has all of it, and knows that.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What to send now. `None`: nothing, until more is recorded.
    pub fn next(&self) -> Option<Part<P>> {
        let waiting = self.recorded - self.committed;
        if self.complete || (waiting == 0 && !self.ended) {
            return None;
        }
        let end = self.recorded.min(self.committed + self.part);
        let slices = self.held.iter().skip(self.safe).filter_map(|held| {
            let from = held.at.start.max(self.committed);
            let to = held.at.end.min(end);
            let range = from.checked_sub(held.at.start)?..to.checked_sub(held.at.start)?;
            (!range.is_empty()).then(|| (held.piece.clone(), range))
        });
        Some(Part {
            offset: self.committed,
            slices: slices.collect(),
            last: self.ended && end == self.recorded,
        })
    }

    /// Whether there was more to send than fits into this part: only then does the time it takes tell of the line,
    /// and not of the recorder.
    pub fn is_full(&self, part: &Part<P>) -> bool {
        let lengths = part.slices.iter().map(|(_, range)| range.end - range.start);
        lengths.sum::<u64>() >= self.part
    }

    /// A part of so many bytes, as many as it may have, arrived in one go and took so long: the next one may have as
    /// many as a few seconds carry. A part that takes longer than a request may is sent again, and again.
    pub fn grow(&mut self, bytes: u64, took_ms: f64) {
        // A few megabytes.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let carried = (bytes as f64 / took_ms.max(1.0) * PART_MS) as u64;
        self.part = carried.clamp(SMALLEST_PART, LARGEST_PART.min(self.part * 2));
    }

    /// A part failed, perhaps because it took too long: the next one is smaller.
    pub fn shrink(&mut self) {
        self.part = (self.part / 2).max(SMALLEST_PART);
    }

    /// The server says how much it has. `false`: that can't be this recording, because it has more than
    /// was recorded, or lost what it called safe.
    pub fn settle(&mut self, offset: u64, complete: bool) -> bool {
        if offset < self.committed || offset > self.recorded {
            return false;
        }
        if complete && !(self.ended && offset == self.recorded) {
            return false;
        }
        self.committed = offset;
        self.complete = complete;
        while let Some(held) = self.held.get(self.safe).filter(|it| it.at.end <= offset) {
            self.committed_ms = held.until_ms;
            self.safe += 1;
        }
        true
    }

    /// The server has lost the take: all of it is to be sent once more. `false`: not all of it is here.
    pub fn begin_anew(&mut self) -> bool {
        let here = self.held.iter().map(|it| it.at.end - it.at.start);
        if here.sum::<u64>() != self.recorded {
            return false;
        }
        (self.safe, self.committed, self.committed_ms) = (0, 0, 0);
        self.complete = false;
        true
    }

    /// What it begins with.
    pub fn first(&self) -> Option<&P> {
        self.held.first().map(|it| &it.piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox(lengths: &[u64]) -> Outbox<usize> {
        let mut outbox = Outbox::default();
        for (piece, length) in lengths.iter().enumerate() {
            let number = u32::try_from(piece).expect("few pieces") + 1;
            outbox.push(piece, *length, number * 1000, 0.0);
        }
        outbox
    }

    #[test]
    fn it_goes_on_in_the_middle_of_a_piece() {
        let mut outbox = outbox(&[10, 10]);
        assert!(outbox.settle(7, false));
        let slices = vec![(0, 7..10), (1, 0..10)];
        assert_eq!(
            outbox.next(),
            Some(Part {
                offset: 7,
                slices,
                last: false
            })
        );
    }

    #[test]
    fn what_is_safe_is_never_said_to_be_more_than_it_is() {
        let mut outbox = outbox(&[10, 10, 10]);
        for (offset, want) in [(0, 0), (9, 0), (10, 1000), (29, 2000), (30, 3000)] {
            assert!(outbox.settle(offset, false));
            assert_eq!(outbox.committed_ms(), want, "{offset}");
        }
        outbox.push(3, 0, 3500, 0.0);
        assert_eq!(
            outbox.committed_ms(),
            3500,
            "what is silent is safe as well"
        );
    }

    #[test]
    fn what_the_server_has_and_nobody_else_any_more_is_still_a_take() {
        let mut outbox = outbox(&[10]);
        outbox.end();
        outbox.catch_up(25);
        assert!(outbox.settle(25, false));
        let rest = outbox
            .next()
            .map(|part| (part.offset, part.slices.len(), part.last));
        assert_eq!(rest, Some((25, 0, true)));
    }

    #[test]
    fn a_take_goes_on_behind_what_was_released() {
        let mut outbox = Outbox::starting_at(100);
        outbox.push(0, 10, 5000, 0.0);
        assert!(outbox.settle(104, false));
        let rest = outbox.next().map(|part| (part.offset, part.slices));
        assert_eq!(rest, Some((104, vec![(0, 4..10)])));
    }

    #[test]
    fn a_take_that_the_server_has_lost_is_sent_once_more() {
        let mut outbox = outbox(&[10, 10, 10]);
        outbox.end();
        assert!(outbox.settle(30, true));
        assert!(outbox.begin_anew());
        assert_eq!((outbox.committed(), outbox.committed_ms()), (0, 0));
        let slices = vec![(0, 0..10), (1, 0..10), (2, 0..10)];
        assert_eq!(
            outbox.next(),
            Some(Part {
                offset: 0,
                slices,
                last: true
            })
        );
        assert!(outbox.settle(30, true));
        assert!(outbox.is_complete());
    }

    #[test]
    fn a_take_that_is_not_all_here_is_not_sent_once_more() {
        let mut released = Outbox::starting_at(100);
        released.push(0, 10, 5000, 0.0);
        assert!(!released.begin_anew());
        let mut lost = outbox(&[10]);
        lost.catch_up(25);
        assert!(!lost.begin_anew());
    }

    #[test]
    fn it_waits_while_everything_recorded_is_safe() {
        let mut outbox = outbox(&[10]);
        assert!(outbox.settle(10, false));
        assert_eq!(outbox.next(), None);
        outbox.push(1, 5, 1500, 0.0);
        let slices = vec![(1, 0..5)];
        assert_eq!(
            outbox.next(),
            Some(Part {
                offset: 10,
                slices,
                last: false
            })
        );
    }

    #[test]
    fn the_end_is_told_even_when_no_byte_is_left_to_send() {
        let mut outbox = outbox(&[10]);
        assert!(outbox.settle(10, false));
        outbox.end();
        assert_eq!(
            outbox.next(),
            Some(Part {
                offset: 10,
                slices: vec![],
                last: true
            })
        );
        assert!(outbox.settle(10, true));
        assert_eq!(outbox.next(), None);
        assert!(outbox.is_complete());
    }

    /// Sends everything; how long each part was, and whether it was the last.
    fn drain(outbox: &mut Outbox<usize>, took_ms: impl Fn(u64) -> f64) -> Vec<(u64, bool)> {
        let mut sent = vec![];
        while let Some(part) = outbox.next() {
            let lengths = part.slices.iter().map(|(_, range)| range.end - range.start);
            let length = lengths.sum();
            sent.push((length, part.last));
            assert!(outbox.settle(part.offset + length, part.last));
            outbox.grow(length, took_ms(length));
        }
        sent
    }

    #[test]
    fn parts_grow_on_a_good_line_and_only_the_last_one_ends_the_take() {
        let mut outbox = outbox(&[FIRST_PART, LARGEST_PART, LARGEST_PART, 5]);
        outbox.end();
        let sent = drain(&mut outbox, |_| 100.0);
        let (one, four) = (FIRST_PART, LARGEST_PART);
        assert_eq!(
            sent,
            [
                (one, false),
                (2 * one, false),
                (four, false),
                (2 * one + 5, true)
            ]
        );
    }

    #[test]
    fn parts_of_a_slow_line_take_a_few_seconds() {
        // 0.9 Mbit/s.
        let took_ms = |bytes: u64| bytes as f64 * 8.0 / 900.0;
        let mut outbox = outbox(&[LARGEST_PART, LARGEST_PART]);
        outbox.end();
        let sent = drain(&mut outbox, took_ms);
        let slowest = sent.iter().skip(1).map(|(length, _)| took_ms(*length));
        assert!(slowest.fold(0.0, f64::max) <= PART_MS);
        assert!(sent.len() > 10, "{sent:?}");
    }

    #[test]
    fn parts_shrink_on_a_bad_line_but_never_to_nothing() {
        let mut outbox = outbox(&[LARGEST_PART]);
        (0..20).for_each(|_| outbox.shrink());
        outbox.end();
        assert_eq!(drain(&mut outbox, |_| 100.0)[0], (SMALLEST_PART, false));
    }

    /// Plays a recording that hands out a piece of this length every half second, on a line that takes so long for
    /// each request. Returns how many bytes each request carried, and checks that none waited for too long.
    fn requests_of_a_minute(length: u64, round_trip: f64) -> Vec<u64> {
        const HALF_SECOND: f64 = 500.0;
        let (mut outbox, mut requests) = (Outbox::default(), vec![]);
        let (mut piece, mut free_at) = (0, 0.0);
        // In steps of 50 ms.
        for step in 1..=1200 {
            let now = f64::from(step) * 50.0;
            if now >= f64::from(piece + 1) * HALF_SECOND {
                piece += 1;
                outbox.push(piece, length, piece * 500, now);
            }
            if now >= 60_000.0 {
                outbox.end();
            }
            if now < free_at || outbox.gathers_for(now) > 0 {
                continue;
            }
            let Some(part) = outbox.next() else { continue };
            let oldest = part
                .slices
                .first()
                .map(|(piece, _)| f64::from(*piece) * HALF_SECOND);
            let waited = now - oldest.unwrap_or(now);
            assert!(waited <= GATHER_MS + round_trip + 50.0, "{waited}");
            let bytes = part.slices.iter().map(|(_, range)| range.end - range.start);
            let bytes = bytes.sum();
            requests.push(bytes);
            assert!(outbox.settle(part.offset + bytes, part.last));
            outbox.grow(bytes, round_trip);
            free_at = now + round_trip;
        }
        requests
    }

    #[test]
    fn a_minute_of_recording_is_at_most_31_requests() {
        // 2.5 Mbit/s.
        let length = 156 << 10;
        for round_trip in [0.0, 50.0, 200.0, 1000.0] {
            let requests = requests_of_a_minute(length, round_trip);
            assert!(requests.len() <= 31, "{round_trip}: {}", requests.len());
            assert_eq!(requests.iter().sum::<u64>(), 120 * length);
        }
    }

    #[test]
    fn a_mebibyte_is_sent_as_soon_as_it_is_there() {
        assert_eq!(requests_of_a_minute(GATHERED, 0.0), [GATHERED; 120]);
        let mut outbox = Outbox::default();
        outbox.push(0, GATHERED - 1, 500, 0.0);
        assert!(outbox.gathers_for(500.0) > 0);
        outbox.push(1, 1, 1000, 500.0);
        assert_eq!(outbox.gathers_for(500.0), 0);
    }

    #[test]
    fn what_follows_a_request_is_gathered_anew() {
        let mut outbox = Outbox::default();
        outbox.push(0, 10, 500, 500.0);
        outbox.push(1, 10, 1000, 1000.0);
        assert_eq!(outbox.gathers_for(1000.0), 1500);
        assert!(outbox.settle(20, false));
        outbox.push(2, 10, 1500, 1500.0);
        assert_eq!(outbox.gathers_for(1500.0), 2000);
        // Half of a piece is as old as the whole of it.
        assert!(outbox.settle(25, false));
        assert_eq!(outbox.gathers_for(2500.0), 1000);
    }

    #[test]
    fn what_is_kept_nowhere_does_not_wait() {
        let mut outbox = Outbox::default();
        outbox.push(0, 10, 500, 500.0);
        outbox.push(1, 10, 1000, NOT_KEPT);
        assert_eq!(outbox.gathers_for(500.0), 0);
    }

    #[test]
    fn nothing_waits_at_the_end_or_in_a_hurry() {
        let mut outbox = Outbox::default();
        outbox.push(0, 10, 500, 500.0);
        assert!(outbox.gathers_for(600.0) > 0);
        outbox.hurry(600.0);
        assert_eq!(outbox.gathers_for(600.0), 0);
        // What the recorder still hands out then goes at once, too.
        assert!(outbox.settle(10, false));
        outbox.push(1, 10, 900, 900.0);
        assert_eq!(outbox.gathers_for(900.0), 0);
        assert!(outbox.settle(20, false));
        outbox.push(2, 10, 5000, 5000.0);
        assert!(outbox.gathers_for(5000.0) > 0);
        outbox.end();
        assert_eq!(outbox.gathers_for(5000.0), 0);
    }

    #[test]
    fn a_hurry_lasts_a_second() {
        let mut outbox = Outbox::default();
        outbox.push(0, 10, 500, 1500.0);
        outbox.hurry(600.0);
        assert_eq!(outbox.gathers_for(1600.0), 0);
        assert!(outbox.gathers_for(1601.0) > 0);
    }

    #[test]
    fn a_part_is_full_when_it_carries_as_much_as_it_may() {
        let mut outbox = outbox(&[FIRST_PART - 1]);
        let part = outbox.next().expect("a part");
        assert!(!outbox.is_full(&part));
        outbox.push(1, 1, 2000, 0.0);
        let part = outbox.next().expect("a part");
        assert!(outbox.is_full(&part));
        assert!(outbox.settle(10, false));
        let rest = outbox.next().expect("a part");
        assert!(!outbox.is_full(&rest), "only what isn't safe yet counts");
    }

    #[test]
    fn a_piece_without_bytes_only_makes_the_take_longer() {
        let mut outbox = outbox(&[0]);
        assert_eq!((outbox.recorded(), outbox.recorded_ms()), (0, 1000));
        assert_eq!((outbox.first(), outbox.next()), (None, None));
        assert_eq!(outbox.gathers_for(0.0), 0, "nothing waits");
        outbox.push(7, 10, 500, 0.0);
        assert_eq!((outbox.recorded(), outbox.recorded_ms()), (10, 1000));
        assert_eq!(outbox.first(), Some(&7));
    }

    #[test]
    fn a_server_that_contradicts_itself_is_not_believed() {
        let mut outbox = outbox(&[10]);
        assert!(outbox.settle(7, false));
        assert!(!outbox.settle(6, false), "it lost what it called safe");
        assert!(!outbox.settle(11, false), "it has what nobody recorded");
        assert!(!outbox.settle(10, true), "it is complete before the end");
        outbox.end();
        assert!(!outbox.settle(9, true), "it is complete without its end");
        assert!(!outbox.is_complete());
        assert_eq!(outbox.committed(), 7);
    }
}
