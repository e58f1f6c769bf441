//! The HTTP client of one request: `/r/{id}/…`.

use std::time::Duration;

use wasm_bindgen::JsValue;

use super::outbox::UploadPart;
use super::page_state::PageStateJson;
use super::response::{ResponseClass, classify_response};
use crate::browser::blob::Piece;
use crate::browser::{AbortGuard, FetchRequest, FetchResponse, Json, timeout};
use crate::recorder::state::Ending;

/// A request that takes longer has stalled. The server keeps what had arrived of it.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How the media types of the server's own answers begin, which are kinds of JSON.
/// The pages of proxies are texts.
const OWN_MEDIA_TYPES: &str = "application/";

/// Error codes for a take that can't become a video.
const UNPLAYABLE_CODES: [&str; 3] = ["unreadable", "no_video", "no_frame"];

/// A client of one request.
#[derive(Debug)]
pub struct Client {
    base_path: String,
}

/// The URL of a take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeUrl(String);

/// How much of a take is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadProgress {
    /// `Upload-Offset`: committed bytes.
    pub offset: u64,
    /// `Upload-Complete`: whether these are all bytes of the take.
    pub complete: bool,
}

/// A successful response. Its body can be read as long as this exists.
struct OpenResponse {
    response: FetchResponse,
    _abort: AbortGuard,
}

/// Why a request didn't succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientError {
    /// The `Upload-Offset` didn't match: ask for the offset.
    OffsetMismatch,
    /// Retry later, and not before the time of `Retry-After`, if there is one.
    Retry(Option<Duration>),
    /// Retry later: the server has no room for now.
    ServerFull,
    /// The server isn't ready yet: ask again soon.
    NotReady,
    /// Don't retry.
    Ended(Ending),
}

impl Client {
    /// The client of the request with this id.
    pub fn new(request: &str) -> Self {
        Self {
            base_path: "/r/".to_owned() + request,
        }
    }

    /// Whether a take belongs to this request.
    pub fn owns(&self, take: &TakeUrl) -> bool {
        take.0.starts_with(&self.base_path)
    }

    /// Creates a take. The metadata of the video will say whether it is a recording or a file.
    pub async fn create_take(
        &self,
        media_type: &str,
        is_file: bool,
    ) -> Result<TakeUrl, ClientError> {
        let captured_as = if is_file { "file" } else { "recorded" };
        let request = FetchRequest::new("POST", &self.path("/takes"))
            .header("Content-Type", media_type)
            .header("Vidence-Captured-As", captured_as)
            .header("Upload-Complete", "?0");
        let created = send(request, None).await?;
        created
            .response
            .header("Location")
            .map(TakeUrl)
            .ok_or(ClientError::Retry(None))
    }

    /// Appends a part to a take.
    pub async fn append(
        &self,
        take: &TakeUrl,
        part: &UploadPart<Piece>,
    ) -> Result<UploadProgress, ClientError> {
        let request = FetchRequest::new("PATCH", &take.0)
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Offset", &part.offset.to_string())
            .header("Upload-Complete", if part.is_last { "?1" } else { "?0" });
        let body = Piece::concat_slices(&part.slices).ok_or(ClientError::Retry(None))?;
        upload_progress(&send(request, Some(body)).await?)
    }

    /// Asks how much of a take is committed.
    pub async fn upload_progress(&self, take: &TakeUrl) -> Result<UploadProgress, ClientError> {
        let response = send(FetchRequest::new("HEAD", &take.0), None).await;
        match response {
            // A response to HEAD has no body, and so no code that tells an expired request from one taken down.
            Err(ClientError::Ended(Ending::Expired)) => {
                let error = self.page_state(None).await.err();
                Err(error.unwrap_or(ClientError::Ended(Ending::Expired)))
            }
            response => upload_progress(&response?),
        }
    }

    /// Deletes a take.
    pub async fn delete_take(&self, take: &TakeUrl) -> Result<(), ClientError> {
        send(FetchRequest::new("DELETE", &take.0), None)
            .await
            .map(drop)
    }

    /// Submits a take. `details` is what follows its id in the JSON: see `boot.js`.
    pub async fn submit(&self, take: &TakeUrl, details: &str) -> Result<(), ClientError> {
        let request = FetchRequest::new("POST", &self.path("/submission"))
            .header("Content-Type", "application/json");
        // An id needs no escape.
        let body = [r#"{"take":""#, take.id(), "\"", details, "}"].concat();
        match send(request, Some(body.into())).await {
            // An earlier attempt may have succeeded and only its response have been lost. A submission deletes the
            // other takes, so if this one still exists, it is the submitted one.
            Err(ClientError::Ended(Ending::AlreadySubmitted)) => {
                match self.upload_progress(take).await?.complete {
                    true => Ok(()),
                    false => Err(ClientError::Retry(None)),
                }
            }
            // Not every success is the server's: what answers in its place may say 204, or 200 and some JSON. Its own has
            // the size of the take.
            response => upload_progress(&response?).map(drop),
        }
    }

    fn path(&self, below: &str) -> String {
        self.base_path.clone() + below
    }

    /// Asks for the state of the request and of one take.
    pub async fn page_state(&self, take: Option<&TakeUrl>) -> Result<PageStateJson, ClientError> {
        let take = take.map_or("", TakeUrl::id);
        let request = FetchRequest::new("GET", &(self.path("/state?take=") + take));
        let response = send(request, None).await?;
        let json = Json::parse(&read_text(&response.response).await);
        json.map(PageStateJson::new).ok_or(ClientError::Retry(None))
    }
}

impl TakeUrl {
    /// The URL as it was stored.
    pub fn new(url: String) -> Self {
        Self(url)
    }

    /// The URL, to be stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn id(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }
}

async fn send(request: FetchRequest, body: Option<JsValue>) -> Result<OpenResponse, ClientError> {
    let abort = AbortGuard::new();
    let request = match body {
        Some(body) => request.body(&body),
        None => request,
    };
    let response = check_response(request.send(&abort)).await?;
    Ok(OpenResponse {
        response,
        _abort: abort,
    })
}

/// Awaits a response, up to the timeout, and turns an error of the server into a [`ClientError`].
async fn check_response(
    response: impl Future<Output = Option<FetchResponse>>,
) -> Result<FetchResponse, ClientError> {
    let Some(Some(response)) = timeout(REQUEST_TIMEOUT, response).await else {
        return Err(ClientError::Retry(None));
    };
    let has_offset = response.header("Upload-Offset").is_some();
    let media_type = response.header("Content-Type");
    let is_ours = media_type.is_some_and(|it| it.starts_with(OWN_MEDIA_TYPES));
    let class = classify_response(response.status(), has_offset, is_ours);
    let code = match class {
        ResponseClass::NotReady | ResponseClass::Ended(_) => {
            let code = read_error_code(&response).await;
            code.ok_or(ClientError::Retry(None))?
        }
        _ => String::new(),
    };
    match (class, code.as_str()) {
        (ResponseClass::Success, _) => Ok(response),
        (ResponseClass::OffsetMismatch, _) => Err(ClientError::OffsetMismatch),
        (ResponseClass::NotReady, "still_sealing") => Err(ClientError::NotReady),
        // The server deletes one of too many takes once it hasn't grown for a while.
        (ResponseClass::ServerFull, _) | (ResponseClass::Ended(_), "too_many_takes") => {
            Err(ClientError::ServerFull)
        }
        (ResponseClass::Retry | ResponseClass::NotReady, _) => {
            let seconds = response
                .header("Retry-After")
                .and_then(|it| it.parse().ok());
            Err(ClientError::Retry(seconds.map(Duration::from_secs)))
        }
        // As if the take were deleted: it can be uploaded again.
        (ResponseClass::Ended(_), "take_failed") => Err(ClientError::Ended(Ending::Withdrawn)),
        (ResponseClass::Ended(_), "taken_down") => Err(ClientError::Ended(Ending::TakenDown)),
        (ResponseClass::Ended(_), code) if UNPLAYABLE_CODES.contains(&code) => {
            Err(ClientError::Ended(Ending::Unplayable))
        }
        (ResponseClass::Ended(ending), _) => Err(ClientError::Ended(ending)),
    }
}

/// Reads the body of a response; empty if that stalls.
async fn read_text(response: &FetchResponse) -> String {
    let text = timeout(REQUEST_TIMEOUT, response.text()).await;
    text.flatten().unwrap_or_default()
}

/// Reads the code of an error; empty without a body, as of a HEAD.
/// `None`: it isn't the server's own, which has a code.
async fn read_error_code(response: &FetchResponse) -> Option<String> {
    let text = read_text(response).await;
    if text.is_empty() {
        return Some(text);
    }
    Json::parse(&text)?.get("error").get("code").as_text()
}

fn upload_progress(response: &OpenResponse) -> Result<UploadProgress, ClientError> {
    let header = |name| response.response.header(name);
    let offset = header("Upload-Offset").and_then(|text| text.parse().ok());
    let complete = header("Upload-Complete").is_some_and(|text| text == "?1");
    offset
        .map(|offset| UploadProgress { offset, complete })
        .ok_or(ClientError::Retry(None))
}
