//! The HTTP client of the console: `/v1`, and what lies below a video.

use std::time::Duration;

use futures_util::future::{Either, select};
use gloo_net::http::{Request, RequestBuilder, Response};
use serde::de::DeserializeOwned;

use super::polling::{PREFER_WAIT, REQUEST_TIMEOUT};
use crate::api::{CreateRequest, CreatedRequest, ErrorBody, PageState, RequestView};
use crate::browser::blob::BlobUrl;
use crate::browser::{AbortGuard, NO_STORE, sleep, wait_until_offline};
use crate::video_metadata::VideoMetadata;

/// For the download of a whole video.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(600);

/// Why a request didn't succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiError {
    /// The server responded with an error.
    Rejected {
        /// The status code.
        status: u16,
        /// The server's message.
        message: String,
        /// `Retry-After`, in seconds.
        retry_after: Option<u64>,
    },
    /// There is no response, or it isn't the server's.
    Unreachable,
}

/// Creates a request.
pub async fn create_request(body: &CreateRequest) -> Result<CreatedRequest, ApiError> {
    let request = Request::post("/v1/requests").json(body);
    let request = request.map_err(|_| ApiError::Unreachable)?;
    read_response(request.send(), REQUEST_TIMEOUT, read_json).await
}

/// Gets the status of a request.
/// With `long_poll` the server holds the response until there is a change.
///
/// Fails as soon as the browser is offline, which would otherwise be noticed only when the response was due.
pub async fn request_status(
    request: &str,
    token: &str,
    long_poll: bool,
) -> Result<RequestView, ApiError> {
    let get = Request::get(&format!("/v1/requests/{request}"));
    let get = match long_poll {
        true => get.header("Prefer", PREFER_WAIT),
        false => get,
    };
    let response = std::pin::pin!(send(get, token, REQUEST_TIMEOUT, read_json));
    match select(response, std::pin::pin!(wait_until_offline())).await {
        Either::Left((view, _)) => view,
        Either::Right(_) => Err(ApiError::Unreachable),
    }
}

/// Gets what the link of a request shows.
pub async fn link_state(request: &str) -> Result<PageState, ApiError> {
    let get = Request::get(&format!("/r/{request}/state")).cache(NO_STORE);
    read_response(get.send(), REQUEST_TIMEOUT, read_json).await
}

/// Deletes a request and its video.
pub async fn delete_request(request: &str, token: &str) -> Result<(), ApiError> {
    let delete = Request::delete(&format!("/v1/requests/{request}"));
    send(delete, token, REQUEST_TIMEOUT, async |_| Some(())).await
}

/// Gets the metadata of a video.
pub async fn video_metadata(video: &str, token: &str) -> Result<VideoMetadata, ApiError> {
    let get = Request::get(&format!("/videos/{video}/metadata"));
    send(get, token, REQUEST_TIMEOUT, read_json).await
}

/// Downloads what lies at this path: a picture of a video, or its receipt.
pub async fn content(path: &str, token: &str) -> Result<BlobUrl, ApiError> {
    send(Request::get(path), token, REQUEST_TIMEOUT, read_blob).await
}

/// Downloads a whole video.
pub async fn download_video(video: &str, token: &str) -> Result<BlobUrl, ApiError> {
    let get = Request::get(&format!("/v1/videos/{video}"));
    send(get, token, DOWNLOAD_TIMEOUT, read_blob).await
}

async fn send<T>(
    request: RequestBuilder,
    token: &str,
    timeout: Duration,
    read: impl AsyncFnOnce(Response) -> Option<T>,
) -> Result<T, ApiError> {
    let abort = AbortGuard::new();
    let request = request
        .header("Authorization", &format!("Bearer {token}"))
        // Nothing may be cached. Besides, a browser that consults its cache holds a deletion back until a long poll of
        // the same URL is answered.
        .cache(NO_STORE)
        .abort_signal(abort.signal().as_ref());
    read_response(request.send(), timeout, read).await
}

/// Awaits a response and reads it, up to the timeout.
async fn read_response<T>(
    response: impl Future<Output = Result<Response, gloo_net::Error>>,
    timeout: Duration,
    read: impl AsyncFnOnce(Response) -> Option<T>,
) -> Result<T, ApiError> {
    let content = async {
        let response = response.await.map_err(|_| ApiError::Unreachable)?;
        if !response.ok() {
            return Err(read_error(&response).await);
        }
        read(response).await.ok_or(ApiError::Unreachable)
    };
    match select(std::pin::pin!(content), std::pin::pin!(sleep(timeout))).await {
        Either::Left((content, _)) => content,
        Either::Right(_) => Err(ApiError::Unreachable),
    }
}

async fn read_json<T: DeserializeOwned>(response: Response) -> Option<T> {
    response.json().await.ok()
}

async fn read_blob(response: Response) -> Option<BlobUrl> {
    BlobUrl::from_response(response.into()).await
}

/// Reads an error.
/// One that isn't in the server's format comes from a proxy and says nothing about the request.
async fn read_error(response: &Response) -> ApiError {
    let retry_after = response.headers().get("Retry-After");
    let retry_after = retry_after.and_then(|text| text.parse().ok());
    match response.json::<ErrorBody>().await {
        Ok(body) => ApiError::Rejected {
            status: response.status(),
            message: body.error.message,
            retry_after,
        },
        Err(_) => ApiError::Unreachable,
    }
}
