//! Takes that were thrown away here and may still be on the server: they are deleted there as soon as it can be
//! reached, by this visit or a later one.

use leptos::task::spawn_local;

use super::client::{Failure, TakeUrl};
use super::controller::Recorder;
use super::state::Ending;
use crate::backoff::Backoff;
use crate::browser::{self, get_local, set_local};

/// Where their addresses are remembered, one a line.
const REJECTED: &str = "vidence.rejected";

/// The newest of them. The others go with their links.
const MAX_REMEMBERED: usize = 20;

impl Recorder {
    /// Deletes a take on the server.
    pub(super) fn reject(self, take: &TakeUrl) {
        let mut urls = remembered();
        urls.push(take.as_str().to_owned());
        let old = urls.len().saturating_sub(MAX_REMEMBERED);
        set_local(REJECTED, &urls[old..].join("\n"));
        self.delete(urls);
    }

    /// Those of this request that may still be on the server.
    pub(super) fn rejected(self) -> impl Iterator<Item = TakeUrl> {
        let urls = remembered().into_iter().map(TakeUrl::new);
        urls.filter(move |url| self.link.has(url))
    }

    /// Deletes those that are remembered.
    pub(super) fn delete_rejected(self) {
        self.delete(remembered());
    }

    fn delete(self, mut urls: Vec<String>) {
        spawn_local(async move {
            let mut backoff = Backoff::default();
            while let Some(url) = urls.last() {
                let take = TakeUrl::new(url.clone());
                match self.link.discard(&take).await {
                    // Perhaps it was sent, and taken back too late. That is asked when it is heard that there is a video.
                    Err(Failure::Over(Ending::AlreadySubmitted)) => {}
                    Ok(()) | Err(Failure::Over(_)) => forget(url),
                    Err(_) => {
                        browser::wait_or_online(backoff.next(browser::jitter())).await;
                        continue;
                    }
                }
                urls.pop();
            }
        });
    }
}

fn remembered() -> Vec<String> {
    let text = get_local(REJECTED).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn forget(url: &str) {
    let mut urls = remembered();
    urls.retain(|it| it != url);
    set_local(REJECTED, &urls.join("\n"));
}
