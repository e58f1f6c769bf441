//! What the server tells systemd, by sd_notify(3): ready, alive, stopping.
//!
//! Nothing is sent without a `NOTIFY_SOCKET`, so elsewhere this does nothing.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::sleep;
use tracing::warn;

use crate::service::AppState;
use crate::telemetry::logging::AsDynError;

/// Time between two checks of stores that don't answer yet.
const READINESS_INTERVAL: Duration = Duration::from_secs(1);

/// Reports a listening server as ready once its stores answer, and then as alive, twice within the unit's `WatchdogSec`.
///
/// A store that is away later doesn't end the reports: a restart wouldn't bring it back.
pub(super) async fn report_health(app: AppState) {
    while !app.store_health().await.all() {
        sleep(READINESS_INTERVAL).await;
    }
    send(&NotifyState::Ready);
    let Some(timeout) = sd_notify::watchdog_enabled() else {
        return;
    };
    // In a task of its own: it runs only if the runtime still takes up new work, as requests need it to.
    while tokio::spawn(async { send(&NotifyState::Watchdog) })
        .await
        .is_ok()
    {
        sleep(timeout / 2).await;
    }
}

/// Reports the beginning of the shutdown.
pub(super) fn report_stopping() {
    send(&NotifyState::Stopping);
}

fn send(state: &NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(std::slice::from_ref(state)) {
        warn!(error = error.as_dyn(), "could not notify systemd");
    }
}
