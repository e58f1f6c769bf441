//! The interfaces of a server as `vidence ask` calls them: over the network, as any other client does.

use std::time::Duration;

use app::api::{CreateRequest, CreatedRequest, ErrorBody, RequestStatus};
use bytes::Bytes;
use reqwest::header::{IF_RANGE, LOCATION, RANGE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::api_error::{ApiError, unreachable};
use super::server_url::is_loopback;
use crate::cli::terminal::printable::printable;
use crate::storage::tls;

/// The time for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The time between two bytes of an answer. A long poll has none for [`WAIT`].
const READ_TIMEOUT: Duration = Duration::from_secs(75);

/// How long a long poll waits: the most that Vidence allows.
const WAIT: Duration = Duration::from_secs(50);

/// Maximum size of an answer that is read into memory, in bytes. The largest pictures have 3 MiB.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// The path of creations.
const REQUESTS: &str = "v1/requests";

/// The status of a request, by any server of this interface: `expires_at` may be absent.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub status: RequestStatus,
    pub video: Option<Video>,
}

/// A submitted video.
/// Its URL isn't followed: the token goes to the server that was named, and nowhere else.
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
        let mut client = Client::builder();
        // To a proxy this machine would be another one.
        if is_loopback(&base) {
            client = client.no_proxy();
        }
        let client = client
            .redirect(Policy::none())
            .user_agent(concat!("vidence-ask/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()?;
        Ok(Self { client, base })
    }

    pub async fn create(&self, wanted: &CreateRequest) -> Result<CreatedRequest, ApiError> {
        let call = self.client.post(self.url(REQUESTS)).json(wanted);
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

    /// Deletes a request. One that doesn't exist is deleted; a page of a proxy says nothing of it.
    pub async fn delete(&self, id: &str, token: &str) -> Result<(), ApiError> {
        let path = format!("v1/requests/{id}");
        match send(self.authorized(Method::DELETE, &path, token)).await {
            Err(error) if error.is_not_found() => Ok(()),
            answer => match answer?.status() {
                StatusCode::NO_CONTENT => Ok(()),
                other => Err(ApiError::NotDeleted(other)),
            },
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

    /// A small document. `None`: there is none, not yet, or not any more.
    pub async fn bytes(&self, path: &str, token: &str) -> Result<Option<Bytes>, ApiError> {
        match send(self.authorized(Method::GET, path, token)).await {
            Err(error) if error.is_not_found() || error.is_gone() || error.is_not_ready() => {
                Ok(None)
            }
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

/// Sends a call. An answer that is no success is an error, with the message of its envelope.
async fn send(call: RequestBuilder) -> Result<Response, ApiError> {
    let answer = call.send().await.map_err(unreachable)?;
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let seconds = answer.headers().get(RETRY_AFTER);
    let seconds = seconds.and_then(|it| it.to_str().ok()?.parse().ok());
    let moved = moved(&answer);
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
        message: printable(&message.replace(char::is_control, " ")),
        retry_after: seconds.map(Duration::from_secs),
    })
}

/// What a redirect says: the address for `--server`, if the same call is there.
fn moved(answer: &Response) -> Option<String> {
    let to = answer.headers().get(LOCATION)?.to_str().ok()?;
    let mut to = answer.url().join(to).ok()?;
    let Some(base) = to.path().strip_suffix(REQUESTS).map(str::to_owned) else {
        return Some(format!("it redirects to {to}"));
    };
    to.set_path(&base);
    to.set_query(None);
    Some(format!("it is at {to}: name that address with --server"))
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
    fn ids_are_safe_in_shells_and_paths() {
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
