//! Notifies long polls of changes to their requests.
//!
//! A node is notified at once of its own changes. Changes on other nodes, or by commands beside this server, are found
//! by polling the database: in one query for all long polls and all transfers, and only while there are any.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use tokio_util::sync::CancellationToken;

use crate::id::RequestId;
use crate::service::workers::periodic;
use crate::service::{AppState, Error};

/// Maximum number of long polls per request; the holder of its access token needs no more.
const MOST_FOR_ONE: usize = 4;

/// Maximum number of long polls on this node.
const MOST: usize = 20_000;

/// Interval at which the database is polled: the maximum delay of changes made elsewhere.
const PERIOD: Duration = Duration::from_millis(500);

/// Maximum number of requests per query.
const BATCH: usize = 500;

/// Subscribers of this node by request. Cheap to clone.
#[derive(Clone, Default)]
pub struct Changes(Arc<Mutex<Subscribers>>);

#[derive(Default)]
struct Subscribers {
    by_request: HashMap<RequestId, Entry>,
    total: usize,
}

#[derive(Default)]
struct Entry {
    changed: Arc<Notify>,
    waiting: usize,
}

/// Subscription of one long poll, until it is dropped.
pub struct Subscription {
    news: Changes,
    request: RequestId,
    changed: Arc<Notify>,
}

impl Changes {
    /// Subscribes to changes of a request. `None`: the maximum number of subscriptions is reached.
    pub fn subscribe(&self, request: &RequestId) -> Option<Subscription> {
        let mut waiting = self.0.lock();
        let here = waiting.by_request.get(request);
        if waiting.total >= MOST || here.is_some_and(|it| it.waiting >= MOST_FOR_ONE) {
            return None;
        }
        waiting.total += 1;
        let entry = waiting.by_request.entry(request.clone()).or_default();
        entry.waiting += 1;
        Some(Subscription {
            news: self.clone(),
            request: request.clone(),
            changed: entry.changed.clone(),
        })
    }

    /// Wakes the subscribers of a request whose state has changed.
    pub(in crate::service) fn notify(&self, request: &RequestId) {
        if let Some(entry) = self.0.lock().by_request.get(request) {
            entry.changed.notify_waiters();
        }
    }

    /// Number of subscriptions on this node.
    pub fn waiting(&self) -> usize {
        self.0.lock().total
    }

    fn requests(&self) -> Vec<RequestId> {
        self.0.lock().by_request.keys().cloned().collect()
    }
}

impl Subscription {
    /// Completes at the first change from now on, even if it isn't polled before that.
    pub(in crate::service) fn changed(&self) -> OwnedNotified {
        self.changed.clone().notified_owned()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut waiting = self.news.0.lock();
        waiting.total -= 1;
        if let Some(entry) = waiting.by_request.get_mut(&self.request) {
            entry.waiting -= 1;
            if entry.waiting == 0 {
                waiting.by_request.remove(&self.request);
            }
        }
    }
}

/// Polls the database for changes made elsewhere until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |app: AppState| async move { gather(&app).await };
    let wake = Arc::default();
    periodic::run("news", PERIOD, wake, app, stop, work).await;
}

async fn gather(app: &AppState) -> Result<(), Error> {
    for some in app.coordination.changes.requests().chunks(BATCH) {
        for moved in app.db.requests_not_awaiting(some, app.clock.now()).await? {
            app.coordination.changes.notify(&moved);
        }
    }
    cancel_ended(app).await
}

/// Cuts transfers of requests that are over according to the database, whichever node recorded that.
pub(in crate::service) async fn cancel_ended(app: &AppState) -> Result<(), Error> {
    for some in app.coordination.transfers.requests().chunks(BATCH) {
        for over in app.db.requests_over(some, app.clock.now()).await? {
            app.coordination.transfers.cancel(&over);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn news_reach_whoever_listened_before_and_nobody_else() {
        let news = Changes::default();
        let (mine, other) = (RequestId::random(), RequestId::random());
        let ears = [&mine, &mine, &other].map(|it| news.subscribe(it).expect("room"));
        let changed = ears.each_ref().map(Subscription::changed);
        news.notify(&mine);
        let heard = changed.map(|it| it.now_or_never().is_some());
        assert_eq!(heard, [true, true, false]);
        drop(ears);
        assert!(news.requests().is_empty());
    }
}
