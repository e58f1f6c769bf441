//! `Prefer: wait` (RFC 7240): how long a client is willing to wait for a change before the response.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method};

pub const PREFER: HeaderName = HeaderName::from_static("prefer");

/// How long the client of a GET is willing to wait, if it says so.
pub struct Wait(pub Option<Duration>);

impl<S: Sync> FromRequestParts<S> for Wait {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let is_get = parts.method == Method::GET;
        Ok(Self(wait(&parts.headers).filter(|_| is_get)))
    }
}

/// The value of the first `wait` preference (section 2), in whole seconds (section 4.3).
///
/// A value that doesn't parse counts as absent.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let lines = headers.get_all(PREFER).iter();
    let mut preferences = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| split(line, ','));
    let value = preferences.find_map(value_of_wait)?;
    let digits = !value.is_empty() && value.bytes().all(|it| it.is_ascii_digit());
    // A number that overflows becomes the longest wait.
    digits.then(|| Duration::from_secs(value.parse().unwrap_or(u32::MAX.into())))
}

/// The value of a `wait` preference, without its parameters.
fn value_of_wait(preference: &str) -> Option<&str> {
    let preference = split(preference, ';').next().unwrap_or_default();
    let (name, value) = preference.split_once('=').unwrap_or((preference, ""));
    let value = value.trim();
    let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let named = name.trim().eq_ignore_ascii_case("wait");
    named.then(|| quoted.unwrap_or(value))
}

/// Splits a text at each `separator` outside of quoted strings.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |it| {
        let outside = !quoted;
        quoted ^= it == '"' && !escaped;
        escaped = quoted && it == '\\' && !escaped;
        outside && it == separator
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_whole_wait_preference_counts() {
        for (lines, want) in [
            (vec!["wait=10"], Some(10)),
            (vec!["WAIT = 10"], Some(10)),
            (vec![r#"wait="10""#], Some(10)),
            (vec!["wait=0"], Some(0)),
            (vec!["respond-async, wait=10"], Some(10)),
            (vec!["respond-async", "wait=10"], Some(10)),
            (vec!["wait=10; foo=bar"], Some(10)),
            (vec!["wait=10, wait=20"], Some(10)),
            (vec!["wait=10", "wait=20"], Some(10)),
            (vec![r#"foo="a, wait=5", wait=10"#], Some(10)),
            (vec![r#"foo="a\", wait=5", wait=10"#], Some(10)),
            (vec![r#"foo="a\\", wait=10"#], Some(10)),
            (vec![r#"foo="a\\\", wait=5", wait=10"#], Some(10)),
            (vec![r#"foo=\"a, wait=5", wait=10"#], Some(10)),
            (vec![r#"foo; bar=";", wait=10"#], Some(10)),
            (vec!["wait=99999999999999999999"], Some(u64::from(u32::MAX))),
            (vec!["wait"], None),
            (vec!["wait="], None),
            (vec!["wait=-1"], None),
            (vec!["wait=+1"], None),
            (vec!["wait=1.5"], None),
            (vec!["wait=a, wait=20"], None),
            (vec!["waiting=10"], None),
            (vec!["handling=lenient"], None),
            (vec![""], None),
            (vec![], None),
        ] {
            let value = |line: &&str| (PREFER, line.parse().expect("a value"));
            let headers: HeaderMap = lines.iter().map(value).collect();
            assert_eq!(wait(&headers), want.map(Duration::from_secs), "{lines:?}");
        }
    }
}
