//! The interfaces of a server as `vidence ask` calls them: over the network, as any other client does.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use app::api::{CreateRequest, CreatedRequest, ErrorBody, RequestStatus};
use bytes::Bytes;
use reqwest::header::{IF_RANGE, LOCATION, RANGE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::storage::tls;

/// The time for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The time between two bytes of an answer. A long poll has none for [`WAIT`].
const READ_TIMEOUT: Duration = Duration::from_secs(75);

/// How long a long poll waits: the most that Vidence allows.
const WAIT: Duration = Duration::from_secs(50);

/// Maximum size of an answer that is read into memory, in bytes. The largest pictures have 3 MiB.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    #[error("the server can't be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("the server refused with {status}: {message}")]
    Refused {
        status: StatusCode,
        /// That of the envelope. `None`: the answer is that of a proxy, or of another server.
        code: Option<String>,
        message: String,
        retry_after: Option<Duration>,
    },
    #[error("this is no answer of Vidence; is the address right?")]
    Unreadable(#[source] serde_json::Error),
    #[error("the server's answer is longer than any of Vidence's")]
    TooLong,
    #[error("the server's answer has {0} that can't be used")]
    Unusable(&'static str),
    #[error(
        "the server's certificate isn't trusted: if it is your own, name its file in SSL_CERT_FILE"
    )]
    Untrusted(#[source] reqwest::Error),
}

impl ApiError {
    /// Whether the same call may succeed later.
    pub fn is_temporary(&self) -> bool {
        match self {
            // A laptop may be behind the page of a hotel for a while.
            Self::Unreachable(_) | Self::Untrusted(_) => true,
            Self::Refused { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Self::Unreadable(_) | Self::TooLong | Self::Unusable(_) => false,
        }
    }

    /// Whether something else than the server has answered: a page, or an error without a code.
    pub fn is_of_a_proxy(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Refused { code: None, .. })
    }

    /// Whether the server itself says that there is no such thing: a proxy that answers 404 says nothing of it.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { code: Some(code), .. } if code == "not_found")
    }

    fn is_not_ready(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: StatusCode::CONFLICT,
                code: Some(_),
                ..
            }
        )
    }

    /// How long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// The status of a request, by any server of this interface: `expires_at` may be absent.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub status: RequestStatus,
    pub video: Option<Video>,
}

/// A submitted video. Its URL isn't followed: the token goes to the server that was named, and nowhere else.
#[derive(Debug, Deserialize)]
pub(super) struct Video {
    pub id: String,
}

/// A server.
pub(super) struct Api {
    client: Client,
    /// Ends with a slash.
    base: Url,
}

impl Api {
    /// A client that doesn't follow redirects, which could take the token elsewhere.
    pub fn new(base: Url) -> reqwest::Result<Self> {
        tls::install_provider();
        let client = Client::builder()
            .redirect(Policy::none())
            .user_agent(concat!("vidence-ask/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()?;
        Ok(Self { client, base })
    }

    pub async fn create(&self, wanted: &CreateRequest) -> Result<CreatedRequest, ApiError> {
        let call = self.client.post(self.url("v1/requests")).json(wanted);
        let mut created: CreatedRequest = parse(&read(send(call).await?).await?)?;
        // It becomes the name of a folder, and a part of a command to copy.
        if !is_id(&created.id) {
            return Err(ApiError::Unusable("an id"));
        }
        let link = Url::parse(&created.submission_url).ok();
        let link = link.filter(|it| matches!(it.scheme(), "http" | "https"));
        created.submission_url = link.ok_or(ApiError::Unusable("a link"))?.into();
        Ok(created)
    }

    /// The status, as soon as it changes, or after [`WAIT`].
    pub async fn wait_for_change(&self, id: &str, token: &str) -> Result<Status, ApiError> {
        let path = format!("v1/requests/{id}");
        let prefer = format!("wait={}", WAIT.as_secs());
        let call = self
            .authorized(Method::GET, &path, token)
            .header("Prefer", prefer);
        let status: Status = parse(&read(send(call).await?).await?)?;
        match status.video.as_ref().is_none_or(|it| is_id(&it.id)) {
            true => Ok(status),
            false => Err(ApiError::Unusable("an id")),
        }
    }

    /// Deletes a request. One that doesn't exist is deleted.
    pub async fn delete(&self, id: &str, token: &str) -> Result<(), ApiError> {
        let path = format!("v1/requests/{id}");
        match send(self.authorized(Method::DELETE, &path, token)).await {
            Err(error) if error.is_not_found() => Ok(()),
            answer => answer.map(drop),
        }
    }

    /// A JSON document. `None`: there is none.
    pub async fn json<T: DeserializeOwned>(
        &self,
        path: &str,
        token: &str,
    ) -> Result<Option<T>, ApiError> {
        let body = self.bytes(path, token).await?;
        body.map(|body| parse(&body)).transpose()
    }

    /// A small document. `None`: there is none, or not yet.
    pub async fn bytes(&self, path: &str, token: &str) -> Result<Option<Bytes>, ApiError> {
        match send(self.authorized(Method::GET, path, token)).await {
            Err(error) if error.is_not_found() || error.is_not_ready() => Ok(None),
            answer => Ok(Some(read(answer?).await?)),
        }
    }

    /// Begins to stream a video, behind the bytes that are there already if it is still the one with this entity tag.
    pub async fn stream(
        &self,
        video: &str,
        token: &str,
        from: u64,
        etag: Option<&str>,
    ) -> Result<Response, ApiError> {
        let mut call = self.authorized(Method::GET, &format!("v1/videos/{video}"), token);
        if let (1.., Some(etag)) = (from, etag) {
            call = call
                .header(RANGE, format!("bytes={from}-"))
                .header(IF_RANGE, etag);
        }
        send(call).await
    }

    fn authorized(&self, method: Method, path: &str, token: &str) -> RequestBuilder {
        self.client
            .request(method, self.url(path))
            .bearer_auth(token)
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }
}

/// Whether an id is one of a server of this interface, and nothing else to a shell or a file system.
fn is_id(id: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
    (1..=64).contains(&id.len()) && id.bytes().all(is_plain)
}

fn unreachable(error: reqwest::Error) -> ApiError {
    let mut cause = error.source();
    while let Some(it) = cause {
        // An `io::Error` hides the error in it: its source is that one's source.
        let inner = it.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let inner = inner.and_then(|it| it.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(_)) = inner.or_else(|| it.downcast_ref()) {
            return ApiError::Untrusted(error);
        }
        cause = it.source();
    }
    ApiError::Unreachable(error)
}

/// Sends a call. An answer that is no success is an error, with the message of its envelope.
async fn send(call: RequestBuilder) -> Result<Response, ApiError> {
    let answer = call.send().await.map_err(unreachable)?;
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let seconds = answer.headers().get(RETRY_AFTER);
    let seconds = seconds.and_then(|it| it.to_str().ok()?.parse().ok());
    let moved = answer
        .headers()
        .get(LOCATION)
        .and_then(|it| it.to_str().ok());
    let moved = moved.map(|to| format!("it is at {to}: name that address with --server"));
    let body = read(answer).await.unwrap_or_default();
    let envelope = serde_json::from_slice::<ErrorBody>(&body);
    let (code, message) = match envelope {
        Ok(ErrorBody { error }) => (Some(error.code), error.message),
        Err(_) => (
            None,
            moved.unwrap_or_else(|| "it isn't said why".to_owned()),
        ),
    };
    Err(ApiError::Refused {
        status,
        code,
        // It may be shown in a terminal.
        message: message.replace(char::is_control, " "),
        retry_after: seconds.map(Duration::from_secs),
    })
}

async fn read(mut answer: Response) -> Result<Bytes, ApiError> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(ApiError::Unreachable)? {
        if body.len() + piece.len() > MAX_ANSWER_BYTES {
            return Err(ApiError::TooLong);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body.into())
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(ApiError::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_word_that_no_shell_and_no_path_takes_apart() {
        for (id, want) in [
            ("kX3bT9cQ2mZr8VnLw5YpHd", true),
            ("0b7e6f0c-5d0e-4a57-9a3c-1f2e3d4c5b6a", true),
            ("", false),
            ("A;touch x;#", false),
            ("A/../../x", false),
            ("a\u{1b}[2J", false),
            (&"a".repeat(65), false),
        ] {
            assert_eq!(is_id(id), want, "{id}");
        }
    }
}
