//! The life of a take: begun, grown by appends where it stands, complete, and submitted or gone.

use server::clock::Millis;

use super::expected::{Answer, refuse};
use super::model::{
    LIVE, MOST_BYTES, MOST_BYTES_OF_A_REQUEST, MOST_TAKES, Model, Refusable, State,
};
use super::operation::{At, Film, Piece};
use crate::support::{HOUR, SOUND, clip};

/// What didn't grow for so long makes room for a new take.
const IDLE_AFTER: Millis = 60 * 1000;

/// What nobody wrote to for so long goes by itself; the last write counts as of the full hour after it.
const ABANDONED_AFTER: Millis = 24 * HOUR;

/// A clip begins so, until its first picture.
const CLIP_HEAD: u64 = 587;

/// By these it can be told from other files.
const CLIP_SIGNATURE: u64 = 12;

const TEXT: &[u8] = b"Once upon a time there was a video.";

pub struct Take {
    pub request: usize,
    pub film: Film,
    pub committed: u64,
    pub complete: bool,
    pub declared: Option<u64>,
    pub grown_at: Millis,
    pub there: bool,
}

impl Take {
    /// Why it can't become a video.
    pub fn refusal(&self) -> Option<&'static str> {
        match self.film {
            _ if self.committed == 0 => Some("unreadable"),
            Film::Clip if self.committed <= CLIP_HEAD => Some("unreadable"),
            Film::Clip | Film::Live => None,
            Film::Sound | Film::Text => Some("no_video"),
        }
    }

    fn is_known(&self, length: u64) -> bool {
        self.film != Film::Clip || length >= CLIP_SIGNATURE
    }

    pub(super) fn is_abandoned(&self, now: Millis) -> bool {
        let full_hour = (self.grown_at + HOUR - 1) / HOUR * HOUR;
        self.there && !self.complete && full_hour < now - ABANDONED_AFTER
    }
}

impl Model {
    /// A take that is there, of a request that this holds for.
    fn take(&self, take: usize) -> Refusable<usize> {
        // Of a take that never was the first request is asked.
        let take = self.takes.get(take).map(|it| (take, it));
        let request = take.map_or(0, |(_, it)| it.request);
        self.awaiting(request)?;
        match take {
            Some((take, it)) if it.there => Ok(take),
            _ => Err(refuse(404, "not_found")),
        }
    }

    pub(super) fn begin(
        &mut self,
        request: usize,
        film: Film,
        piece: Piece,
        last: bool,
        declared: Option<u64>,
    ) -> Refusable<Answer> {
        let length = self.body(film, 0, piece).len() as u64;
        let declared = declared.or(by_body(last, length, length));
        self.awaiting(request)?;
        if declared.is_some_and(|it| it > MOST_BYTES) {
            return Err(refuse(413, "too_large").with("upload-limit", limit(MOST_BYTES)));
        }
        let (now, there) = (self.now, |it: &&mut Take| it.request == request && it.there);
        if self.takes.iter_mut().filter(there).count() >= MOST_TAKES {
            let idle = |it: &&mut Take| !it.complete && it.grown_at <= now - IDLE_AFTER;
            let oldest = self.takes.iter_mut().filter(there).find(idle);
            oldest.ok_or(refuse(413, "too_many_takes"))?.there = false;
        }
        self.takes.push(Take {
            request,
            film,
            committed: 0,
            complete: false,
            declared,
            grown_at: now,
            there: true,
        });
        let take = self.takes.len() - 1;
        if last || length > 0 {
            let appended = self.append_to(take, 0, length, last);
            if appended.is_err() {
                // Nothing is kept of what its sender isn't told the name of.
                self.takes.pop();
            }
            appended?;
        }
        let location = format!("/r/request-{request}/takes/take-{take}");
        Ok(self.progress(201, take).with("location", location))
    }

    pub(super) fn append(
        &mut self,
        take: usize,
        at: At,
        piece: Piece,
        last: bool,
    ) -> Refusable<Answer> {
        let offset = self.offset(take, at);
        let film = self.takes.get(take).map_or(Film::Clip, |it| it.film);
        let length = self.body(film, offset, piece).len() as u64;
        let take = self.take(take)?;
        self.append_to(take, offset, length, last)?;
        Ok(self.progress(204, take).without("upload-limit"))
    }

    fn append_to(&mut self, id: usize, offset: u64, length: u64, last: bool) -> Refusable<()> {
        let (now, take) = (self.now, &self.takes[id]);
        let (committed, end) = (take.committed, offset + length);
        if take.complete || committed != offset {
            let code = if take.complete {
                "take_complete"
            } else {
                "offset_mismatch"
            };
            return Err(refuse(409, code).with("upload-offset", committed));
        }
        let by_body = by_body(last, length, end);
        if by_body.is_some_and(|it| take.declared.is_some_and(|declared| declared != it)) {
            return Err(refuse(400, "inconsistent_length"));
        }
        // Whatever becomes of it, somebody is there.
        self.takes[id].grown_at = now;
        let take = &self.takes[id];
        let beside = self
            .takes
            .iter()
            .enumerate()
            .filter(|(other, it)| *other != id && it.request == take.request && it.there);
        let beside: u64 = beside.map(|(_, it)| it.committed).sum();
        let most = MOST_BYTES.min(MOST_BYTES_OF_A_REQUEST - beside);
        let declared = take.declared.or(by_body);
        if declared.unwrap_or(0) > most || declared.is_none() && end > most {
            return Err(refuse(413, "too_large").with("upload-limit", limit(most)));
        }
        if declared.is_some_and(|it| end > it || last && end < it) {
            return Err(refuse(400, "inconsistent_length"));
        }
        let unknown = last && end > 0 && !take.is_known(end);
        if unknown || length > 0 && take.film == Film::Text {
            return Err(refuse(415, "unsupported_media_type"));
        }
        let take = &mut self.takes[id];
        take.committed = end;
        take.complete = last;
        take.declared = declared;
        Ok(())
    }

    pub(super) fn ask_offset(&mut self, take: usize) -> Refusable<Answer> {
        let request = self.takes.get(take).map_or(0, |it| it.request);
        self.link(request)?;
        if !self.takes.get(take).is_some_and(|it| it.there) {
            self.awaiting(request)?;
            return Err(refuse(404, "not_found"));
        }
        let it = &mut self.takes[take];
        if !it.complete {
            // Who asks is about to go on.
            it.grown_at = self.now;
        }
        let declared = it.declared;
        let answer = self.progress(204, take);
        Ok(match declared {
            Some(declared) => answer.with("upload-length", declared),
            None => answer.without("upload-length"),
        })
    }

    pub(super) fn discard(&mut self, take: usize) -> Refusable<Answer> {
        let take = self.take(take)?;
        self.takes[take].there = false;
        Ok(Answer::of(204))
    }

    pub(super) fn submit(&mut self, request: usize, take: usize) -> Refusable<Answer> {
        self.awaiting(request)?;
        let found = self.takes.get(take);
        let found = found.filter(|it| it.there && it.request == request);
        let found = found.ok_or(refuse(404, "not_found"))?;
        if !found.complete {
            return Err(refuse(409, "take_incomplete"));
        }
        if found.committed == 0 {
            return Err(refuse(422, "take_empty"));
        }
        if let Some(refusal) = found.refusal() {
            return Err(refuse(422, refusal));
        }
        for (other, it) in self.takes.iter_mut().enumerate() {
            it.there &= other == take || it.request != request;
        }
        let it = &mut self.requests[request];
        (it.state, it.video) = (State::Submitted, Some(take));
        Ok(self.link_state(request, None))
    }

    /// Where an append of this kind goes.
    pub fn offset(&self, take: usize, at: At) -> u64 {
        let committed = self.takes.get(take).map_or(0, |it| it.committed);
        match at {
            At::Here => committed,
            At::Back(bytes) => committed.saturating_sub(bytes),
            At::Ahead(bytes) => committed + bytes,
        }
    }

    /// The bytes of a piece that goes there.
    pub fn body(&self, film: Film, offset: u64, piece: Piece) -> Vec<u8> {
        let offset = usize::try_from(offset).expect("a small offset");
        let most = usize::try_from(MOST_BYTES).expect("a small limit");
        let whole = match film {
            Film::Clip => clip(3 * most),
            Film::Live => LIVE.to_vec(),
            Film::Sound => SOUND.to_vec(),
            Film::Text => TEXT.to_vec(),
        };
        let rest = whole.get(offset..).unwrap_or_default();
        let length = match (piece, film) {
            (Piece::Empty, _) => 0,
            (Piece::TooMuch, _) => return clip(3 * most)[..most + 1 - offset.min(most)].to_vec(),
            (_, Film::Live | Film::Sound | Film::Text) => rest.len(),
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

/// How long a take becomes by the length of a body that completes it, which isn't said of an empty one.
fn by_body(last: bool, length: u64, end: u64) -> Option<u64> {
    (last && length > 0).then_some(end)
}
