//! Public address of the service with the URLs below it, and the origins of web pages.

use std::net::IpAddr;
use std::str::FromStr;

use hyper::Uri;

use crate::id::{RequestId, VideoId};

/// Public address of the service, without a slash at the end.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Takes `https://host[:port]`.
    pub fn new(url: &str) -> Self {
        Self(url.to_owned())
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether browsers reach this server by HTTPS.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// URL of the MCP endpoint for agents.
    pub fn mcp(&self) -> String {
        format!("{}/mcp", self.0)
    }

    /// URL of the page on which a person answers a request.
    pub fn submission(&self, id: &RequestId) -> String {
        format!("{}/r/{id}", self.0)
    }

    /// URL that streams a video.
    pub fn video(&self, id: &VideoId) -> String {
        format!("{}/v1/videos/{id}", self.0)
    }

    /// URL of a video's receipt.
    pub fn receipt(&self, id: &VideoId) -> String {
        format!("{}/videos/{id}/receipt", self.0)
    }

    /// URL of a video's contact sheet.
    pub fn contact_sheet(&self, id: &VideoId) -> String {
        format!("{}/videos/{id}/contact-sheet", self.0)
    }

    /// URL of a video's captions.
    pub fn captions(&self, id: &VideoId) -> String {
        format!("{}/videos/{id}/captions.vtt", self.0)
    }

    /// URL template of a video's stills; `{at_ms}` is the time of the still.
    pub fn stills(&self, id: &VideoId) -> String {
        format!("{}/videos/{id}/stills/{{at_ms}}", self.0)
    }
}

/// The origin of a web page: RFC 6454.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    host: String,
    port: Option<u16>,
}

impl Origin {
    /// Whether it is a page of this machine. Tools for developers run there, at whatever port is free.
    pub fn is_loopback(&self) -> bool {
        let literal = self.host.trim_start_matches('[').trim_end_matches(']');
        let address = literal.parse::<IpAddr>();
        self.host == "localhost" || address.is_ok_and(|it| it.is_loopback())
    }

    /// Its host, as in a URL.
    pub fn host(&self) -> &str {
        &self.host
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "give an origin as https://host or https://host:port";
        let uri: Uri = text.parse().map_err(|_| WRONG)?;
        let scheme = uri.scheme_str().ok_or(WRONG)?;
        let authority = uri.authority().ok_or(WRONG)?;
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(WRONG),
        };
        let more = !matches!(uri.path(), "" | "/") || uri.query().is_some();
        // `Uri` is content with ports that are none.
        let strange = authority.port().is_some() && authority.port_u16().is_none()
            || authority.as_str().ends_with(':')
            || authority.as_str() != authority.host() && authority.port().is_none();
        if more || strange || authority.as_str().contains('@') {
            return Err(WRONG);
        }
        Ok(Self {
            scheme: scheme.to_owned(),
            host: authority.host().to_ascii_lowercase(),
            // Which origins leave out: RFC 6454, section 6.2.
            port: authority.port_u16().filter(|port| *port != usual),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_are_parsed() {
        for text in [
            "",
            "null",
            "evidence.example.org",
            "https://evidence.example.org/path",
            "https://user@evidence.example.org",
            "ftp://evidence.example.org",
            "file://",
            "https://evidence.example.org:99999",
            "https://evidence.example.org:80a",
            "https://evidence.example.org:",
            "*",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_usual_port_and_case_make_no_difference() {
        let origin = |text: &str| text.parse::<Origin>().expect("an origin");
        let plain = origin("https://evidence.example.org");
        assert_eq!(plain, origin("https://EVIDENCE.example.org:443"));
        assert_ne!(plain, origin("https://evidence.example.org:8443"));
        assert_ne!(plain, origin("http://evidence.example.org"));
    }
}
