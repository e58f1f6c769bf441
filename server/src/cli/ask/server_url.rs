//! The address of a server, as it is given to `vidence ask`.

use std::net::IpAddr;

use reqwest::Url;

/// Whether nothing leaves this machine.
pub(super) fn is_loopback(server: &Url) -> bool {
    let host = server.host_str().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    host == "localhost" || address.is_some_and(|it| it.is_loopback())
}

/// Reads the address of a server, whose paths begin behind it.
pub(super) fn server_url(text: &str) -> Result<Url, &'static str> {
    const FORM: &str = "give it as https://host or http://host:port";
    let mut url: Url = text.parse().map_err(|_| FORM)?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    let ends = url.query().is_none() && url.fragment().is_none();
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain || !ends {
        return Err(FORM);
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_connections_need_no_encryption() {
        for (text, want) in [
            ("http://127.0.0.1:3000", true),
            ("http://[::1]:3000", true),
            ("http://localhost", true),
            ("http://192.0.2.7", false),
            ("http://localhost.example.org", false),
        ] {
            assert_eq!(
                server_url(text).is_ok_and(|it| is_loopback(&it)),
                want,
                "{text}"
            );
        }
    }

    #[test]
    fn server_urls_are_plain_web_addresses() {
        for (text, want) in [
            ("http://127.0.0.1:3000", Some("http://127.0.0.1:3000/")),
            (
                "https://evidence.example.org/",
                Some("https://evidence.example.org/"),
            ),
            (
                "https://example.org/vidence",
                Some("https://example.org/vidence/"),
            ),
            ("https://u:p@example.org", None),
            ("https://example.org/?a", None),
            ("example.org", None),
            ("ftp://example.org", None),
        ] {
            let url = server_url(text).ok();
            assert_eq!(url.as_ref().map(Url::as_str), want, "{text}");
        }
    }
}
