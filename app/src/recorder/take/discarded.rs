//! Deletes discarded takes on the server as soon as it can be reached, by this visit or a later one.

use leptos::task::spawn_local;

use crate::backoff::Backoff;
use crate::browser;
use crate::browser::storage::local_storage;
use crate::recorder::controller::Recorder;
use crate::recorder::state::Ending;
use crate::recorder::upload::client::{ClientError, TakeUrl};

/// The key in `localStorage` for the URLs of discarded takes that may still exist, one a line.
const KEY: &str = "vidence.rejected";

/// How many URLs to store, the newest ones. The server deletes the other takes with their request.
const MAX_STORED: usize = 20;

impl Recorder {
    /// Deletes a take on the server.
    pub(super) fn delete_on_server(self, take: &TakeUrl) {
        let mut urls = load();
        urls.push(take.as_str().to_owned());
        let oldest = urls.len().saturating_sub(MAX_STORED);
        local_storage::set(KEY, &urls[oldest..].join("\n"));
        self.delete_all(urls);
    }

    /// The discarded takes of this request that may still exist.
    pub(super) fn discarded_takes(self) -> impl Iterator<Item = TakeUrl> {
        let urls = load().into_iter().map(TakeUrl::new);
        urls.filter(move |url| self.client().owns(url))
    }

    /// Deletes the discarded takes of this visit and of earlier ones.
    pub(in crate::recorder) fn delete_discarded_takes(self) {
        self.delete_all(load());
    }

    fn delete_all(self, mut urls: Vec<String>) {
        spawn_local(async move {
            let mut backoff = Backoff::default();
            while let Some(url) = urls.last() {
                let take = TakeUrl::new(url.clone());
                match self.client().delete_take(&take).await {
                    // It may be the submitted one, if its submission was cancelled too late. The URL is kept for the
                    // poll of the state, which finds that out.
                    Err(ClientError::Ended(Ending::AlreadySubmitted)) => {}
                    Ok(()) | Err(ClientError::Ended(_)) => remove(url),
                    Err(_) => {
                        browser::sleep_or_wake(backoff.next_delay(browser::jitter())).await;
                        continue;
                    }
                }
                urls.pop();
            }
        });
    }
}

fn load() -> Vec<String> {
    let text = local_storage::get(KEY).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn remove(url: &str) {
    let mut urls = load();
    urls.retain(|it| it != url);
    local_storage::set(KEY, &urls.join("\n"));
}
