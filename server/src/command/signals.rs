//! What an operator says to a running server, or to a command that takes its time.

use std::process;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;
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

/// Cancelled when somebody wants a command to end, which then cleans up. Hanging up ends nothing.
pub(super) fn interruption() -> std::io::Result<CancellationToken> {
    let signals = Signals::listen()?;
    let stop = CancellationToken::new();
    let told = stop.clone();
    tokio::spawn(async move {
        signals.stop(|| ()).await;
        told.cancel();
    });
    Ok(stop)
}
