//! Signals to a running server: SIGINT and SIGTERM shut it down, SIGHUP reloads the certificate.

use std::process;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::warn;

use crate::telemetry::logging;

/// The signal streams.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    /// Listens from this call on.
    pub(super) fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for SIGINT or SIGTERM, and calls `reload` on each SIGHUP until then.
    pub(super) async fn terminated(&mut self, mut reload: impl FnMut()) {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
                _ = self.hang_up.recv() => reload(),
            }
        }
    }

    /// Waits for SIGINT or SIGTERM. A second one after that exits the process at once.
    pub(super) async fn shutdown(mut self, mut reload: impl FnMut() + Send + 'static) {
        self.terminated(&mut reload).await;
        tokio::spawn(async move {
            self.terminated(reload).await;
            warn!("stopped at once");
            logging::flush();
            process::exit(1);
        });
    }
}
