//! The HTTP request that log lines belong to.
//!
//! Not a span of tracing: most requests have one line, and a span's fields are formatted ahead, stored and looked up again:
//! a tenth of the instructions of a poll, with the line itself.

use std::fmt;
use std::sync::Arc;

use axum::extract::MatchedPath;
use futures_util::future::Either;

tokio::task_local! {
    static CURRENT: Arc<LoggedRequest>;
}

/// A request as log lines name it, without what its client has chosen.
#[derive(Clone)]
pub struct LoggedRequest {
    /// Its method, or "unknown".
    pub method: &'static str,
    /// Its route. `None`: it has none.
    pub route: Option<MatchedPath>,
    /// The id that its response has, too.
    pub id: String,
}

impl LoggedRequest {
    /// The route as it was declared, or "unknown". Never the path: the id in a link is a credential.
    pub fn route(&self) -> &str {
        self.route.as_ref().map_or("unknown", MatchedPath::as_str)
    }
}

/// As it stands in a line of text.
impl fmt::Display for LoggedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, id, .. } = self;
        write!(
            f,
            "http{{method={method} route={} request_id={id}}}",
            self.route()
        )
    }
}

/// Runs `work`, whose log lines belong to the request.
pub fn within<T>(request: &Arc<LoggedRequest>, work: impl FnOnce() -> T) -> T {
    CURRENT.sync_scope(request.clone(), work)
}

/// Adds the request to the log lines of a future.
/// One that is large is better passed as a reference to where it is pinned; what it logs while it is dropped doesn't
/// belong to the request then.
pub fn belonging_to<F: Future>(
    request: &Arc<LoggedRequest>,
    work: F,
) -> impl Future<Output = F::Output> + use<F> {
    CURRENT.scope(request.clone(), work)
}

/// Lets a task that a request spawns log for it, too.
/// Without a current request the future is as it was.
pub fn inheriting<F: Future>(work: F) -> impl Future<Output = F::Output> + use<F> {
    Inherited::current().by(work)
}

/// The current request, if there is one, for a task that something else spawns.
#[derive(Clone)]
pub struct Inherited(Option<Arc<LoggedRequest>>);

impl Inherited {
    /// The current request, if there is one.
    pub fn current() -> Self {
        Self(CURRENT.try_with(Arc::clone).ok())
    }

    /// Adds it to the log lines of a future.
    pub fn by<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        match &self.0 {
            Some(current) => Either::Left(belonging_to(current, work)),
            None => Either::Right(work),
        }
    }
}

/// Passes the current request to `write`, if there is one.
pub(super) fn write_current(write: impl FnOnce(&LoggedRequest) -> fmt::Result) -> fmt::Result {
    CURRENT.try_with(|it| write(it)).unwrap_or(Ok(()))
}

#[cfg(test)]
mod tests {
    use tracing::info;

    use super::*;
    use crate::telemetry::logging::written_during;

    fn request() -> Arc<LoggedRequest> {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736".to_owned();
        Arc::new(LoggedRequest {
            method: "GET",
            route: None,
            id,
        })
    }

    #[test]
    fn a_spawned_task_logs_for_the_request_that_spawned_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let written = written_during(|| {
            let respond = async {
                let task = tokio::spawn(inheriting(async { info!("within") }));
                task.await.expect("a task");
            };
            runtime.block_on(belonging_to(&request(), respond));
            runtime.block_on(inheriting(async { info!("without") }));
        });
        let (within, without) = written.split_once('\n').expect("two lines");
        assert!(within.contains(&request().id), "{written}");
        assert!(without.contains("without"), "{written}");
        assert!(!without.contains(&request().id), "{written}");
    }
}
