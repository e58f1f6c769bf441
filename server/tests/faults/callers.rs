//! Whoever calls the server: programs and pages that don't give up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client, RequestBuilder, Response};

use super::scale::PATIENCE;

/// How long a caller waits before it asks again.
const PAUSE: Duration = Duration::from_millis(20);

/// Callers who know one or more doors to the same server. Where one stays shut they try the next.
pub struct Callers {
    client: Client,
    doors: Vec<String>,
    door: AtomicUsize,
}

impl Callers {
    /// Callers at these doors: URLs without a path.
    pub fn at(doors: impl IntoIterator<Item = String>) -> Self {
        Self {
            client: client(),
            doors: doors.into_iter().collect(),
            door: AtomicUsize::new(0),
        }
    }

    /// Sends one request, once. After a failure the next one goes to the next door.
    pub async fn once(
        &self,
        request: impl FnOnce(&Client, &str) -> RequestBuilder,
    ) -> reqwest::Result<Response> {
        let door = self.door.load(Ordering::Relaxed);
        let url = &self.doors[door % self.doors.len()];
        let answer = request(&self.client, url).send().await;
        if answer
            .as_ref()
            .map_or(true, |it| it.status().is_server_error())
        {
            self.door.store(door + 1, Ordering::Relaxed);
        }
        answer
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
