//! An HTTP client that retries, and fails over between the addresses of one service.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::{
    Client, ClientBuilder, RequestBuilder, Response, ResponseBuilderExt as _, StatusCode,
};

use crate::scale::TIMEOUT;

/// Delay between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// A client of a service with one or more base URLs. After a failure it goes on with the next one.
pub struct RetryingClient {
    http: Client,
    base_urls: Vec<String>,
    next: AtomicUsize,
    use_in_turn: bool,
    patience: Duration,
    failures: Mutex<Vec<Failure>>,
}

/// A failed attempt: a transport error or a 5xx answer.
#[derive(Clone, Debug)]
pub struct Failure {
    /// URL of the answer, or the base URL that was tried if there was none.
    pub url: String,
    /// When the attempt began.
    pub started: Instant,
    /// When it failed.
    pub ended: Instant,
    /// The error, or the status.
    pub error: String,
    /// The answer's status and body, if there was one. That to a HEAD has no body.
    pub answer: Option<(StatusCode, Bytes)>,
}

impl Failure {
    /// Whether the answer is 503 with this code: a request to try it again.
    pub fn asks_for_retry(&self, code: &str) -> bool {
        self.answer.as_ref().is_some_and(|(status, body)| {
            *status == StatusCode::SERVICE_UNAVAILABLE
                && String::from_utf8_lossy(body).contains(code)
        })
    }
}

impl RetryingClient {
    /// A client of these base URLs, which have no path.
    pub fn new(base_urls: impl IntoIterator<Item = String>) -> Self {
        Self::with_client(http_client(), base_urls)
    }

    /// Like [`Self::new`], by this client.
    pub fn with_client(http: Client, base_urls: impl IntoIterator<Item = String>) -> Self {
        Self {
            http,
            base_urls: base_urls.into_iter().collect(),
            next: AtomicUsize::new(0),
            use_in_turn: false,
            patience: TIMEOUT,
            failures: Mutex::default(),
        }
    }

    /// Like [`Self::new`], with each request at another base URL than the one before.
    pub fn in_turn(base_urls: impl IntoIterator<Item = String>) -> Self {
        Self {
            use_in_turn: true,
            ..Self::new(base_urls)
        }
    }

    /// Like [`Self::new`], with this time for all attempts of a request together.
    pub fn patient(base_urls: impl IntoIterator<Item = String>, patience: Duration) -> Self {
        Self {
            patience,
            ..Self::new(base_urls)
        }
    }

    /// All failures so far.
    pub fn failures(&self) -> Vec<Failure> {
        self.failures.lock().expect("not poisoned").clone()
    }

    /// Sends a request in a single attempt. After a failure the next request goes to the next base URL.
    pub async fn send_once(
        &self,
        request: impl FnOnce(&Client, &str) -> RequestBuilder,
    ) -> reqwest::Result<Response> {
        let next = match self.use_in_turn {
            true => self.next.fetch_add(1, Ordering::Relaxed),
            false => self.next.load(Ordering::Relaxed),
        };
        let url = &self.base_urls[next % self.base_urls.len()];
        let started = Instant::now();
        let answer = match request(&self.http, url).send().await {
            Ok(answer) if answer.status().is_server_error() => keep_body(answer).await,
            Ok(answer) => return Ok(answer),
            Err(error) => Err(error),
        };
        if !self.use_in_turn {
            self.next.store(next + 1, Ordering::Relaxed);
        }
        match answer {
            Ok((answer, body)) => {
                let error = answer.status().to_string();
                let of = answer.url().as_str();
                self.push_failure(of, started, error, Some((answer.status(), body)));
                Ok(answer)
            }
            Err(error) => {
                self.record_failure(url, started, format!("{error:?}"));
                Err(error)
            }
        }
    }

    /// Records a failure at this URL.
    pub fn record_failure(&self, url: &str, started: Instant, error: String) {
        self.push_failure(url, started, error, None);
    }

    fn push_failure(
        &self,
        url: &str,
        started: Instant,
        error: String,
        answer: Option<(StatusCode, Bytes)>,
    ) {
        let mut failures = self.failures.lock().expect("not poisoned");
        failures.push(Failure {
            url: url.to_owned(),
            started,
            ended: Instant::now(),
            error,
            answer,
        });
    }

    /// Sends a request until the answer is neither a transport error nor a 5xx.
    pub async fn send(&self, request: impl Fn(&Client, &str) -> RequestBuilder) -> Response {
        let deadline = Instant::now() + self.patience;
        loop {
            let answer = self.send_once(&request).await;
            match answer {
                Ok(answer) if !answer.status().is_server_error() => return answer,
                failure => assert!(Instant::now() < deadline, "no end of it: {failure:?}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Reads the body of an answer, and returns both.
async fn keep_body(answer: Response) -> reqwest::Result<(Response, Bytes)> {
    let again = http::Response::builder().url(answer.url().clone());
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer.bytes().await?;
    let again = again.status(status).body(body.clone());
    let mut again = again.expect("a response as it was");
    *again.headers_mut() = headers;
    Ok((again.into(), body))
}

/// An HTTP client without proxies whose requests time out.
pub fn http_client() -> Client {
    http_client_builder().build().expect("a client")
}

/// The builder of [`http_client`].
pub fn http_client_builder() -> ClientBuilder {
    // reqwest is built without a default TLS provider. Fails, harmlessly, if one is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .no_proxy()
        .connect_timeout(TIMEOUT)
        .read_timeout(TIMEOUT)
}
