//! What an answer must say, in the numbers of the model, and whether one says it.

use std::collections::BTreeMap;

use app::api::GROWING_SECONDS;
use serde_json::{Value, json};
use server::clock::{Millis, rfc3339};

use super::model::{MOST_BYTES, Model, State};
use super::operation::{Ask, Film};
use super::takes::Take;
use crate::support::HOUR;

/// What is left to an open take, if nobody writes to it.
const LEFT_TO_AN_OPEN_TAKE: Millis = 24 * HOUR;

/// What grew within this time is being recorded.
const GROWING: Millis = GROWING_SECONDS as Millis * 1000;

/// A tag that no video ever had.
pub const ANOTHER_ETAG: &str = "\"another\"";

/// What must be in an answer. Whatever else is in it only must be the same on both storages.
#[derive(Debug)]
pub struct Answer {
    status: u16,
    code: Option<&'static str>,
    /// `None`: it must not be there.
    headers: Vec<(&'static str, Option<String>)>,
    json: Option<Value>,
    bytes: Option<Vec<u8>>,
}

/// An answer that came, with numbers instead of ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Reply {
    /// None came.
    pub fn none(error: &reqwest::Error) -> Self {
        let (status, headers) = (0, BTreeMap::new());
        let body = format!("{error:?}").into_bytes();
        Self {
            status,
            headers,
            body,
        }
    }

    /// For people.
    pub fn summary(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        let media_type = self.headers.get("content-type");
        let body = if media_type.is_none_or(|it| it.ends_with("json")) {
            body.into_owned()
        } else {
            format!("{} bytes", self.body.len())
        };
        // The others are the same everywhere.
        let told = ["content-range", "etag", "location", "upload-", "www-"];
        let headers = self.headers.iter();
        let headers = headers.filter(|(name, _)| told.iter().any(|it| name.starts_with(it)));
        let headers: Vec<String> = headers.map(|(name, it)| format!("{name}: {it}")).collect();
        format!("{} [{}] {body}", self.status, headers.join(", "))
    }
}

/// A failure.
pub fn refuse(status: u16, code: &'static str) -> Answer {
    let code = Some(code);
    Answer {
        code,
        ..Answer::of(status)
    }
}

impl Answer {
    pub fn of(status: u16) -> Self {
        Self {
            status,
            code: None,
            headers: Vec::new(),
            json: None,
            bytes: None,
        }
    }

    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, Some(value.to_string())));
        self
    }

    pub fn without(mut self, name: &'static str) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, None));
        self
    }

    fn json(mut self, json: Value) -> Self {
        self.json = Some(json);
        self.with("content-type", "application/json")
            .with("cache-control", "no-store")
    }

    /// Holds a reply against it. `to_head`: none of its body can be there.
    pub fn check(&self, reply: &Reply, to_head: bool) -> Result<(), String> {
        if reply.status != self.status {
            return Err(format!("{} instead of {}", reply.status, self.status));
        }
        for (name, value) in &self.headers {
            let there = reply.headers.get(*name);
            if there != value.as_ref() {
                return Err(format!("{name} is {there:?} instead of {value:?}"));
            }
        }
        if to_head {
            let nothing = reply.body.is_empty();
            return nothing.then_some(()).ok_or("a body".to_owned());
        }
        if let Some(code) = self.code {
            let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
            let (there, message) = (&body["error"]["code"], &body["error"]["message"]);
            if there != code || message.as_str().unwrap_or_default().is_empty() {
                return Err(format!("the error {} instead of {code}", body["error"]));
            }
        }
        if let Some(json) = &self.json {
            let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
            if body != *json {
                return Err(format!("{body} instead of {json}"));
            }
        }
        match &self.bytes {
            Some(bytes) if *bytes != reply.body => Err(format!(
                "{} bytes that aren't the {} of the video",
                reply.body.len(),
                bytes.len()
            )),
            _ => Ok(()),
        }
    }
}

impl Model {
    fn expires_at(&self, request: usize) -> String {
        rfc3339(self.requests[request].expires_at)
    }

    pub(super) fn created(&self, request: usize) -> Answer {
        let created = json!({
            "id": format!("request-{request}"),
            "status": "awaiting_submission",
            "submission_url": format!("/r/request-{request}"),
            "access_token": format!("token-{request}"),
            "expires_at": self.expires_at(request),
        });
        let location = format!("/v1/requests/request-{request}");
        Answer::of(201).json(created).with("location", location)
    }

    /// As the request's creator sees it, who hasn't deleted it.
    pub(super) fn status(&self, request: usize) -> Answer {
        let (it, id) = (&self.requests[request], format!("request-{request}"));
        let over = self.now >= it.expires_at;
        let (status, expires_at) = (self.word(request), self.expires_at(request));
        let mut view = json!({ "id": id, "status": status, "expires_at": expires_at });
        if it.state == State::Submitted && !over {
            let video = format!("video-{request}");
            let url = format!("/v1/videos/{video}");
            view["video"] = json!({ "id": video, "url": url, "expires_at": expires_at });
        }
        Answer::of(200).json(view)
    }

    fn word(&self, request: usize) -> &'static str {
        let it = &self.requests[request];
        match it.state {
            _ if self.now >= it.expires_at => "expired",
            State::Submitted => "submitted",
            _ => "awaiting_submission",
        }
    }

    /// As whoever has the link sees it, of a request that isn't over. Takes are in no order: their ids are
    /// random, and the clock stands still.
    pub(super) fn link_state(&self, request: usize, named: Option<usize>) -> Answer {
        let awaiting = self.requests[request].state == State::Awaiting;
        let own = |it: &&Take| awaiting && it.request == request && it.there;
        let mut takes: Vec<Value> = self.takes.iter().filter(own).map(view).collect();
        takes.sort_by_key(Value::to_string);
        let mut others = self.takes.iter().enumerate().filter(|(_, it)| own(it));
        let recorded_elsewhere = others.any(|(number, it)| {
            let growing = !it.complete && self.now - it.grown_at < GROWING;
            growing && named != Some(number)
        });
        let mut state = json!({
            "status": self.word(request),
            "expires_at": self.expires_at(request),
            "takes": takes,
            "recorded_elsewhere": recorded_elsewhere,
        });
        let named = named.and_then(|it| self.takes.get(it)).filter(own);
        if let Some(take) = named {
            state["take"] = view(take);
        }
        Answer::of(200).json(state)
    }

    /// Where a take stands, for its sender.
    pub(super) fn progress(&self, status: u16, take: usize) -> Answer {
        let it = &self.takes[take];
        let mut end = self.requests[it.request].expires_at;
        if !it.complete {
            end = end.min(self.now + LEFT_TO_AN_OPEN_TAKE);
        }
        let left = (end - self.now) / 1000;
        let limit = format!("max-size={MOST_BYTES}, max-age={left}");
        Answer::of(status)
            .with("upload-offset", it.committed)
            .with("upload-complete", if it.complete { "?1" } else { "?0" })
            .with("upload-limit", limit)
            .with("cache-control", "no-store")
    }

    /// The video of a request that isn't over.
    pub(super) fn video(&self, request: usize, take: usize, ask: Ask) -> Result<Answer, Answer> {
        let take = &self.takes[take];
        let bytes = self.served(take);
        let total = bytes.len();
        let etag = format!("\"video-{request}.{}\"", self.learned.version);
        let stands = |status| {
            Answer::of(status)
                .with("etag", etag.clone())
                .with("cache-control", "private, no-store")
        };
        let media_type = if take.film == Film::Live {
            "video/webm"
        } else {
            "video/mp4"
        };
        let whole = || {
            let answer = stands(200)
                .with("content-length", total)
                .with("content-type", media_type)
                .with("accept-ranges", "bytes");
            answer.without("content-range")
        };
        let part = |first: u64, last: u64| {
            let first = usize::try_from(first).expect("a small range");
            let last = usize::try_from(last).expect("a small range").min(total - 1);
            if first >= total {
                let none = format!("bytes */{total}");
                return Err(refuse(416, "range_not_satisfiable").with("content-range", none));
            }
            let range = format!("bytes {first}-{last}/{total}");
            let answer = whole().with("content-range", range);
            let answer = answer.with("content-length", last + 1 - first);
            Ok(Answer {
                status: 206,
                bytes: Some(bytes[first..=last].to_vec()),
                ..answer
            })
        };
        let length = total as u64;
        match ask {
            Ask::Head => Ok(whole()),
            Ask::Whole | Ask::IfRangeOfAnother | Ask::IfNoneMatchOfAnother => Ok(Answer {
                bytes: Some(bytes.clone()),
                ..whole()
            }),
            Ask::Range(first, last) => part(first, last),
            Ask::Behind(more) => part(length + more, u64::from(u32::MAX)),
            Ask::Last(0) => part(length, length),
            Ask::Last(count) => part(length.saturating_sub(count), length),
            Ask::IfRange => part(1, 5),
            Ask::IfNoneMatch => Ok(stands(304)),
            Ask::IfMatchOfAnother => Err(refuse(412, "precondition_failed")),
        }
    }
}

/// What may be known of a take by whoever has the link. All that is complete has been sealed, or refused.
fn view(take: &Take) -> Value {
    let refused = take.complete && take.refusal().is_some();
    json!({
        "offset": take.committed,
        "complete": take.complete,
        "sealed": take.complete && !refused,
        "refused": refused,
        "has_location": false,
    })
}
