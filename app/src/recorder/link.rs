//! What the page asks the server: `/r/{id}/…`, by gloo-net.

use futures_util::future::{Either, select};
use gloo_net::http::{Method, Request, RequestBuilder, Response};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsValue;

use super::machine::Ending;
use super::outbox::Part;
use super::retry::{Verdict, verdict};
use crate::api::{ErrorBody, Submission};
use crate::browser::{Abort, Piece};

/// A request that takes longer has stalled. The server keeps what had arrived of it.
const STALLED_MS: u32 = 30_000;

/// How the server says no. Whatever else says no is a proxy.
const OURS: [&str; 2] = ["application/json", "application/problem+json"];

/// Codes of what can't become a video.
const UNPLAYABLE: [&str; 3] = ["unreadable", "no_video", "no_frame"];

/// The address below which everything of one request lies.
#[derive(Clone, Debug)]
pub struct Link {
    base: String,
}

/// A take's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeUrl(String);

/// How much of a take the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
}

/// Why an answer is no good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Ask for the offset.
    Resync,
    /// Try again later.
    Later,
    /// Ask again in a moment.
    NotYet,
    /// Never.
    Over(Ending),
}

impl Link {
    /// Of the request with this id.
    pub fn new(request: &str) -> Self {
        Self {
            base: format!("/r/{request}"),
        }
    }

    /// Begins a take.
    pub async fn begin(&self, media_type: &str) -> Result<TakeUrl, Failure> {
        let request = Request::post(&format!("{}/takes", self.base))
            .header("Content-Type", media_type)
            .header("Upload-Complete", "?0");
        let response = send(request, None).await?;
        response
            .headers()
            .get("Location")
            .map(TakeUrl)
            .ok_or(Failure::Later)
    }

    /// Sends a part.
    pub async fn append(&self, take: &TakeUrl, part: &Part<Piece>) -> Result<Progress, Failure> {
        let request = Request::patch(&take.0)
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Offset", &part.offset.to_string())
            .header("Upload-Complete", if part.last { "?1" } else { "?0" });
        let body = Piece::join(&part.slices).ok_or(Failure::Later)?;
        progress(&send(request, Some(body)).await?)
    }

    /// Asks how much is safe.
    pub async fn offset(&self, take: &TakeUrl) -> Result<Progress, Failure> {
        progress(&send(Request::get(&take.0).method(Method::HEAD), None).await?)
    }

    /// Throws a take away.
    pub async fn discard(&self, take: &TakeUrl) -> Result<(), Failure> {
        send(Request::delete(&take.0), None).await.map(drop)
    }

    /// Makes a take the video.
    pub async fn submit(&self, take: &TakeUrl) -> Result<(), Failure> {
        let submission = Submission {
            take: take.id().to_owned(),
        };
        let request = Request::post(&format!("{}/submission", self.base));
        let request = request.json(&submission).map_err(|_| Failure::Later)?;
        match answer(request.send()).await {
            // The first try may have arrived and only its answer been lost. Submitting deletes the
            // other takes, so if ours is still there, it is the one.
            Err(Failure::Over(Ending::AlreadySubmitted)) => match self.offset(take).await {
                Ok(Progress { complete: true, .. }) => Ok(()),
                Err(failure) if failure != Failure::Resync => Err(failure),
                _ => Err(Failure::Later),
            },
            answer => answer.map(drop),
        }
    }
}

impl TakeUrl {
    fn id(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }
}

async fn send(request: RequestBuilder, body: Option<JsValue>) -> Result<Response, Failure> {
    let abort = Abort::new();
    let request = request.abort_signal(abort.signal().as_ref());
    let request = match body {
        Some(body) => request.body(body),
        None => request.build(),
    };
    let request = request.map_err(|_| Failure::Later)?;
    answer(request.send()).await
}

/// Waits for an answer, but not for ever.
async fn answer(
    sending: impl Future<Output = Result<Response, gloo_net::Error>>,
) -> Result<Response, Failure> {
    let sending = std::pin::pin!(sending);
    let stalled = TimeoutFuture::new(STALLED_MS);
    let Either::Left((Ok(response), _)) = select(sending, stalled).await else {
        return Err(Failure::Later);
    };
    let headers = response.headers();
    let has_offset = headers.has("Upload-Offset");
    let ours = headers
        .get("Content-Type")
        .is_some_and(|it| OURS.contains(&it.as_str()));
    match verdict(response.status(), has_offset, ours) {
        Verdict::Good => Ok(response),
        Verdict::Resync => Err(Failure::Resync),
        Verdict::Later => Err(Failure::Later),
        Verdict::NotYet => Err(Failure::NotYet),
        Verdict::Over(Ending::Refused) if is_unplayable(&response).await => {
            Err(Failure::Over(Ending::Unplayable))
        }
        Verdict::Over(ending) => Err(Failure::Over(ending)),
    }
}

/// Whether the server says that the file itself is what is wrong.
async fn is_unplayable(response: &Response) -> bool {
    let body = response.json::<ErrorBody>().await;
    body.is_ok_and(|body| UNPLAYABLE.contains(&body.error.code.as_str()))
}

fn progress(response: &Response) -> Result<Progress, Failure> {
    let headers = response.headers();
    let offset = headers
        .get("Upload-Offset")
        .and_then(|text| text.parse().ok());
    let complete = headers
        .get("Upload-Complete")
        .is_some_and(|text| text == "?1");
    offset
        .map(|offset| Progress { offset, complete })
        .ok_or(Failure::Later)
}
