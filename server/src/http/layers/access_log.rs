//! The access log: one line for each request when it is over, and metrics.
//!
//! Requests are identified by their route and never by their URL: the id in a link is a credential.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use http_body::{Body as _, Frame, SizeHint};
use metrics::{Gauge, counter, gauge, histogram};
use net::shares::SharePermit;
use tracing::{debug, info};

use super::request_id::RequestId;
use crate::http::header_names::X_REQUEST_ID;
use crate::service::AppState;
use crate::telemetry::logging::request::{self, LoggedRequest};
use crate::telemetry::names::{REQUEST_DURATION, REQUESTS, REQUESTS_IN_FLIGHT};
use crate::telemetry::{self, LongPolled};

/// The name of the access log in `--log`.
const TARGET: &str = "access_log";

/// The label of unknown methods, so that clients can't create metric labels.
const UNKNOWN: &str = "unknown";

/// Health checks are logged at debug level: they come every few seconds and would hide other lines.
/// So is what is refused before it is looked at, whose number nothing bounds; a line a minute sums it up by network.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// Logs and measures a request until the last byte of its response is sent.
pub async fn log_access(
    app: &AppState,
    request: Request,
    respond: impl AsyncFnOnce(Request) -> (Response, Option<SharePermit>),
) -> Response {
    let id = RequestId::of(app, &request);
    let value = id.to_value();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut entry = Entry::begin(known_method(request.method()), route, id);
    // A response to HEAD has no content, whatever its `Content-Length`.
    let head = request.method() == Method::HEAD;
    // Pinned here, because it is large, and each future around it would move it once more.
    let responding = pin!(respond(request));
    let (mut response, permit) = request::belonging_to(&entry.request, responding).await;
    entry.permit = permit;
    entry.record_response(&response, head);
    response.headers_mut().insert(X_REQUEST_ID, value);
    response.map(|body| Body::new(LoggedBody { body, entry }))
}

fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => UNKNOWN,
    }
}

/// A request in progress. Dropping it writes the log line, however the request ends.
struct Entry {
    request: Arc<LoggedRequest>,
    since: Instant,
    status: Option<StatusCode>,
    /// Bytes of the response body that were sent.
    sent: u64,
    /// The length of the response body, once it is known.
    ends_at: Option<u64>,
    in_flight: Option<Gauge>,
    /// Counts it among the client's calls in progress. `None`: it was refused, and ends at once.
    permit: Option<SharePermit>,
}

impl Entry {
    fn begin(method: &'static str, route: Option<MatchedPath>, id: RequestId) -> Self {
        let id = id.into();
        let request = Arc::new(LoggedRequest { method, route, id });
        let in_flight = telemetry::is_on().then(|| {
            let route = request.route().to_owned();
            gauge!(REQUESTS_IN_FLIGHT, "method" => method, "route" => route)
        });
        if let Some(in_flight) = &in_flight {
            in_flight.increment(1);
        }
        Self {
            request,
            since: Instant::now(),
            status: None,
            sent: 0,
            ends_at: None,
            in_flight,
            permit: None,
        }
    }

    fn record_response(&mut self, response: &Response, head: bool) {
        let headers = response.headers();
        self.status = Some(response.status());
        let length = headers.get(CONTENT_LENGTH);
        let length = length.and_then(|it| it.to_str().ok()?.parse().ok());
        let length = length.or_else(|| response.body().size_hint().exact());
        self.ends_at = if head { Some(0) } else { length };
        let waited = response.extensions().get::<LongPolled>().is_some();
        if telemetry::is_on() && !waited {
            let LoggedRequest { method, .. } = *self.request;
            let route = self.request.route().to_owned();
            histogram!(REQUEST_DURATION, "method" => method, "route" => route)
                .record(self.since.elapsed());
        }
    }

    fn count(&self) {
        if let Some(in_flight) = &self.in_flight {
            in_flight.decrement(1);
            let status = self.status.as_ref().map_or("none", StatusCode::as_str);
            let labels = [
                ("method", self.request.method.to_owned()),
                ("route", self.request.route().to_owned()),
                ("status", status.to_owned()),
            ];
            counter!(REQUESTS, &labels).increment(1);
        }
    }

    fn log(&self) {
        let status = self.status.map(|it| it.as_u16());
        let (duration_ms, sent_bytes) = (milliseconds(self.since.elapsed()), self.sent);
        let outcome = match (self.status, self.ends_at) {
            (None, _) => "client disconnected",
            (Some(_), Some(end)) if sent_bytes >= end => "completed",
            (Some(_), _) => "aborted",
        };
        let is_probe = PROBES.contains(&self.request.route());
        let is_refused =
            self.permit.is_none() && self.status == Some(StatusCode::TOO_MANY_REQUESTS);
        request::within(&self.request, || match is_probe || is_refused {
            true => debug!(target: TARGET, status, duration_ms, sent_bytes, "{outcome}"),
            false => info!(target: TARGET, status, duration_ms, sent_bytes, "{outcome}"),
        });
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.count();
        self.log();
    }
}

/// A duration in milliseconds, rounded to microseconds.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// A response body that counts its bytes into the log entry.
struct LoggedBody {
    body: Body,
    entry: Entry,
}

impl http_body::Body for LoggedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Self { body, entry } = self.get_mut();
        let frame = request::within(&entry.request, || Pin::new(body).poll_frame(cx));
        let frame = ready!(frame);
        match &frame {
            Some(Ok(frame)) => {
                let length = frame.data_ref().map_or(0, Bytes::len);
                entry.sent += length as u64;
            }
            Some(Err(_)) => {}
            None => entry.ends_at = Some(entry.sent),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header::CONTENT_LENGTH;
    use futures_util::{StreamExt, stream};
    use http_body_util::BodyExt;

    use super::*;
    use crate::telemetry::logging::written_during;

    const PIECES: [&str; 3] = ["abc", "de", "f"];

    /// The log line of a response of three pieces, of which the first `taken` polls are made.
    fn logged(response: axum::http::response::Builder, head: bool, taken: usize) -> String {
        written_during(|| {
            let pieces = stream::iter(PIECES).map(Ok::<_, axum::Error>);
            let response = response
                .body(Body::from_stream(pieces))
                .expect("a response");
            let mut entry = Entry::begin("GET", None, RequestId::random());
            entry.record_response(&response, head);
            let mut kept = LoggedBody {
                body: response.into_body(),
                entry,
            };
            for _ in 0..taken {
                futures_util::FutureExt::now_or_never(kept.frame());
            }
        })
    }

    #[test]
    fn the_access_log_states_the_bytes_sent() {
        let ok = Response::builder;
        let known = || Response::builder().header(CONTENT_LENGTH, 6);
        for (line, sent, how) in [
            // The end of a body of unknown length only shows at the next poll.
            (logged(ok(), false, 4), 6, "completed"),
            (logged(ok(), false, 2), 5, "aborted"),
            // With a known length the body isn't polled after the last byte.
            (logged(known(), false, 3), 6, "completed"),
            (logged(known(), false, 1), 3, "aborted"),
            (logged(known(), true, 0), 0, "completed"),
        ] {
            assert_eq!(line.lines().count(), 1, "{line}");
            for part in [format!("\"sent_bytes\":{sent},"), format!("\"{how}\"")] {
                assert!(line.contains(&part), "{part} in {line}");
            }
            assert!(
                line.contains("\"status\":200") && line.contains("\"request_id\""),
                "{line}"
            );
        }
    }

    #[test]
    fn a_method_is_its_own_label_unless_a_client_has_made_it_up() {
        for (method, label) in [
            ("GET", "GET"),
            ("HEAD", "HEAD"),
            ("POST", "POST"),
            ("PUT", "PUT"),
            ("PATCH", "PATCH"),
            ("DELETE", "DELETE"),
            ("OPTIONS", "OPTIONS"),
            ("BREW", UNKNOWN),
            ("get", UNKNOWN),
        ] {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            assert_eq!(known_method(&method), label);
        }
    }

    #[test]
    fn durations_are_logged_in_milliseconds_to_three_places() {
        for (duration, want) in [
            (Duration::ZERO, 0.0),
            (Duration::from_millis(1500), 1500.0),
            (Duration::from_nanos(1_234_600), 1.235),
        ] {
            assert!((milliseconds(duration) - want).abs() < 1e-9, "{duration:?}");
        }
    }

    #[test]
    fn a_disconnect_before_the_answer_is_logged_once() {
        let line = written_during(|| drop(Entry::begin("GET", None, RequestId::random())));
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(line.contains("client disconnected"), "{line}");
        assert!(!line.contains("status"), "{line}");
    }
}
