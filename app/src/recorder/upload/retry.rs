//! Retries requests until they succeed, or until retrying is pointless.

use std::time::Duration;

use crate::recorder::observed::Observed;

use super::client::ClientError;
use super::status::UploadStatus;
use crate::backoff::Backoff;
use crate::browser;
use crate::recorder::state::Ending;

/// The longest `Retry-After` that is obeyed. The server never asks for more.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(120);

/// Retries with backoff, and shows in the [`UploadStatus`] that it does.
pub struct RetryLoop {
    backoff: Backoff,
    status: Observed<UploadStatus>,
}

impl RetryLoop {
    /// A loop that hasn't failed yet.
    pub fn new(status: Observed<UploadStatus>) -> Self {
        Self {
            backoff: Backoff::default(),
            status,
        }
    }

    /// Repeats an attempt until it succeeds. An error: it can't succeed any more.
    pub async fn run<T>(
        &mut self,
        attempt: impl AsyncFn() -> Result<T, ClientError>,
    ) -> Result<T, Ending> {
        loop {
            match attempt().await {
                Ok(success) => return Ok(success),
                Err(error) => self.wait_after(error).await?,
            }
        }
    }

    /// Starts the backoff over after a success.
    pub fn reset(&mut self) {
        self.backoff.reset();
        self.status
            .update(|it| (it.retrying, it.server_full) = (false, false));
    }

    /// Waits before the next attempt. An error: there is nothing to wait for.
    pub async fn wait_after(&mut self, error: ClientError) -> Result<(), Ending> {
        let mut delay = self.backoff.next_delay(browser::jitter());
        match error {
            ClientError::Ended(ending) => return Err(ending),
            ClientError::Retry(Some(retry_after)) => {
                delay = delay.max(retry_after.min(MAX_RETRY_AFTER));
            }
            ClientError::OffsetMismatch
            | ClientError::NotReady
            | ClientError::ServerFull
            | ClientError::Retry(None) => {}
        }
        self.status.update(|it| {
            it.retrying = error != ClientError::OffsetMismatch;
            it.server_full = error == ClientError::ServerFull;
        });
        browser::sleep_or_wake(delay).await;
        Ok(())
    }
}
