//! Tells the operator of abuse reports, by a POST to an address of the operator's choice.
//!
//! The message says how many reports came and where they are read: nothing in it comes from a stranger, and nothing is a
//! secret. It is one that chat tools take: Slack and Mattermost read `text`, Discord reads `content`. A report is stored
//! before, and waits for nothing here.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics::counter;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tracing::{info, warn};

use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::REPORT_WEBHOOKS;

/// The longest call.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The time until reports that could not be sent are sent again.
const RETRY: Duration = Duration::from_secs(600);

/// Pauses between the attempts, of which there is one more.
/// Reports that come meanwhile are in the next message.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(10),
    Duration::from_secs(60),
];

/// Why a message wasn't delivered. Without the URL, which may hold a secret.
#[derive(Debug, thiserror::Error)]
enum WebhookError {
    #[error("the webhook of reports can't be reached")]
    Unreachable(#[source] reqwest::Error),
    #[error("the webhook of reports answered {0}")]
    Refused(u16),
}

/// A client of the webhook, and the number of reports that it has not sent yet. Cheap to clone.
#[derive(Clone)]
pub struct ReportWebhook(Arc<Shared>);

struct Shared {
    client: Client,
    url: Url,
    unsent: AtomicU64,
    reported: Notify,
    pauses: [Duration; 3],
    retry: Duration,
}

impl ReportWebhook {
    /// A client that follows no redirects, and uses no proxy of the environment.
    pub fn new(url: Url) -> reqwest::Result<Self> {
        Self::with_times(url, TIMEOUT, PAUSES, RETRY)
    }

    fn with_times(
        url: Url,
        timeout: Duration,
        pauses: [Duration; 3],
        retry: Duration,
    ) -> reqwest::Result<Self> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(timeout)
            .build()?;
        Ok(Self(Arc::new(Shared {
            client,
            url,
            unsent: AtomicU64::new(0),
            reported: Notify::new(),
            pauses,
            retry,
        })))
    }

    /// Counts a report that is to be sent. Returns at once.
    pub fn enqueue_report(&self) {
        self.0.unsent.fetch_add(1, Ordering::Relaxed);
        self.0.reported.notify_one();
    }

    /// Sends reports as they come to the server at `public_url`. Never ends.
    pub async fn run(&self, public_url: &str) {
        loop {
            match self.0.unsent.load(Ordering::Relaxed) {
                0 => self.0.reported.notified().await,
                // The last message failed.
                _ => drop(timeout(self.0.retry, self.0.reported.notified()).await),
            }
            let count = self.0.unsent.load(Ordering::Relaxed);
            // What isn't sent goes into the next message.
            if count > 0 && self.post(&message(count, public_url)).await {
                self.0.unsent.fetch_sub(count, Ordering::Relaxed);
            }
        }
    }

    /// Logs how many reports were not sent, at the end.
    pub fn log_unsent(&self) {
        let reports = self.0.unsent.load(Ordering::Relaxed);
        if reports > 0 {
            warn!(reports, "reports were not sent to the webhook");
        }
    }

    /// Whether the message arrived.
    async fn post(&self, message: &str) -> bool {
        let mut pauses = self.0.pauses.iter();
        loop {
            let error = match self.send(message).await {
                Ok(()) => {
                    counter!(REPORT_WEBHOOKS, "outcome" => "delivered").increment(1);
                    info!("sent reports to the webhook");
                    return true;
                }
                Err(error) => error,
            };
            let Some(pause) = pauses.next() else {
                counter!(REPORT_WEBHOOKS, "outcome" => "failed").increment(1);
                warn!(
                    error = error.as_dyn(),
                    "could not send reports to the webhook"
                );
                return false;
            };
            sleep(*pause).await;
        }
    }

    async fn send(&self, message: &str) -> Result<(), WebhookError> {
        let body = json!({ "text": message, "content": message });
        let call = self.0.client.post(self.0.url.clone()).json(&body);
        let answer = call.send().await;
        let answer = answer.map_err(|error| WebhookError::Unreachable(error.without_url()))?;
        match answer.status().is_success() {
            true => Ok(()),
            false => Err(WebhookError::Refused(answer.status().as_u16())),
        }
    }
}

fn message(count: u64, public_url: &str) -> String {
    let reports = match count {
        1 => "A request was reported".to_owned(),
        _ => format!("{count} reports of requests came"),
    };
    format!("{reports} at {public_url}. List what is open by: vidence reports")
}

/// Reads the URL of a webhook. The error doesn't quote it.
pub fn webhook_url(text: &str) -> Result<Url, &'static str> {
    const FORM: &str = "give it as https://host/path, without a user";
    let url: Url = text.parse().map_err(|_| FORM)?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_http = matches!(url.scheme(), "http" | "https") && url.has_host();
    match is_http && is_plain && url.fragment().is_none() {
        true => Ok(url),
        false => Err(FORM),
    }
}
