//! The model: the response to each operation and the state after it, as in section 3 of the specification, with the
//! lifecycle of takes. Pure. Requests, takes and videos are numbered.

use server::clock::Millis;

use super::expected::{ExpectedResponse, error_response};
use super::operation::{Operation, Recording, Token, VideoRequest};
use super::takes::Take;
use crate::support::{HOUR, clip};

/// A WebM without an index.
pub const LIVE: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/gstreamer_vp9.webm");

/// Limits that histories of small takes reach.
pub const MAX_TAKE_BYTES: u64 = 6000;
pub const MAX_REQUEST_BYTES: u64 = 9000;
pub const MAX_TAKES: usize = 3;

pub struct Model {
    pub now: Millis,
    pub requests: Vec<Request>,
    pub takes: Vec<Take>,
    pub served_recording: ServedRecording,
}

/// Values that the model doesn't compute, learned before the first history and the same for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedRecording {
    /// The bytes that [`Recording::Live`] is served as.
    pub live: Vec<u8>,
    /// Version of the index, the suffix of an ETag.
    pub version: String,
}

pub struct Request {
    pub expires_at: Millis,
    pub state: State,
    /// The submitted take, even after a deletion.
    pub video: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Awaiting,
    Submitted,
    Deleted,
}

pub type ModelResult<T> = Result<T, ExpectedResponse>;

impl Model {
    pub fn new(now: Millis, served_recording: ServedRecording) -> Self {
        let (requests, takes) = (Vec::new(), Vec::new());
        Self {
            now,
            requests,
            takes,
            served_recording,
        }
    }

    /// The response to an operation. `None` if it isn't a call.
    pub fn answer(&mut self, operation: &Operation) -> Option<ExpectedResponse> {
        let answer = match *operation {
            Operation::Create { hours } => self.create(hours),
            Operation::Begin {
                request,
                recording,
                piece,
                last,
                declared,
            } => self.begin(request, recording, piece, last, declared),
            Operation::Append {
                take,
                at,
                piece,
                last,
            } => self.append(take, at, piece, last),
            Operation::GetOffset { take } => self.get_offset(take),
            Operation::Discard { take } => self.discard(take),
            Operation::Submit { request, take } => self.submit(request, take),
            Operation::GetStatus { request, token } => self.read_status(request, token),
            Operation::GetVideo {
                request,
                token,
                kind,
            } => self.get_video(request, token, kind),
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

    /// Whether a sweep would remove a take of a request that isn't over.
    /// The server's own may run at any time.
    pub fn has_abandoned_takes(&self) -> bool {
        self.takes.iter().any(|it| it.is_abandoned(self.now))
    }

    pub fn sweep(&mut self) {
        for take in &mut self.takes {
            take.exists &= !take.is_abandoned(self.now);
        }
    }

    fn create(&mut self, hours: i64) -> ModelResult<ExpectedResponse> {
        if !(1..=48).contains(&hours) {
            return Err(error_response(400, "bad_request"));
        }
        self.requests.push(Request {
            expires_at: self.now + hours * HOUR,
            state: State::Awaiting,
            video: None,
        });
        Ok(self.created(self.requests.len() - 1))
    }

    /// Access with the link.
    pub fn link(&self, request: usize) -> ModelResult<&Request> {
        match self.requests.get(request) {
            None => Err(error_response(404, "not_found")),
            Some(it) if it.state == State::Deleted => Err(error_response(404, "not_found")),
            Some(it) if self.now >= it.expires_at => Err(error_response(410, "gone")),
            Some(it) => Ok(it),
        }
    }

    pub(super) fn awaiting(&self, request: usize) -> ModelResult<&Request> {
        match self.link(request)? {
            it if it.state == State::Submitted => Err(error_response(409, "already_submitted")),
            it => Ok(it),
        }
    }

    /// The request that this token belongs to.
    fn token_request(&self, request: usize, token: Token) -> ModelResult<usize> {
        let token_request = match token {
            Token::Missing => {
                let missing = "Bearer realm=\"vidence\"";
                return Err(error_response(401, "unauthorized").with("www-authenticate", missing));
            }
            Token::Own => request,
            Token::Of(other) => other,
            Token::Unknown => usize::MAX,
        };
        let unknown = "Bearer error=\"invalid_token\"";
        match token_request < self.requests.len() {
            true => Ok(token_request),
            false => Err(error_response(401, "unauthorized").with("www-authenticate", unknown)),
        }
    }

    /// Access with a token, to an existing request.
    fn own(&self, request: usize, token: Token) -> ModelResult<&Request> {
        let token_request = self.token_request(request, token)?;
        match self.requests.get(request) {
            Some(it) if it.state != State::Deleted && token_request == request => Ok(it),
            Some(it) if it.state != State::Deleted => Err(error_response(403, "forbidden")),
            _ => Err(error_response(404, "not_found")),
        }
    }

    pub fn read_status(&self, request: usize, token: Token) -> ModelResult<ExpectedResponse> {
        self.own(request, token)?;
        Ok(self.status(request))
    }

    fn delete(&mut self, request: usize, token: Token) -> ModelResult<ExpectedResponse> {
        self.own(request, token)?;
        self.requests[request].state = State::Deleted;
        for it in self.takes.iter_mut().filter(|it| it.request == request) {
            it.exists = false;
        }
        Ok(ExpectedResponse::of(204))
    }

    pub fn get_video(
        &self,
        request: usize,
        token: Token,
        kind: VideoRequest,
    ) -> ModelResult<ExpectedResponse> {
        let video = self.requests.get(request).and_then(|it| it.video);
        if video.is_none() {
            self.token_request(request, token)?;
        }
        let video = video.ok_or(error_response(404, "not_found"))?;
        let own = self.own(request, token)?;
        if self.now >= own.expires_at {
            return Err(error_response(410, "gone"));
        }
        self.video(request, video, kind)
    }

    pub fn is_over(&self, request: usize) -> bool {
        self.now >= self.requests[request].expires_at
    }

    pub fn is_deleted(&self, request: usize) -> bool {
        self.requests[request].state == State::Deleted
    }

    /// Length of a request's video, zero if there is none.
    pub fn total(&self, request: usize) -> u64 {
        let take = self.requests.get(request).and_then(|it| it.video);
        take.map_or(0, |take| self.served(&self.takes[take]).len() as u64)
    }

    /// The bytes that a submitted take is served as.
    pub fn served(&self, take: &Take) -> Vec<u8> {
        let length = usize::try_from(take.committed).expect("a small take");
        match take.recording {
            Recording::Live => self.served_recording.live.clone(),
            _ => clip(length),
        }
    }
}
