//! Decides whether a concurrent history has an order in which a sequential model could have answered like that.
//!
//! The search of Wing and Gong, "Testing and Verifying Concurrent Objects" (1993), which remembers what it has tried, as
//! Lowe proposed in "Testing for Linearizability" (2017).

use std::collections::HashSet;
use std::hash::Hash;
use std::time::Instant;

/// The longest history that is checked.
pub const MAX_OPERATIONS: usize = 64;

/// What is specified: one object whose calls come one after the other.
pub trait Model: Clone + Eq + Hash {
    type Call;
    type Answer;

    /// The states after a call that was answered thus, if this state permits that answer.
    /// Without an answer: after a call that had an effect.
    fn after(&self, call: &Self::Call, answer: Option<&Self::Answer>) -> Vec<Self>;
}

/// A call of a history.
#[derive(Debug)]
pub struct Operation<C, A> {
    pub call: C,
    pub sent: Instant,
    /// `None`: the connection broke off. The call may have had its effect at any time since, or never.
    pub answer: Option<(A, Instant)>,
}

/// Whether the history has such an order: every operation between its call and its answer.
pub fn is_linearizable<M: Model>(start: &M, history: &[Operation<M::Call, M::Answer>]) -> bool {
    assert!(
        history.len() <= MAX_OPERATIONS,
        "{} operations",
        history.len()
    );
    let answered = history.iter().enumerate();
    let answered = answered.filter(|(_, it)| it.answer.is_some());
    let all = answered.fold(0, |set, (n, _)| set | 1 << n);
    search(start, history, all, 0, &mut HashSet::new())
}

/// Whether the operations that aren't in `done` can follow in some order. `all`: those that must.
fn search<M: Model>(
    state: &M,
    history: &[Operation<M::Call, M::Answer>],
    all: u64,
    done: u64,
    tried: &mut HashSet<(u64, M)>,
) -> bool {
    if done & all == all {
        return true;
    }
    if !tried.insert((done, state.clone())) {
        return false;
    }
    let left = || {
        let left = history.iter().enumerate();
        left.filter(|(n, _)| done & 1 << n == 0)
    };
    let end = |it: &Operation<M::Call, M::Answer>| Some(it.answer.as_ref()?.1);
    let ended = left().filter_map(|(_, it)| end(it));
    let first_end = ended.min().expect("an answered operation is left");
    // An operation that began after another one had ended can't come before it.
    let mut next: Vec<_> = left().filter(|(_, it)| it.sent <= first_end).collect();
    // The likeliest order is that of the ends. One without an answer may come anywhere, and is tried when no other fits.
    next.sort_by_key(|(_, it)| (end(it).is_none(), end(it)));
    next.into_iter().any(|(n, it)| {
        let answer = it.answer.as_ref().map(|(answer, _)| answer);
        let states = state.after(&it.call, answer);
        states
            .iter()
            .any(|next| search(next, history, all, done | 1 << n, tried))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A register: `Some` writes, `None` reads.
    impl Model for u8 {
        type Call = Option<u8>;
        type Answer = u8;

        fn after(&self, call: &Option<u8>, answer: Option<&u8>) -> Vec<Self> {
            let value = call.unwrap_or(*self);
            let fits = call.is_some() || answer.is_none_or(|it| it == self);
            fits.then_some(value).into_iter().collect()
        }
    }

    /// A history of calls with the milliseconds of their beginning and end, and what was read.
    fn linearizable(history: &[(Option<u8>, u64, Option<u64>, u8)]) -> bool {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let history = history.iter().map(|&(call, sent, end, read)| Operation {
            call,
            sent: at(sent),
            answer: end.map(|end| (read, at(end))),
        });
        is_linearizable(&0, &history.collect::<Vec<_>>())
    }

    #[test]
    fn a_read_sees_what_was_written_before_it() {
        assert!(linearizable(&[
            (Some(1), 0, Some(1), 0),
            (None, 2, Some(3), 1)
        ]));
        assert!(!linearizable(&[
            (Some(1), 0, Some(1), 0),
            (None, 2, Some(3), 0)
        ]));
    }

    #[test]
    fn a_read_during_a_write_sees_either_value_but_not_the_old_one_again() {
        let write = (Some(1), 0, Some(10), 0);
        assert!(linearizable(&[
            write,
            (None, 1, Some(2), 0),
            (None, 3, Some(4), 1)
        ]));
        assert!(!linearizable(&[
            write,
            (None, 1, Some(2), 1),
            (None, 3, Some(4), 0)
        ]));
    }

    #[test]
    fn a_write_without_an_answer_takes_effect_late_or_never() {
        let write = (Some(1), 0, None, 0);
        assert!(linearizable(&[
            write,
            (None, 1, Some(2), 0),
            (None, 3, Some(4), 1)
        ]));
        assert!(linearizable(&[write, (None, 1, Some(2), 0)]));
        assert!(!linearizable(&[
            write,
            (None, 1, Some(2), 1),
            (None, 3, Some(4), 0)
        ]));
        // Not before it was sent.
        assert!(!linearizable(&[
            (None, 0, Some(1), 1),
            (Some(1), 2, None, 0)
        ]));
    }
}
