//! Whoever calls the server: programs and pages that don't give up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client, RequestBuilder, Response};

use crate::scale::PATIENCE;

/// How long a caller waits before it asks again.
const PAUSE: Duration = Duration::from_millis(20);

/// Callers who know one or more doors to the same server. Where one stays shut they try the next.
pub struct Callers {
    client: Client,
    doors: Vec<String>,
    door: AtomicUsize,
    take_turns: bool,
    failures: Mutex<Vec<Failure>>,
}

/// What came instead of an answer that a caller can do something with.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where: a door, or something behind it.
    pub url: String,
    /// When it was asked for.
    pub from: Instant,
    /// When it came.
    pub to: Instant,
    /// What.
    pub what: String,
}

impl Callers {
    /// Callers at these doors: URLs without a path.
    pub fn at(doors: impl IntoIterator<Item = String>) -> Self {
        Self {
            client: client(),
            doors: doors.into_iter().collect(),
            door: AtomicUsize::new(0),
            take_turns: false,
            failures: Mutex::default(),
        }
    }

    /// Likewise, and each request goes to another door than the one before.
    pub fn in_turns_at(doors: impl IntoIterator<Item = String>) -> Self {
        Self {
            take_turns: true,
            ..Self::at(doors)
        }
    }

    /// What failed so far.
    pub fn failures(&self) -> Vec<Failure> {
        self.failures.lock().expect("no panic elsewhere").clone()
    }

    /// Sends one request, once. After a failure the next one goes to the next door.
    pub async fn once(
        &self,
        request: impl FnOnce(&Client, &str) -> RequestBuilder,
    ) -> reqwest::Result<Response> {
        let door = match self.take_turns {
            true => self.door.fetch_add(1, Ordering::Relaxed),
            false => self.door.load(Ordering::Relaxed),
        };
        let url = &self.doors[door % self.doors.len()];
        let from = Instant::now();
        let answer = request(&self.client, url).send().await;
        let what = match &answer {
            Ok(answer) if !answer.status().is_server_error() => None,
            Ok(answer) => Some(answer.status().to_string()),
            Err(error) => Some(format!("{error:?}")),
        };
        if let Some(what) = what {
            if !self.take_turns {
                self.door.store(door + 1, Ordering::Relaxed);
            }
            self.failed(url, from, what);
        }
        answer
    }

    /// Writes down a failure, at this door or at a URL behind it.
    pub fn failed(&self, url: &str, from: Instant, what: String) {
        let mut failures = self.failures.lock().expect("no panic elsewhere");
        failures.push(Failure {
            url: url.to_owned(),
            from,
            to: Instant::now(),
            what,
        });
    }

    /// Sends a request until it is answered by something other than a failure of the server's.
    pub async fn ask(&self, request: impl Fn(&Client, &str) -> RequestBuilder) -> Response {
        let patience = Instant::now() + PATIENCE;
        loop {
            let answer = self.once(&request).await;
            match answer {
                Ok(answer) if !answer.status().is_server_error() => return answer,
                failure => assert!(Instant::now() < patience, "no end of it: {failure:?}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Speaks to loopback alone, and not for ever.
pub fn client() -> Client {
    // The only thing that reqwest is built without. The second time it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .no_proxy()
        .connect_timeout(PATIENCE)
        .read_timeout(PATIENCE);
    client.build().expect("a client")
}
