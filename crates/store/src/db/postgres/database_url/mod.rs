//! The URL of a PostgreSQL database: one parser for connecting, for TLS and for display.
//!
//! libpq, `tokio_postgres` and WHATWG URL parsers disagree on where a password that contains `@`, `/` or `?` ends.
//! Where they disagree, a part of the password could be read as a parameter, or a parameter as a part of the password,
//! and `sslmode` would silently be lost. So a URL is accepted only if all of them read it alike. Errors quote no part
//! of the URL.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// `postgres://[user[:password]@]host[:port][,…][/database][?parameters]`.
#[derive(Clone)]
pub struct DatabaseUrl {
    pub(super) config: Config,
    pub(super) tls: TlsMode,
    /// The URL without credentials and without parameters other than `sslmode`.
    redacted: String,
}

/// How connections are encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TlsMode {
    /// No `sslmode`: the connection is plain, and the operator is warned where it leaves the machine.
    Unset,
    /// `sslmode=disable`: the connection is plain.
    Disabled,
    /// `require`, `verify-ca` or `verify-full`: TLS with a verified certificate.
    /// `roots`: a PEM file that replaces the system's root certificates.
    Verified { roots: Option<PathBuf> },
}

/// The reason why a URL is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// The scheme is another one, or the text is a list of keys and values, which libpq accepts, too.
    #[error("give it as postgres://user:password@host/name")]
    Form,
    /// A reserved character may belong to the user, the password or the name, or end them.
    #[error(
        "give it as postgres://user:password@host/name with reserved characters of user, password and name \
         percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #, %25 for %"
    )]
    Ambiguous,
    /// A parameter is unknown, given twice, or without a value.
    #[error("give it as postgres://user:password@host/name?parameter=value, each of {} at most once", PARAMETERS.join(", "))]
    Parameter,
    /// `sslmode` is unknown, or a mode that doesn't protect.
    #[error(
        "give it as postgres://user:password@host/name?sslmode=verify-full: sslmode is disable, require, verify-ca or verify-full"
    )]
    TlsMode,
    /// Root certificates are given without TLS.
    #[error(
        "give it as postgres://user:password@host/name?sslmode=verify-full: sslrootcert is used only with that"
    )]
    UnusedRoots,
    /// A host, a port or the value of a parameter is malformed.
    #[error(
        "give it as postgres://user:password@host:5432/name: a host, a port or the value of a parameter is malformed"
    )]
    Malformed,
}

const SSLMODE: &str = "sslmode";
const SSLROOTCERT: &str = "sslrootcert";

/// All parameters: the two of TLS, which this parser reads, and those of `tokio_postgres`.
const PARAMETERS: [&str; 19] = [
    SSLMODE,
    SSLROOTCERT,
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "options",
    "password",
    "port",
    "sslnegotiation",
    "target_session_attrs",
    "user",
];

impl DatabaseUrl {
    /// Whether connections leave this machine without TLS, and the URL doesn't say that they shall.
    pub fn is_unencrypted(&self) -> bool {
        self.tls == TlsMode::Unset && !is_local(&self.config)
    }
}

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = UrlParts::split(text)?;
        let mut tls = TlsParameters::default();
        let mut others = Vec::new();
        let mut seen = BTreeSet::new();
        for parameter in parts.query.split('&').filter(|it| !it.is_empty()) {
            let (name, value) = parameter
                .split_once('=')
                .ok_or(DatabaseUrlError::Parameter)?;
            if !PARAMETERS.contains(&name) || !seen.insert(name) {
                return Err(DatabaseUrlError::Parameter);
            }
            match name {
                SSLMODE => tls.mode = Some(decode(value)?),
                SSLROOTCERT => tls.roots = Some(PathBuf::from(decode(value)?)),
                _ => others.push(parameter),
            }
        }
        let query = match others.is_empty() {
            true => String::new(),
            false => format!("?{}", others.join("&")),
        };
        let plain = format!("{}{query}", parts.before_query);
        // Without the cause, which may quote a value.
        let config = Config::from_str(&plain).map_err(|_| DatabaseUrlError::Malformed)?;
        Ok(Self {
            redacted: parts.redacted(&config, tls.mode.as_deref()),
            tls: tls.mode()?,
            config,
        })
    }
}

/// Whether the connection stays on this machine.
fn is_local(config: &Config) -> bool {
    let is_local = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
    };
    config.get_hosts().iter().all(is_local)
        && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// The parts of a URL that all parsers delimit alike.
struct UrlParts<'u> {
    /// Everything up to the `?`.
    before_query: &'u str,
    scheme: &'u str,
    /// Hosts, ports and the name of the database.
    location: &'u str,
    query: &'u str,
}

impl<'u> UrlParts<'u> {
    fn split(text: &'u str) -> Result<Self, DatabaseUrlError> {
        let (scheme, rest) = text.split_once("://").ok_or(DatabaseUrlError::Form)?;
        if !matches!(scheme, "postgres" | "postgresql") {
            return Err(DatabaseUrlError::Form);
        }
        if text.contains(char::is_control) || !is_percent_encoded(rest) {
            return Err(DatabaseUrlError::Ambiguous);
        }
        let (credentials, rest) = rest.split_once('@').unwrap_or(("", rest));
        if credentials.contains(['/', '?']) || rest.contains(['@', '#']) {
            return Err(DatabaseUrlError::Ambiguous);
        }
        let (location, query) = rest.split_once('?').unwrap_or((rest, ""));
        let name = location.split_once('/').map_or("", |(_, name)| name);
        if name.contains('/') {
            return Err(DatabaseUrlError::Ambiguous);
        }
        let before_query = text.len() - rest.len() + location.len();
        Ok(Self {
            before_query: &text[..before_query],
            scheme,
            location,
            query,
        })
    }

    fn redacted(&self, config: &Config, mode: Option<&str>) -> String {
        let is_secret = config.get_user().is_some() || config.get_password().is_some();
        let credentials = if is_secret { "***@" } else { "" };
        let mode = mode.map(|mode| format!("?{SSLMODE}={mode}"));
        let (scheme, location, mode) = (self.scheme, self.location, mode.unwrap_or_default());
        format!("{scheme}://{credentials}{location}{mode}")
    }
}

/// Whether each `%` begins an encoded byte.
/// NUL is refused, because it would end the text for PostgreSQL.
fn is_percent_encoded(text: &str) -> bool {
    text.split('%').skip(1).all(|after| {
        let digits = after.as_bytes().get(..2);
        digits.is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit) && it != b"00")
    })
}

fn decode(value: &str) -> Result<String, DatabaseUrlError> {
    let decoded = percent_decode_str(value).decode_utf8();
    let decoded = decoded.map_err(|_| DatabaseUrlError::Malformed)?;
    Ok(decoded.into_owned())
}

#[derive(Default)]
struct TlsParameters {
    mode: Option<String>,
    roots: Option<PathBuf>,
}

impl TlsParameters {
    fn mode(self) -> Result<TlsMode, DatabaseUrlError> {
        let unprotected = match self.mode.as_deref() {
            None => TlsMode::Unset,
            Some("disable") => TlsMode::Disabled,
            Some("require" | "verify-ca" | "verify-full") => {
                return Ok(TlsMode::Verified { roots: self.roots });
            }
            Some(_) => return Err(DatabaseUrlError::TlsMode),
        };
        match self.roots {
            None => Ok(unprotected),
            Some(_) => Err(DatabaseUrlError::UnusedRoots),
        }
    }
}

/// Without credentials and other secrets.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.redacted)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests;
