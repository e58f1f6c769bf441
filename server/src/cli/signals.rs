//! Signals from the operator to a running server.

use std::process;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::warn;

/// Those that are heard.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    /// From now on.
    pub(super) fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Until it is told to end; `reload` whenever it is told that.
    pub(super) async fn ended(&mut self, mut reload: impl FnMut()) {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
                _ = self.hang_up.recv() => reload(),
            }
        }
    }

    /// Waits to be told to stop. Who says it a second time means at once.
    pub(super) async fn stop(mut self, mut reload: impl FnMut() + Send + 'static) {
        self.ended(&mut reload).await;
        tokio::spawn(async move {
            self.ended(reload).await;
            warn!("stopped at once");
            process::exit(1);
        });
    }
}
