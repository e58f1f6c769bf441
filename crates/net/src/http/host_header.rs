//! Validates the Host header field, and `:authority` over HTTP/2.
//!
//! RFC 9112, section 3.2, and RFC 9113, section 8.3.1. A request whose host a proxy and this server could parse
//! differently is refused, whatever its path: otherwise one of them would apply its rules to another host than the
//! other.

use std::net::Ipv6Addr;

use axum::http::header::HOST;
use axum::http::uri::{Authority, Scheme};
use axum::http::{HeaderValue, Request, Version};

/// Whether the request names one valid host, as its version of HTTP requires.
pub fn is_valid<B>(request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (host, more) = (hosts.next(), hosts.next());
    // An invalid host is refused; it doesn't count as a missing one.
    let authority = match host.map(parse) {
        Some(None) => return false,
        Some(Some(authority)) => Some(authority),
        None => None,
    };
    if more.is_some() {
        return false;
    }
    match request.version() {
        Version::HTTP_09 | Version::HTTP_10 => true,
        // HTTP/1.1 requires the Host header field beside a target in absolute form, too.
        Version::HTTP_11 => authority.is_some(),
        _ => {
            let uri = request.uri();
            match (uri.authority(), authority) {
                (None, host) => host.is_some(),
                (Some(target), None) => is_host(target),
                (Some(target), Some(host)) => {
                    is_host(target)
                        && normalized(target, uri.scheme()) == normalized(&host, uri.scheme())
                }
            }
        }
    }
}

fn parse(value: &HeaderValue) -> Option<Authority> {
    let authority = Authority::try_from(value.as_bytes()).ok()?;
    is_host(&authority).then_some(authority)
}

/// Whether the authority is `uri-host [":" port]`; the parser accepts other forms, too.
fn is_host(authority: &Authority) -> bool {
    let (text, host) = (authority.as_str(), authority.host());
    // An authority with user information doesn't begin with the host.
    let Some(port) = text.strip_prefix(host) else {
        return false;
    };
    let is_name = match host.strip_prefix('[') {
        Some(rest) => {
            let address = rest.strip_suffix(']').map(str::parse::<Ipv6Addr>);
            address.is_some_and(|it| it.is_ok())
        }
        None => !host.is_empty() && !host.contains(['[', ']', '@']),
    };
    let is_port = match port.strip_prefix(':') {
        // RFC 3986, section 3.2.3, allows ports without digits.
        Some(digits) => digits.is_empty() || is_number(digits),
        None => port.is_empty(),
    };
    is_name && is_port
}

fn is_number(digits: &str) -> bool {
    digits.bytes().all(|it| it.is_ascii_digit()) && digits.parse::<u16>().is_ok()
}

/// Lower case, without the port that the scheme implies (RFC 3986, section 6.2.3).
fn normalized(authority: &Authority, scheme: Option<&Scheme>) -> String {
    let text = authority.as_str().to_ascii_lowercase();
    let implied = match scheme.map(Scheme::as_str) {
        Some("https") => ":443",
        _ => ":80",
    };
    let host = text
        .strip_suffix(implied)
        .or_else(|| text.strip_suffix(':'));
    host.map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(version: Version, target: &str, hosts: &[&str]) -> Request<()> {
        let mut request = Request::get(target).version(version);
        for host in hosts {
            request = request.header(HOST, *host);
        }
        request.body(()).expect("a request")
    }

    #[test]
    fn http_1_1_requires_exactly_one_valid_host() {
        for (hosts, want) in [
            (&["evidence.example.org"][..], true),
            (&["localhost:3000"], true),
            (&["localhost:"], true),
            (&["127.0.0.1:65535"], true),
            (&["[::1]:3000"], true),
            (&["[::1]"], true),
            (&[], false),
            (&["a.example", "a.example"], false),
            (&["a.example", "b.example"], false),
            (&["a.example", ""], false),
            (&[""], false),
            (&[":80"], false),
            (&["a.example, b.example"], false),
            (&["a.example/path"], false),
            (&["a.example?query"], false),
            (&["http://a.example"], false),
            (&["user@a.example"], false),
            (&["user:password@a.example"], false),
            (&["a.example:80:80"], false),
            (&["a.example:port"], false),
            (&["a.example:+80"], false),
            (&["a.example:65536"], false),
            (&["::1"], false),
            (&["[::1"], false),
            (&["[localhost]"], false),
            (&["a[::1]"], false),
            (&["[::1]a"], false),
            (&["a example"], false),
            (&["ä.example"], false),
        ] {
            let asked = request(Version::HTTP_11, "/healthz", hosts);
            assert_eq!(is_valid(&asked), want, "{hosts:?}");
            // The host in the target doesn't replace the header field.
            let asked = request(Version::HTTP_11, "http://a.example/healthz", hosts);
            assert_eq!(is_valid(&asked), want, "absolute, {hosts:?}");
        }
    }

    #[test]
    fn http_1_0_may_leave_the_host_out() {
        for (hosts, want) in [
            (&[][..], true),
            (&["a.example"], true),
            (&["a.example", "a.example"], false),
            (&["a/b"], false),
        ] {
            let asked = request(Version::HTTP_10, "/healthz", hosts);
            assert_eq!(is_valid(&asked), want, "{hosts:?}");
        }
    }

    #[test]
    fn over_http_2_a_host_must_be_the_authority() {
        for (target, hosts, want) in [
            ("https://a.example/", &[][..], true),
            ("https://a.example/", &["A.example"], true),
            ("https://a.example/", &["a.example:443"], true),
            ("http://a.example:80/", &["a.example"], true),
            ("https://a.example/", &["a.example:80"], false),
            ("https://a.example/", &["b.example"], false),
            ("https://a.example/", &["a.example", "a.example"], false),
            ("https://user@a.example/", &[], false),
            ("/", &["a.example"], true),
            ("/", &[], false),
        ] {
            let asked = request(Version::HTTP_2, target, hosts);
            assert_eq!(is_valid(&asked), want, "{target} {hosts:?}");
        }
    }
}
