//! Request ids, which connect a report with the log: sent as `X-Request-Id`.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::http::header_names::X_REQUEST_ID;
use crate::service::AppState;

/// The header field of W3C Trace Context, section 3.2.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// A request id: 32 hexadecimal digits, or the id that a trusted proxy assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// The id that a trusted proxy assigned, or a new one.
    ///
    /// Ids from other clients are ignored, since they would let a client choose what is written to the log.
    pub fn of(app: &AppState, request: &Request) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let trusted = peer.is_some_and(|it| app.trusted_proxies.trusts(it.0.ip()));
        let given =
            || from_request_id(request.headers()).or_else(|| from_traceparent(request.headers()));
        let given = trusted.then(given).flatten();
        given.map_or_else(Self::random, |given| Self(given.to_ascii_lowercase()))
    }

    pub fn random() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()))
    }

    /// The id as a header field value.
    pub fn to_value(&self) -> HeaderValue {
        HeaderValue::try_from(&self.0).expect("hexadecimal digits and hyphens")
    }
}

impl From<RequestId> for String {
    fn from(RequestId(id): RequestId) -> Self {
        id
    }
}

/// The id in `X-Request-Id`, if it consists of hexadecimal digits and hyphens only, as a UUID does.
///
/// A proxy may forward its client's value; this form rules out the server's own tokens and ids.
fn from_request_id(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(X_REQUEST_ID)?.to_str().ok()?;
    let known = |it: u8| it.is_ascii_hexdigit() || it == b'-';
    ((16..=64).contains(&given.len()) && given.bytes().all(known)).then_some(given)
}

/// The trace id in `traceparent`.
fn from_traceparent(headers: &HeaderMap) -> Option<&str> {
    let mut parts = headers.get(TRACEPARENT)?.to_str().ok()?.split('-');
    let (version, trace) = (parts.next()?, parts.next()?);
    let hex = |it: &str, length| it.len() == length && it.bytes().all(|it| it.is_ascii_hexdigit());
    let says_something = trace.bytes().any(|it| it != b'0');
    (hex(version, 2) && version != "ff" && hex(trace, 32) && says_something).then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().expect("a value"))])
    }

    #[test]
    fn a_given_name_is_digits_and_hyphens() {
        for (value, want) in [
            ("4bf92f3577b34da6a3ce929d0e0e4736", true),
            ("4BF92F35-77B3-4DA6-A3CE-929D0E0E4736", true),
            ("0123456789abcdef", true),
            ("0123456789abcde", false),
            ("kX3bT9cQ2mZr8VnLw5YpHd", false),
            ("vidence_0123456789abcdef", false),
            ("4bf92f3577b34da6 a3ce929d0e0e4736", false),
            ("", false),
        ] {
            assert_eq!(
                from_request_id(&headers(X_REQUEST_ID, value)).is_some(),
                want,
                "{value}"
            );
        }
        let long = "a".repeat(65);
        assert_eq!(from_request_id(&headers(X_REQUEST_ID, &long)), None);
    }

    #[test]
    fn a_trace_is_the_second_part_of_its_header() {
        const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        for (value, want) in [
            (format!("00-{TRACE}-00f067aa0ba902b7-01"), Some(TRACE)),
            (format!("cc-{TRACE}-00f067aa0ba902b7-01-more"), Some(TRACE)),
            (format!("ff-{TRACE}-00f067aa0ba902b7-01"), None),
            (format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)), None),
            (format!("00-{}-00f067aa0ba902b7-01", &TRACE[1..]), None),
            ("00".to_owned(), None),
        ] {
            assert_eq!(
                from_traceparent(&headers(TRACEPARENT, &value)),
                want,
                "{value}"
            );
        }
    }

    #[test]
    fn no_two_requests_have_one_name() {
        let (one, other) = (RequestId::random(), RequestId::random());
        assert_ne!(one, other);
        assert_eq!(
            from_request_id(&headers(X_REQUEST_ID, &one.0)),
            Some(one.0.as_str())
        );
    }
}
