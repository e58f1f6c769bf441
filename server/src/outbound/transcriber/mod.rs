//! Client of a server that turns speech into text, by OpenAI's `POST /v1/audio/transcriptions`.
//!
//! Nothing that it answers is trusted: `answer` bounds and repairs it. What fails is an error without the URL, the key
//! and the answer, as those may hold a secret or what was said.

mod answer;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::timeout;

pub use answer::{Answer, MAX_SEGMENTS, Segment};

/// Time to connect. A server in the same network needs milliseconds, one elsewhere less than a second.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Time that a call may take besides that for the audio: the server may have to load its model.
const BASE_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest call: an hour of audio on a slow machine.
const MAX_TIMEOUT: Duration = Duration::from_mins(30);

/// The largest answer in bytes.
/// An hour of speech has some 60 KB of text, and ten times that with all that servers say of each segment.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// Time for which nothing is sent after a failure of the server, so that not every waiting video is read in vain.
const COOLDOWN: Duration = Duration::from_secs(30);

/// How to reach a transcriber.
#[derive(Clone)]
pub struct Settings {
    /// The URL of its operation.
    pub url: Url,
    /// The model, as the server knows it.
    pub model: String,
    /// The key, for a server that wants one.
    pub key: Option<Key>,
}

/// An API key, as the value of `Authorization`. It is never printed.
#[derive(Clone)]
pub struct Key(HeaderValue);

impl Key {
    /// `None`: it can't be sent in a header.
    pub fn new(key: &str) -> Option<Self> {
        let is_sendable = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        let mut value = HeaderValue::try_from(format!("Bearer {key}")).ok()?;
        value.set_sensitive(true);
        is_sendable.then_some(Self(value))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum TranscriberError {
    /// No connection, or it broke.
    #[error("the transcriber can't be reached")]
    Unreachable(#[source] reqwest::Error),
    /// The server has no capacity, its proxy doesn't reach it, or it doesn't know key or model: whatever the audio.
    #[error("the transcriber takes no audio now: status {0}")]
    Busy(u16),
    /// The server failed, or refuses the audio.
    #[error("the transcriber refused: status {0}")]
    Refused(u16),
    /// There was no answer in time.
    #[error("the transcriber took too long")]
    TimedOut,
    /// The answer has more than [`MAX_ANSWER_BYTES`].
    #[error("the transcriber's answer is too long")]
    TooLong,
    /// The answer isn't the JSON that was asked for. Without the parser's error, which quotes it.
    #[error("the transcriber's answer can't be read")]
    Unreadable,
}

impl TranscriberError {
    /// Whether the server shouldn't be asked again at once, with whatever audio.
    pub fn is_unwell(&self) -> bool {
        self.is_unavailable() || matches!(self, Self::Unreachable(_) | Self::TimedOut)
    }

    /// Whether the server is away, and will recover, as opposed to failing with this audio.
    pub fn is_unavailable(&self) -> bool {
        match self {
            // A connection that breaks later may be broken by this audio.
            Self::Unreachable(error) => error.is_connect(),
            Self::Busy(_) => true,
            _ => false,
        }
    }
}

/// Audio to be transcribed: a complete file.
pub struct Audio {
    /// The file name, by which some servers know the format.
    pub name: String,
    /// The media type.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The duration, from which the time for the call follows.
    pub duration: Duration,
}

/// A client of one server. Cheap to clone.
#[derive(Clone)]
pub struct Transcriber {
    client: Client,
    settings: Settings,
    /// Time that a call may take besides that for the audio.
    pub base_timeout: Duration,
    /// When the server failed last, by [`crate::clock::Clock::monotonic`].
    failed_at: Arc<Mutex<Option<Duration>>>,
}

impl Transcriber {
    /// A client that doesn't follow redirects, and uses no proxy of the environment: a key and a recording go nowhere
    /// else.
    pub fn new(settings: Settings) -> reqwest::Result<Self> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT_TIMEOUT)
            // A call can't be repeated when the server has just closed a connection that was kept: its body is sent once.
            .pool_max_idle_per_host(0)
            .build()?;
        Ok(Self {
            client,
            settings,
            base_timeout: BASE_TIMEOUT,
            failed_at: Arc::default(),
        })
    }

    /// Whether the server failed so recently that nothing should be sent `now`.
    pub fn is_cooling_down(&self, now: Duration) -> bool {
        let failed_at = *self.failed_at.lock();
        failed_at.is_some_and(|at| now.abs_diff(at) < COOLDOWN)
    }

    /// Notes whether the server failed `now`.
    pub fn note(&self, failed: bool, now: Duration) {
        *self.failed_at.lock() = failed.then_some(now);
    }

    /// Transcribes audio. The times of the answer are those of the audio.
    pub async fn transcribe(&self, audio: Audio) -> Result<Answer, TranscriberError> {
        let duration = audio.duration;
        let longest = (self.base_timeout + 2 * duration).min(MAX_TIMEOUT);
        match timeout(longest, self.call(audio)).await {
            Ok(body) => Answer::read(&body?, duration).ok_or(TranscriberError::Unreadable),
            Err(_) => Err(TranscriberError::TimedOut),
        }
    }

    async fn call(&self, audio: Audio) -> Result<Vec<u8>, TranscriberError> {
        let file = Part::bytes(audio.bytes).file_name(audio.name);
        let file = file.mime_str(audio.media_type).map_err(unreachable)?;
        let form = Form::new()
            .text("model", self.settings.model.clone())
            .text("response_format", "verbose_json")
            .text("timestamp_granularities[]", "segment")
            .part("file", file);
        let mut call = self.client.post(self.settings.url.clone());
        // Its length is sent, because some servers take no body of unknown length.
        call = call.multipart(form);
        if let Some(Key(key)) = &self.settings.key {
            call = call.header(AUTHORIZATION, key.clone());
        }
        let response = call.send().await.map_err(unreachable)?;
        match response.status() {
            StatusCode::OK => read(response).await,
            status @ (StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::NOT_FOUND
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT) => Err(TranscriberError::Busy(status.as_u16())),
            status => Err(TranscriberError::Refused(status.as_u16())),
        }
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, TranscriberError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(TranscriberError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The URL may hold a secret of the operator.
fn unreachable(error: reqwest::Error) -> TranscriberError {
    TranscriberError::Unreachable(error.without_url())
}

/// Reads the URL of the operation, or a base URL to which its path is added.
/// The error doesn't quote it.
pub fn endpoint(text: &str) -> Result<Url, &'static str> {
    const FORM: &str =
        "give it as http://host:port/v1, without a user, or as the whole URL of the operation";
    let mut url: Url = text.parse().map_err(|_| FORM)?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_http = matches!(url.scheme(), "http" | "https") && url.has_host();
    if !is_http || !is_plain || url.fragment().is_some() {
        return Err(FORM);
    }
    let missing = match url.path().trim_end_matches('/') {
        "" => "/v1/audio/transcriptions",
        base if base.ends_with("/v1") => "/audio/transcriptions",
        _ => return Ok(url),
    };
    let path = format!("{}{missing}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_completed_and_a_full_one_is_unchanged() {
        for (text, want) in [
            (
                "http://127.0.0.1:8000",
                "http://127.0.0.1:8000/v1/audio/transcriptions",
            ),
            (
                "https://api.example.com/v1/",
                "https://api.example.com/v1/audio/transcriptions",
            ),
            (
                "https://example.com/openai/v1",
                "https://example.com/openai/v1/audio/transcriptions",
            ),
            (
                "http://127.0.0.1:8080/inference",
                "http://127.0.0.1:8080/inference",
            ),
            (
                "https://example.com/t/audio/transcriptions?api-version=3",
                "https://example.com/t/audio/transcriptions?api-version=3",
            ),
        ] {
            let url = endpoint(text).map(|it| it.to_string());
            assert_eq!(url.as_deref(), Ok(want));
        }
        for text in [
            "",
            "localhost:8000",
            "ftp://example.com/v1",
            "https://user:hunter2@example.com/v1",
            "https://key@example.com",
            "https://example.com/v1#part",
            "file:///v1",
        ] {
            let error = endpoint(text).expect_err(text);
            assert!(!error.contains("hunter2"));
        }
    }

    #[test]
    fn a_key_is_never_printed() {
        let key = Key::new("sk-hunter2").expect("a key");
        assert_eq!(format!("{key:?} {:?}", key.0), "Key(..) Sensitive");
        for text in ["", "a b", "a\nb", "schlüssel"] {
            assert!(Key::new(text).is_none(), "{text:?}");
        }
    }
}
