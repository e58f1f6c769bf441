//! What each operation is answered, and what there is afterwards: section 3 of the specification, and the life of a
//! take below it. Pure. Requests, takes and videos have numbers instead of ids.

use server::clock::Millis;

use super::expected::{Answer, refuse};
use super::operation::{Ask, Film, Operation, Token};
use super::takes::Take;
use crate::support::{HOUR, clip};

/// Nobody can seek in it as it is.
pub const LIVE: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/gstreamer_vp9.webm");

/// Limits that a history of small takes meets.
pub const MOST_BYTES: u64 = 6000;
pub const MOST_BYTES_OF_A_REQUEST: u64 = 9000;
pub const MOST_TAKES: usize = 3;

pub struct Model {
    pub now: Millis,
    pub requests: Vec<Request>,
    pub takes: Vec<Take>,
    pub learned: Learned,
}

/// What isn't for the model to know, and the same for all videos: found out before the first history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// What [`Film::Live`] is served as.
    pub live: Vec<u8>,
    /// Of the index, as an ETag ends.
    pub version: String,
}

pub struct Request {
    pub expires_at: Millis,
    pub state: State,
    /// The take that was submitted, whatever came after that.
    pub video: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Awaiting,
    Submitted,
    Deleted,
}

pub type Refusable<T> = Result<T, Answer>;

impl Model {
    pub fn new(now: Millis, learned: Learned) -> Self {
        let (requests, takes) = (Vec::new(), Vec::new());
        Self {
            now,
            requests,
            takes,
            learned,
        }
    }

    /// The answer to an operation. `None`: it isn't a call.
    pub fn answer(&mut self, operation: &Operation) -> Option<Answer> {
        let answer = match *operation {
            Operation::Create { hours } => self.create(hours),
            Operation::Begin {
                request,
                film,
                piece,
                last,
                declared,
            } => self.begin(request, film, piece, last, declared),
            Operation::Append {
                take,
                at,
                piece,
                last,
            } => self.append(take, at, piece, last),
            Operation::AskOffset { take } => self.ask_offset(take),
            Operation::Discard { take } => self.discard(take),
            Operation::Submit { request, take } => self.submit(request, take),
            Operation::ReadStatus { request, token } => self.read_status(request, token),
            Operation::Watch {
                request,
                token,
                ask,
            } => self.watch(request, token, ask),
            Operation::Delete { request, token } => self.delete(request, token),
            Operation::WaitMinutes(minutes) => {
                self.now += minutes * HOUR / 60;
                return None;
            }
            Operation::WaitForExpiry { request, before } => {
                let expiry = self.requests.get(request).map(|it| it.expires_at - before);
                self.now = self.now.max(expiry.unwrap_or(self.now));
                return None;
            }
            Operation::Sweep => {
                self.sweep();
                return None;
            }
            Operation::Restart => return None,
        };
        Some(answer.unwrap_or_else(|refusal| refusal))
    }

    /// Whether a sweep would remove a take of a request that isn't over. The server's own may come at any time.
    pub fn has_abandoned_takes(&self) -> bool {
        self.takes.iter().any(|it| it.is_abandoned(self.now))
    }

    pub fn sweep(&mut self) {
        for take in &mut self.takes {
            take.there &= !take.is_abandoned(self.now);
        }
    }

    fn create(&mut self, hours: i64) -> Refusable<Answer> {
        if !(1..=48).contains(&hours) {
            return Err(refuse(400, "bad_request"));
        }
        self.requests.push(Request {
            expires_at: self.now + hours * HOUR,
            state: State::Awaiting,
            video: None,
        });
        Ok(self.created(self.requests.len() - 1))
    }

    /// For whoever has the link.
    pub fn link(&self, request: usize) -> Refusable<&Request> {
        match self.requests.get(request) {
            None => Err(refuse(404, "not_found")),
            Some(it) if it.state == State::Deleted => Err(refuse(404, "not_found")),
            Some(it) if self.now >= it.expires_at => Err(refuse(410, "gone")),
            Some(it) => Ok(it),
        }
    }

    pub(super) fn awaiting(&self, request: usize) -> Refusable<&Request> {
        match self.link(request)? {
            it if it.state == State::Submitted => Err(refuse(409, "already_submitted")),
            it => Ok(it),
        }
    }

    /// Who holds this token, as far as that is anybody.
    fn holder(&self, request: usize, token: Token) -> Refusable<usize> {
        let holder = match token {
            Token::Missing => {
                return Err(refuse(401, "unauthorized").with("www-authenticate", "Bearer"));
            }
            Token::Own => request,
            Token::Of(other) => other,
            Token::Unknown => usize::MAX,
        };
        let unknown = "Bearer error=\"invalid_token\"";
        match holder < self.requests.len() {
            true => Ok(holder),
            false => Err(refuse(401, "unauthorized").with("www-authenticate", unknown)),
        }
    }

    /// A request that is there and belongs to who holds this token.
    fn own(&self, request: usize, token: Token) -> Refusable<&Request> {
        let holder = self.holder(request, token)?;
        match self.requests.get(request) {
            Some(it) if it.state != State::Deleted && holder == request => Ok(it),
            Some(it) if it.state != State::Deleted => Err(refuse(403, "forbidden")),
            _ => Err(refuse(404, "not_found")),
        }
    }

    pub fn read_status(&self, request: usize, token: Token) -> Refusable<Answer> {
        self.own(request, token)?;
        Ok(self.status(request))
    }

    fn delete(&mut self, request: usize, token: Token) -> Refusable<Answer> {
        self.own(request, token)?;
        self.requests[request].state = State::Deleted;
        for it in self.takes.iter_mut().filter(|it| it.request == request) {
            it.there = false;
        }
        Ok(Answer::of(204))
    }

    pub fn watch(&self, request: usize, token: Token, ask: Ask) -> Refusable<Answer> {
        let video = self.requests.get(request).and_then(|it| it.video);
        if video.is_none() {
            self.holder(request, token)?;
        }
        let video = video.ok_or(refuse(404, "not_found"))?;
        let own = self.own(request, token)?;
        if self.now >= own.expires_at {
            return Err(refuse(410, "gone"));
        }
        self.video(request, video, ask)
    }

    pub fn is_over(&self, request: usize) -> bool {
        self.now >= self.requests[request].expires_at
    }

    pub fn is_deleted(&self, request: usize) -> bool {
        self.requests[request].state == State::Deleted
    }

    /// How many bytes the video of a request has, if it has one.
    pub fn total(&self, request: usize) -> u64 {
        let take = self.requests.get(request).and_then(|it| it.video);
        take.map_or(0, |take| self.served(&self.takes[take]).len() as u64)
    }

    /// What a submitted take is served as.
    pub fn served(&self, take: &Take) -> Vec<u8> {
        let length = usize::try_from(take.committed).expect("a small take");
        match take.film {
            Film::Live => self.learned.live.clone(),
            _ => clip(length),
        }
    }
}
