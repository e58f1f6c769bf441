//! What the console asks the server: `/v1`, and facts and stills beside it. By gloo-net.

use std::time::Duration;

use futures_util::future::{Either, select};
use gloo_net::http::{Request, RequestBuilder, Response};
use serde::de::DeserializeOwned;

use super::polling::{LONGEST_ANSWER, PREFER};
use crate::api::{CreateRequest, CreatedRequest, ErrorBody, RequestView};
use crate::browser::{Abort, BlobUrl, UNCACHED, offline, wait};
use crate::video_metadata::VideoMetadata;

/// For a whole video.
const LONGEST_DOWNLOAD: Duration = Duration::from_secs(600);

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The server says no.
    Refused {
        /// Which no.
        status: u16,
        /// In its own words.
        message: String,
        /// `Retry-After`, in seconds.
        retry_after: Option<u64>,
    },
    /// Nobody answers, or not the server.
    Away,
}

/// Asks for a video.
pub async fn create(wish: &CreateRequest) -> Result<CreatedRequest, Failure> {
    let request = Request::post("/v1/requests").json(wish);
    let request = request.map_err(|_| Failure::Away)?;
    finish(request.send(), LONGEST_ANSWER, json).await
}

/// Asks where a request stands; the server may `hold` the answer back until there is news. Over when the
/// network is: the browser would notice only when the answer was due.
pub async fn status(request: &str, token: &str, hold: bool) -> Result<RequestView, Failure> {
    let asking = Request::get(&format!("/v1/requests/{request}"));
    let asking = match hold {
        true => asking.header("Prefer", PREFER),
        false => asking,
    };
    let answer = ask(asking, token, LONGEST_ANSWER, json);
    match select(std::pin::pin!(answer), std::pin::pin!(offline())).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Failure::Away),
    }
}

/// Deletes a request and its video.
pub async fn delete(request: &str, token: &str) -> Result<(), Failure> {
    let asking = Request::delete(&format!("/v1/requests/{request}"));
    ask(asking, token, LONGEST_ANSWER, async |_| Some(())).await
}

/// Asks what is known of a video.
pub async fn metadata(video: &str, token: &str) -> Result<VideoMetadata, Failure> {
    let asking = Request::get(&format!("/videos/{video}/metadata"));
    ask(asking, token, LONGEST_ANSWER, json).await
}

/// Fetches a picture of a video.
pub async fn still(video: &str, at_ms: u64, token: &str) -> Result<BlobUrl, Failure> {
    let asking = Request::get(&format!("/videos/{video}/stills/{at_ms}"));
    ask(asking, token, LONGEST_ANSWER, file).await
}

/// Fetches a video, all of it.
pub async fn whole(video: &str, token: &str) -> Result<BlobUrl, Failure> {
    let asking = Request::get(&format!("/v1/videos/{video}"));
    ask(asking, token, LONGEST_DOWNLOAD, file).await
}

async fn ask<T>(
    asking: RequestBuilder,
    token: &str,
    patience: Duration,
    read: impl AsyncFnOnce(Response) -> Option<T>,
) -> Result<T, Failure> {
    let abort = Abort::new();
    let asking = asking
        .header("Authorization", &format!("Bearer {token}"))
        // Nothing of this is kept; and a browser that looks whether it was would hold a deletion back until
        // a question about the same address is answered.
        .cache(UNCACHED)
        .abort_signal(abort.signal().as_ref());
    finish(asking.send(), patience, read).await
}

/// Waits for an answer and reads it, but not for ever.
async fn finish<T>(
    sending: impl Future<Output = Result<Response, gloo_net::Error>>,
    patience: Duration,
    read: impl AsyncFnOnce(Response) -> Option<T>,
) -> Result<T, Failure> {
    let answered = async {
        let answer = sending.await.map_err(|_| Failure::Away)?;
        if !answer.ok() {
            return Err(refusal(&answer).await);
        }
        read(answer).await.ok_or(Failure::Away)
    };
    match select(std::pin::pin!(answered), std::pin::pin!(wait(patience))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Failure::Away),
    }
}

async fn json<T: DeserializeOwned>(answer: Response) -> Option<T> {
    answer.json().await.ok()
}

async fn file(answer: Response) -> Option<BlobUrl> {
    BlobUrl::of_body(answer.into()).await
}

/// What isn't in the server's own form is some proxy's, and means nothing.
async fn refusal(answer: &Response) -> Failure {
    let retry_after = answer.headers().get("Retry-After");
    let retry_after = retry_after.and_then(|text| text.parse().ok());
    match answer.json::<ErrorBody>().await {
        Ok(body) => Failure::Refused {
            status: answer.status(),
            message: body.error.message,
            retry_after,
        },
        Err(_) => Failure::Away,
    }
}
