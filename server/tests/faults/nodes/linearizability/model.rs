//! A request and its takes, as one server would answer whose calls come one after the other.

use super::checker::Model;

/// Bytes that an append adds.
/// All of them are its number, so that a video tells whose bytes it has, in which order.
pub const PIECE_BYTES: usize = 4;

/// The most takes of a request, fewer than the server allows.
pub const MAX_TAKES: usize = 6;

/// A call on the request.
#[derive(Clone, Copy, Debug)]
pub enum RequestCall {
    /// Creates a take. Which one is known from the answer, if it is created.
    Create {
        take: Option<usize>,
    },
    /// Adds a piece behind so many others, and completes the take if it is the `last` one.
    Append {
        take: usize,
        behind: usize,
        number: u8,
        last: bool,
    },
    Offset {
        take: usize,
    },
    Submit {
        take: usize,
    },
    Status,
    Read,
    Delete,
    /// No call: its time passes.
    Expire,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Done,
    /// The path of a new take. In a history the call has its number instead, and is done.
    Created(String),
    /// 409 with a code, if it has a body.
    /// An append that was cut short by another one may have stored its bytes.
    Conflict(String),
    /// 404.
    Gone,
    /// 410, or the status of an expired request.
    Expired,
    Offset {
        pieces: usize,
        complete: bool,
    },
    Submitted(bool),
    /// The numbers of the pieces.
    Video(Vec<u8>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Take {
    pieces: Vec<u8>,
    complete: bool,
}

/// The request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Request {
    /// `None`: not created yet.
    takes: [Option<Take>; MAX_TAKES],
    submitted: Option<usize>,
    expired: bool,
    deleted: bool,
}

impl Request {
    /// Whether it is neither expired nor deleted.
    fn is_open(&self) -> bool {
        !self.expired && !self.deleted
    }

    /// Whether the take can be asked for: a submission removes the other ones.
    fn has(&self, take: usize) -> bool {
        let is_kept = self.submitted.is_none_or(|it| it == take);
        self.is_open() && is_kept && self.takes[take].is_some()
    }

    fn is_complete(&self, take: usize) -> bool {
        self.takes[take].as_ref().is_some_and(|it| it.complete)
    }

    /// The state after a call that has its effect; `None` if it can't have any.
    fn changed_by(&self, call: &RequestCall) -> Option<Self> {
        let mut next = self.clone();
        match *call {
            RequestCall::Create { take } => {
                let take = next.takes.get_mut(take?)?;
                let is_new = take.is_none();
                *take = Some(Take::default());
                (self.is_open() && self.submitted.is_none() && is_new).then_some(next)
            }
            RequestCall::Append {
                take,
                behind,
                number,
                last,
            } => {
                let written = next.takes[take].as_mut()?;
                let fits = !written.complete && written.pieces.len() == behind;
                written.pieces.push(number);
                written.complete = last;
                (self.has(take) && fits).then_some(next)
            }
            RequestCall::Submit { take } => {
                next.submitted = Some(take);
                let is_first = self.is_open() && self.submitted.is_none();
                (is_first && self.is_complete(take)).then_some(next)
            }
            RequestCall::Delete => {
                next.deleted = true;
                (!self.deleted).then_some(next)
            }
            RequestCall::Expire => {
                next.expired = true;
                Some(next)
            }
            RequestCall::Offset { .. } | RequestCall::Status | RequestCall::Read => None,
        }
    }

    /// Whether an append that changes nothing is refused with this code.
    fn refuses_append(&self, take: usize, behind: usize, code: &str) -> bool {
        let pieces = self.takes[take].as_ref().map(|it| it.pieces.len());
        match code {
            "already_submitted" => self.submitted.is_some(),
            "take_complete" => self.is_complete(take),
            "offset_mismatch" => pieces.is_some_and(|it| it != behind),
            // Another one took its place.
            "superseded" => true,
            _ => false,
        }
    }

    /// Whether a call that changes nothing is answered thus.
    fn answers(&self, call: &RequestCall, answer: &Answer) -> bool {
        match (*call, answer) {
            (
                RequestCall::Append { take, .. }
                | RequestCall::Submit { take }
                | RequestCall::Offset { take },
                Answer::Gone,
            ) => self.deleted || self.is_open() && !self.has(take),
            (_, Answer::Gone) => self.deleted,
            // A deletion removes what has expired, too.
            (RequestCall::Delete, Answer::Expired) => false,
            (_, Answer::Expired) => self.expired && !self.deleted,
            (RequestCall::Create { .. }, Answer::Conflict(code)) => {
                self.is_open() && self.submitted.is_some() && code == "already_submitted"
            }
            (RequestCall::Append { take, behind, .. }, Answer::Conflict(code)) => {
                self.is_open() && self.refuses_append(take, behind, code)
            }
            (RequestCall::Submit { take }, Answer::Conflict(code)) => {
                let is_submitted = self.submitted.is_some();
                self.is_open()
                    && match code.as_str() {
                        "already_submitted" => is_submitted,
                        "take_incomplete" => !is_submitted && !self.is_complete(take),
                        _ => false,
                    }
            }
            // Of a take that the submission of the other one is about to remove.
            (RequestCall::Offset { take }, Answer::Conflict(_)) => {
                self.is_open() && !self.has(take)
            }
            (RequestCall::Offset { take }, Answer::Offset { pieces, complete }) => {
                let current = self.takes[take].as_ref();
                let current = current.map(|it| (it.pieces.len(), it.complete));
                self.has(take) && current == Some((*pieces, *complete))
            }
            (RequestCall::Status, Answer::Submitted(submitted)) => {
                self.is_open() && self.submitted.is_some() == *submitted
            }
            (RequestCall::Read, Answer::Video(pieces)) => {
                let video = self.submitted.and_then(|it| self.takes[it].as_ref());
                self.is_open() && video.is_some_and(|it| it.pieces == *pieces)
            }
            _ => false,
        }
    }
}

impl Model for Request {
    type Call = RequestCall;
    type Answer = Answer;

    fn after(&self, call: &RequestCall, answer: Option<&Answer>) -> Vec<Self> {
        let changed = self.changed_by(call);
        match answer {
            None | Some(Answer::Done) => changed.into_iter().collect(),
            Some(answer) => {
                let unchanged = self.answers(call, answer).then(|| self.clone());
                // The part of an append that had arrived is stored, even if it is then refused for another one.
                let is_cut = matches!(answer, Answer::Conflict(code) if code == "superseded");
                unchanged
                    .into_iter()
                    .chain(changed.filter(|_| is_cut))
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_take_is_submitted_when_it_is_complete_and_read_as_it_was_written() {
        let append = |behind, number, last| RequestCall::Append {
            take: 0,
            behind,
            number,
            last,
        };
        let step = |state: &Request, call, answer| {
            let next = state.after(&call, Some(&answer));
            assert!(next.len() <= 1);
            next.into_iter().next()
        };
        let create = |take| RequestCall::Create { take: Some(take) };
        let conflict = |code: &str| Answer::Conflict(code.into());
        let nothing = Request::default();
        assert_eq!(step(&nothing, append(0, 7, false), Answer::Done), None);
        let start = step(&nothing, create(0), Answer::Done).expect("a take");
        assert_eq!(step(&start, create(0), Answer::Done), None, "twice");
        let submit = RequestCall::Submit { take: 0 };
        assert_eq!(step(&start, submit, Answer::Done), None);
        assert_eq!(
            step(&start, append(1, 7, false), Answer::Done),
            None,
            "a gap"
        );
        let start = step(&start, create(1), Answer::Done).expect("a second take");
        let one = step(&start, append(0, 7, false), Answer::Done).expect("a first piece");
        let two = step(&one, append(1, 8, true), Answer::Done).expect("a last piece");
        assert_eq!(
            step(&two, append(2, 9, false), Answer::Done),
            None,
            "complete"
        );
        let submitted = step(&two, submit, Answer::Done).expect("a submission");
        assert!(step(&submitted, RequestCall::Read, Answer::Video(vec![7, 8])).is_some());
        assert!(step(&submitted, RequestCall::Read, Answer::Video(vec![8, 7])).is_none());
        assert!(step(&submitted, RequestCall::Offset { take: 1 }, Answer::Gone).is_some());
        assert_eq!(step(&submitted, create(2), Answer::Done), None);
        let late = RequestCall::Create { take: None };
        assert!(step(&submitted, late, conflict("already_submitted")).is_some());
        assert!(step(&two, late, conflict("already_submitted")).is_none());
        let expired = step(&submitted, RequestCall::Expire, Answer::Done).expect("an expiry");
        assert!(step(&expired, RequestCall::Read, Answer::Video(vec![7, 8])).is_none());
        assert!(step(&expired, RequestCall::Status, Answer::Gone).is_none());
        assert!(step(&expired, RequestCall::Status, Answer::Expired).is_some());
        let deleted = step(&expired, RequestCall::Delete, Answer::Done).expect("a deletion");
        assert!(step(&deleted, RequestCall::Read, Answer::Video(vec![7, 8])).is_none());
        assert!(step(&deleted, RequestCall::Status, Answer::Gone).is_some());
    }
}
