//! The lifecycle of a take: created, appended to at its offset, complete, and submitted or gone.

use server::clock::Millis;

use super::expected::{ExpectedResponse, error_response};
use super::model::{LIVE, MAX_REQUEST_BYTES, MAX_TAKE_BYTES, MAX_TAKES, Model, ModelResult, State};
use super::operation::{Piece, Recording, RelativeOffset};
use crate::support::{AUDIO_ONLY_WEBM, HOUR, clip};

/// An open take that hasn't grown for this long is replaced by a new one.
const IDLE_AFTER: Millis = 60 * 1000;

/// An open take that hasn't grown for this long is removed; the last write counts as of the following full hour.
const ABANDONED_AFTER: Millis = 24 * HOUR;

/// Bytes of a clip before its first frame.
const CLIP_HEAD: u64 = 587;

/// Bytes needed to detect the type of a clip.
const CLIP_SIGNATURE: u64 = 12;

const NOT_A_VIDEO: &[u8] = b"This is text, not a video.";

pub struct Take {
    pub request: usize,
    pub recording: Recording,
    pub committed: u64,
    pub complete: bool,
    pub declared: Option<u64>,
    pub grown_at: Millis,
    pub exists: bool,
}

impl Take {
    /// Error code of its submission, if it can't become a video.
    pub fn refusal(&self) -> Option<&'static str> {
        match self.recording {
            _ if self.committed == 0 => Some("unreadable"),
            Recording::Clip if self.committed <= CLIP_HEAD => Some("unreadable"),
            Recording::Clip | Recording::Live => None,
            Recording::AudioOnly | Recording::NotAVideo => Some("no_video"),
        }
    }

    fn is_known(&self, length: u64) -> bool {
        self.recording != Recording::Clip || length >= CLIP_SIGNATURE
    }

    pub(super) fn is_abandoned(&self, now: Millis) -> bool {
        let full_hour = (self.grown_at + HOUR - 1) / HOUR * HOUR;
        self.exists && !self.complete && full_hour < now - ABANDONED_AFTER
    }
}

impl Model {
    /// An existing take of a request that awaits a video.
    fn take(&self, take: usize) -> ModelResult<usize> {
        // An unknown take belongs to the first request.
        let take = self.takes.get(take).map(|it| (take, it));
        let request = take.map_or(0, |(_, it)| it.request);
        self.awaiting(request)?;
        match take {
            Some((take, it)) if it.exists => Ok(take),
            _ => Err(error_response(404, "not_found")),
        }
    }

    pub(super) fn begin(
        &mut self,
        request: usize,
        recording: Recording,
        piece: Piece,
        last: bool,
        declared: Option<u64>,
    ) -> ModelResult<ExpectedResponse> {
        let length = self.body(recording, 0, piece).len() as u64;
        let declared = declared.or(length_by_body(last, length, length));
        self.awaiting(request)?;
        if declared.is_some_and(|it| it > MAX_TAKE_BYTES) {
            return Err(
                error_response(413, "too_large").with("upload-limit", limit(MAX_TAKE_BYTES))
            );
        }
        let (now, existing) = (self.now, |it: &&mut Take| {
            it.request == request && it.exists
        });
        if self.takes.iter_mut().filter(existing).count() >= MAX_TAKES {
            let idle = |it: &&mut Take| !it.complete && it.grown_at <= now - IDLE_AFTER;
            let oldest = self.takes.iter_mut().filter(existing).find(idle);
            oldest.ok_or(error_response(413, "too_many_takes"))?.exists = false;
        }
        self.takes.push(Take {
            request,
            recording,
            committed: 0,
            complete: false,
            declared,
            grown_at: now,
            exists: true,
        });
        let take = self.takes.len() - 1;
        if last || length > 0 {
            let appended = self.append_to(take, 0, length, last);
            if appended.is_err() {
                // A take that isn't acknowledged to the client is removed.
                self.takes.pop();
            }
            appended?;
        }
        let location = format!("/r/request-{request}/takes/take-{take}");
        Ok(self.upload_status(201, take).with("location", location))
    }

    pub(super) fn append(
        &mut self,
        take: usize,
        at: RelativeOffset,
        piece: Piece,
        last: bool,
    ) -> ModelResult<ExpectedResponse> {
        let offset = self.offset(take, at);
        let recording = self
            .takes
            .get(take)
            .map_or(Recording::Clip, |it| it.recording);
        let length = self.body(recording, offset, piece).len() as u64;
        let take = self.take(take)?;
        self.append_to(take, offset, length, last)?;
        Ok(self.upload_status(204, take).without("upload-limit"))
    }

    fn append_to(&mut self, id: usize, offset: u64, length: u64, last: bool) -> ModelResult<()> {
        let (now, take) = (self.now, &self.takes[id]);
        let (committed, end) = (take.committed, offset + length);
        if take.complete || committed != offset {
            let code = if take.complete {
                "take_complete"
            } else {
                "offset_mismatch"
            };
            return Err(error_response(409, code).with("upload-offset", committed));
        }
        let length_by_body = length_by_body(last, length, end);
        if length_by_body.is_some_and(|it| take.declared.is_some_and(|declared| declared != it)) {
            return Err(error_response(400, "inconsistent_length"));
        }
        // A failed append counts as activity, too.
        self.takes[id].grown_at = now;
        let take = &self.takes[id];
        let others = self
            .takes
            .iter()
            .enumerate()
            .filter(|(other, it)| *other != id && it.request == take.request && it.exists);
        let others: u64 = others.map(|(_, it)| it.committed).sum();
        let most = MAX_TAKE_BYTES.min(MAX_REQUEST_BYTES - others);
        let declared = take.declared.or(length_by_body);
        if declared.unwrap_or(0) > most || declared.is_none() && end > most {
            return Err(error_response(413, "too_large").with("upload-limit", limit(most)));
        }
        if declared.is_some_and(|it| end > it || last && end < it) {
            return Err(error_response(400, "inconsistent_length"));
        }
        let unknown = last && end > 0 && !take.is_known(end);
        if unknown || length > 0 && take.recording == Recording::NotAVideo {
            return Err(error_response(415, "unsupported_media_type"));
        }
        let take = &mut self.takes[id];
        take.committed = end;
        take.complete = last;
        take.declared = declared;
        Ok(())
    }

    pub(super) fn get_offset(&mut self, take: usize) -> ModelResult<ExpectedResponse> {
        let request = self.takes.get(take).map_or(0, |it| it.request);
        self.link(request)?;
        if !self.takes.get(take).is_some_and(|it| it.exists) {
            self.awaiting(request)?;
            return Err(error_response(404, "not_found"));
        }
        let it = &mut self.takes[take];
        if !it.complete {
            // A client that asks is about to append.
            it.grown_at = self.now;
        }
        let declared = it.declared;
        let answer = self.upload_status(204, take);
        Ok(match declared {
            Some(declared) => answer.with("upload-length", declared),
            None => answer.without("upload-length"),
        })
    }

    pub(super) fn discard(&mut self, take: usize) -> ModelResult<ExpectedResponse> {
        let take = self.take(take)?;
        self.takes[take].exists = false;
        Ok(ExpectedResponse::of(204))
    }

    pub(super) fn submit(&mut self, request: usize, take: usize) -> ModelResult<ExpectedResponse> {
        self.awaiting(request)?;
        let found = self.takes.get(take);
        let found = found.filter(|it| it.exists && it.request == request);
        let found = found.ok_or(error_response(404, "not_found"))?;
        if !found.complete {
            return Err(error_response(409, "take_incomplete"));
        }
        if found.committed == 0 {
            return Err(error_response(422, "take_empty"));
        }
        if let Some(refusal) = found.refusal() {
            return Err(error_response(422, refusal));
        }
        for (other, it) in self.takes.iter_mut().enumerate() {
            it.exists &= other == take || it.request != request;
        }
        let it = &mut self.requests[request];
        (it.state, it.video) = (State::Submitted, Some(take));
        Ok(self.link_state(request, None))
    }

    /// The offset of an append.
    pub fn offset(&self, take: usize, at: RelativeOffset) -> u64 {
        let committed = self.takes.get(take).map_or(0, |it| it.committed);
        match at {
            RelativeOffset::Current => committed,
            RelativeOffset::Before(bytes) => committed.saturating_sub(bytes),
            RelativeOffset::Beyond(bytes) => committed + bytes,
        }
    }

    /// The bytes of an append.
    pub fn body(&self, recording: Recording, offset: u64, piece: Piece) -> Vec<u8> {
        let offset = usize::try_from(offset).expect("a small offset");
        let most = usize::try_from(MAX_TAKE_BYTES).expect("a small limit");
        let whole = match recording {
            Recording::Clip => clip(3 * most),
            Recording::Live => LIVE.to_vec(),
            Recording::AudioOnly => AUDIO_ONLY_WEBM.to_vec(),
            Recording::NotAVideo => NOT_A_VIDEO.to_vec(),
        };
        let rest = whole.get(offset..).unwrap_or_default();
        let length = match (piece, recording) {
            (Piece::Empty, _) => 0,
            (Piece::TooMuch, _) => return clip(3 * most)[..most + 1 - offset.min(most)].to_vec(),
            (_, Recording::Live | Recording::AudioOnly | Recording::NotAVideo) => rest.len(),
            (Piece::Few, _) => 7,
            (Piece::Part, _) => 300,
            (Piece::Whole, _) => 590,
        };
        rest[..length].to_vec()
    }
}

fn limit(most: u64) -> String {
    format!("max-size={most}")
}

/// Length of a take by a body that completes it; undefined for an empty body.
fn length_by_body(last: bool, length: u64, end: u64) -> Option<u64> {
    (last && length > 0).then_some(end)
}
