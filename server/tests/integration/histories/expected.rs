//! Expected responses, with the model's numbers for ids, and their comparison with received ones.

use app::api::GROWING_SECONDS;
use serde_json::{Value, json};
use server::clock::{Millis, rfc3339};

use super::model::{MAX_TAKE_BYTES, Model, State};
use super::operation::{Recording, VideoRequest};
use super::received::ReceivedResponse;
use super::takes::Take;
use crate::support::HOUR;

/// How long an open take is kept after its last growth.
const OPEN_TAKE_LIFETIME: Millis = 24 * HOUR;

/// A take that grew within this time is being recorded.
const GROWING: Millis = GROWING_SECONDS as Millis * 1000;

/// An ETag that no video ever had.
pub const ANOTHER_ETAG: &str = "\"another\"";

/// Required parts of a response. The rest is only compared between both storages.
#[derive(Debug)]
pub struct ExpectedResponse {
    status: u16,
    code: Option<&'static str>,
    /// `None`: the header must be absent.
    headers: Vec<(&'static str, Option<String>)>,
    json: Option<Value>,
    bytes: Option<Vec<u8>>,
}

/// An error response.
pub fn error_response(status: u16, code: &'static str) -> ExpectedResponse {
    let code = Some(code);
    ExpectedResponse {
        code,
        ..ExpectedResponse::of(status)
    }
}

impl ExpectedResponse {
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

    /// Compares a received response. `to_head`: its body must be empty.
    pub fn check(&self, received: &ReceivedResponse, to_head: bool) -> Result<(), String> {
        if received.status != self.status {
            return Err(format!("{} instead of {}", received.status, self.status));
        }
        for (name, value) in &self.headers {
            let actual = received.headers.get(*name);
            if actual != value.as_ref() {
                return Err(format!("{name} is {actual:?} instead of {value:?}"));
            }
        }
        if to_head {
            let nothing = received.body.is_empty();
            return nothing.then_some(()).ok_or("a body".to_owned());
        }
        if let Some(code) = self.code {
            let body: Value = serde_json::from_slice(&received.body).unwrap_or_default();
            let (actual, message) = (&body["error"]["code"], &body["error"]["message"]);
            if actual != code || message.as_str().unwrap_or_default().is_empty() {
                return Err(format!("the error {} instead of {code}", body["error"]));
            }
        }
        if let Some(json) = &self.json {
            let body: Value = serde_json::from_slice(&received.body).unwrap_or_default();
            if body != *json {
                return Err(format!("{body} instead of {json}"));
            }
        }
        match &self.bytes {
            Some(bytes) if *bytes != received.body => Err(format!(
                "{} bytes that aren't the {} of the video",
                received.body.len(),
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

    pub(super) fn created(&self, request: usize) -> ExpectedResponse {
        let created = json!({
            "id": format!("request-{request}"),
            "status": "awaiting_submission",
            "submission_url": format!("/r/request-{request}"),
            "access_token": format!("token-{request}"),
            "expires_at": self.expires_at(request),
        });
        let location = format!("/v1/requests/request-{request}");
        ExpectedResponse::of(201)
            .json(created)
            .with("location", location)
    }

    /// The status for the creator, of a request that isn't deleted.
    pub(super) fn status(&self, request: usize) -> ExpectedResponse {
        let (it, id) = (&self.requests[request], format!("request-{request}"));
        let over = self.now >= it.expires_at;
        let (status, expires_at) = (self.status_of(request), self.expires_at(request));
        let mut view = json!({ "id": id, "status": status, "expires_at": expires_at });
        if it.state == State::Submitted && !over {
            let video = format!("video-{request}");
            let url = format!("/v1/videos/{video}");
            view["video"] = json!({ "id": video, "url": url, "expires_at": expires_at });
        }
        ExpectedResponse::of(200).json(view)
    }

    fn status_of(&self, request: usize) -> &'static str {
        let it = &self.requests[request];
        match it.state {
            _ if self.now >= it.expires_at => "expired",
            State::Submitted => "submitted",
            _ => "awaiting_submission",
        }
    }

    /// The page state for anyone with the link, of a request that isn't over.
    /// The order of takes is undefined: ids are random, and the clock stands still.
    pub(super) fn link_state(&self, request: usize, named: Option<usize>) -> ExpectedResponse {
        let awaiting = self.requests[request].state == State::Awaiting;
        let own = |it: &&Take| awaiting && it.request == request && it.exists;
        let mut takes: Vec<Value> = self.takes.iter().filter(own).map(view).collect();
        takes.sort_by_key(Value::to_string);
        let mut others = self.takes.iter().enumerate().filter(|(_, it)| own(it));
        let recorded_elsewhere = others.any(|(number, it)| {
            let growing = !it.complete && self.now - it.grown_at < GROWING;
            growing && named != Some(number)
        });
        let mut state = json!({
            "status": self.status_of(request),
            "expires_at": self.expires_at(request),
            "takes": takes,
            "recorded_elsewhere": recorded_elsewhere,
        });
        let named = named.and_then(|it| self.takes.get(it)).filter(own);
        if let Some(take) = named {
            state["take"] = view(take);
        }
        ExpectedResponse::of(200).json(state)
    }

    /// The upload status of a take.
    pub(super) fn upload_status(&self, status: u16, take: usize) -> ExpectedResponse {
        let it = &self.takes[take];
        let mut end = self.requests[it.request].expires_at;
        if !it.complete {
            end = end.min(self.now + OPEN_TAKE_LIFETIME);
        }
        let left = (end - self.now) / 1000;
        let limit = format!("max-size={MAX_TAKE_BYTES}, max-age={left}");
        ExpectedResponse::of(status)
            .with("upload-offset", it.committed)
            .with("upload-complete", if it.complete { "?1" } else { "?0" })
            .with("upload-limit", limit)
            .with("cache-control", "no-store")
    }

    /// The video of a request that isn't over.
    pub(super) fn video(
        &self,
        request: usize,
        take: usize,
        kind: VideoRequest,
    ) -> Result<ExpectedResponse, ExpectedResponse> {
        let take = &self.takes[take];
        let bytes = self.served(take);
        let total = bytes.len();
        let etag = format!("\"video-{request}.{}\"", self.served_recording.version);
        let stands = |status| {
            ExpectedResponse::of(status)
                .with("etag", etag.clone())
                .with("cache-control", "private, no-store")
        };
        let media_type = if take.recording == Recording::Live {
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
                return Err(
                    error_response(416, "range_not_satisfiable").with("content-range", none)
                );
            }
            let range = format!("bytes {first}-{last}/{total}");
            let answer = whole().with("content-range", range);
            let answer = answer.with("content-length", last + 1 - first);
            Ok(ExpectedResponse {
                status: 206,
                bytes: Some(bytes[first..=last].to_vec()),
                ..answer
            })
        };
        let length = total as u64;
        match kind {
            VideoRequest::Head => Ok(whole()),
            VideoRequest::Whole
            | VideoRequest::IfRangeMismatch
            | VideoRequest::IfNoneMatchMismatch => Ok(ExpectedResponse {
                bytes: Some(bytes.clone()),
                ..whole()
            }),
            VideoRequest::Range(first, last) => part(first, last),
            VideoRequest::BeyondEnd(more) => part(length + more, u64::from(u32::MAX)),
            VideoRequest::Suffix(0) => part(length, length),
            VideoRequest::Suffix(count) => part(length.saturating_sub(count), length),
            VideoRequest::IfRange => part(1, 5),
            VideoRequest::IfNoneMatch => Ok(stands(304)),
            VideoRequest::IfMatchMismatch => Err(error_response(412, "precondition_failed")),
        }
    }
}

/// The link's view of a take. Every complete take is sealed or refused by now.
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
