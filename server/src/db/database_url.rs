//! The address of a PostgreSQL database: one parser for connecting, for TLS and for what is displayed.
//!
//! libpq, `tokio_postgres` and WHATWG URL parsers disagree on where a password that holds `@`, `/` or `?` ends. Where
//! they disagree, a part of the password could be read as a parameter, or a parameter as a part of the password, and
//! `sslmode` would be lost without a word. So an address is accepted only if all of them read it alike. Errors name no
//! part of the address.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;

/// `postgres://[user[:password]@]host[:port][,…][/database][?parameters]`.
#[derive(Clone)]
pub struct DatabaseUrl {
    pub(super) config: Config,
    pub(super) tls: TlsMode,
    /// The address without credentials and without parameters other than `sslmode`.
    redacted: String,
}

/// What the address says of encryption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TlsMode {
    /// Nothing: the connection is plain, and the operator is warned.
    Unset,
    /// `sslmode=disable`.
    Disabled,
    /// `require`, `verify-ca`, `verify-full`: TLS with a verified certificate, of one of these roots instead of the
    /// system's.
    Verified { roots: Option<PathBuf> },
}

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// It has another scheme, or is a list of keys and values, as libpq also takes it.
    #[error("give it as postgres://user:password@host/name")]
    Form,
    /// A reserved character could end the user, the password or the name, or belong to them.
    #[error(
        "give it as postgres://user:password@host/name with reserved characters of user, password and name \
         percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for #, %25 for %"
    )]
    Ambiguous,
    /// A parameter is unknown, given twice, or without a value.
    #[error("give it as postgres://user:password@host/name?parameter=value, each of {} at most once", PARAMETERS.join(", "))]
    Parameter,
    /// `sslmode` has a value that isn't one, or that would promise protection without giving it.
    #[error(
        "give it as postgres://user:password@host/name?sslmode=verify-full: sslmode is disable, require, verify-ca or verify-full"
    )]
    TlsMode,
    /// Roots to verify a certificate with, and no TLS.
    #[error(
        "give it as postgres://user:password@host/name?sslmode=verify-full: sslrootcert is used only with that"
    )]
    UnusedRoots,
    /// A host, a port or the value of a parameter can't be read.
    #[error(
        "give it as postgres://user:password@host:5432/name: a host, a port or the value of a parameter is malformed"
    )]
    Malformed,
}

const SSLMODE: &str = "sslmode";
const SSLROOTCERT: &str = "sslrootcert";

/// All parameters: those of TLS, which this parser reads, and those that `tokio_postgres` does.
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

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = Parts::split(text)?;
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
        // The error could name a value.
        let config = Config::from_str(&plain).map_err(|_| DatabaseUrlError::Malformed)?;
        Ok(Self {
            redacted: parts.redacted(&config, tls.mode.as_deref()),
            tls: tls.mode()?,
            config,
        })
    }
}

/// An address, cut where every parser cuts it.
struct Parts<'u> {
    /// Everything up to the `?`.
    before_query: &'u str,
    scheme: &'u str,
    /// Hosts, ports and the name of the database.
    place: &'u str,
    query: &'u str,
}

impl<'u> Parts<'u> {
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
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let name = place.split_once('/').map_or("", |(_, name)| name);
        if name.contains('/') {
            return Err(DatabaseUrlError::Ambiguous);
        }
        let before_query = text.len() - rest.len() + place.len();
        Ok(Self {
            before_query: &text[..before_query],
            scheme,
            place,
            query,
        })
    }

    fn redacted(&self, config: &Config, mode: Option<&str>) -> String {
        let is_secret = config.get_user().is_some() || config.get_password().is_some();
        let credentials = if is_secret { "***@" } else { "" };
        let mode = mode.map(|mode| format!("?{SSLMODE}={mode}"));
        let (scheme, place, mode) = (self.scheme, self.place, mode.unwrap_or_default());
        format!("{scheme}://{credentials}{place}{mode}")
    }
}

/// Whether each `%` begins a byte, and none of these is a NUL, which would end the text for PostgreSQL.
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

/// Without what could be a secret.
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
mod tests {
    use proptest::prelude::*;
    use tokio_postgres::config::Host;

    use super::*;

    fn verified() -> TlsMode {
        TlsMode::Verified { roots: None }
    }

    #[test]
    fn reserved_characters_never_weaken_the_tls_mode() {
        use DatabaseUrlError as E;
        for (url, want) in [
            ("postgres://u:hunter2@h/d", Ok(TlsMode::Unset)),
            (
                "postgres://u:hunter2@h/d?sslmode=disable",
                Ok(TlsMode::Disabled),
            ),
            ("postgres://u:hunter2@h/d?sslmode=require", Ok(verified())),
            ("postgresql://u:hunter2@h?sslmode=verify-ca", Ok(verified())),
            (
                "postgres://u:hunter2@h/d?connect_timeout=5&sslmode=verify-full",
                Ok(verified()),
            ),
            // Reserved characters of a password: encoded, or not to be told from structure.
            (
                "postgres://u:hunter2%3F%40%2F%23%25@h/d?sslmode=require",
                Ok(verified()),
            ),
            (
                "postgres://u:hunter2#:&=;+@h/d?sslmode=require",
                Ok(verified()),
            ),
            (
                "postgres://u:hunter2?x@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:12?hunter2@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2?sslmode=require@h/d",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2@x@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2/x@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2%@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2%zz@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2%00@h/d?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2@h/d/e?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2@h/d#?sslmode=require",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2@h/d?sslmode=require#",
                Err(E::Ambiguous),
            ),
            (
                "postgres://u:hunter2@h/d?sslmode=require\n",
                Err(E::Ambiguous),
            ),
            (
                "postgres://h/d?password=hunter2@x&sslmode=require",
                Err(E::Ambiguous),
            ),
            // A mode that is unknown, unreadable or said twice, or a word that isn't quite it.
            ("postgres://u:hunter2@h/d?sslmode=prefer", Err(E::TlsMode)),
            ("postgres://u:hunter2@h/d?sslmode=allow", Err(E::TlsMode)),
            ("postgres://u:hunter2@h/d?sslmode=Require", Err(E::TlsMode)),
            ("postgres://u:hunter2@h/d?sslmode=", Err(E::TlsMode)),
            ("postgres://u:hunter2@h/d?sslmode=require?", Err(E::TlsMode)),
            ("postgres://u:hunter2@h/d?sslmode=%72equire", Ok(verified())),
            ("postgres://u:hunter2@h/d?sslmode=%FF", Err(E::Malformed)),
            ("postgres://u:hunter2@h/d?sslmode", Err(E::Parameter)),
            (
                "postgres://u:hunter2@h/d?ssl%6Dode=require",
                Err(E::Parameter),
            ),
            (
                "postgres://u:hunter2@h/d?SSLMODE=require",
                Err(E::Parameter),
            ),
            ("postgres://u:hunter2@h/d?ssl=true", Err(E::Parameter)),
            ("postgres://u:hunter2@h/d?requiressl=1", Err(E::Parameter)),
            ("postgres://u:hunter2@h/d?sslcert=/c.pem", Err(E::Parameter)),
            (
                "postgres://u:hunter2@h/d?sslmode=require&sslmode=disable",
                Err(E::Parameter),
            ),
            (
                "postgres://u:hunter2@h/d?sslmode=disable&sslmode=require",
                Err(E::Parameter),
            ),
            (
                "postgres://u:hunter2@h/d??sslmode=require",
                Err(E::Parameter),
            ),
            (
                "postgres://u:hunter2@h/d?sslrootcert=/ca.pem",
                Err(E::UnusedRoots),
            ),
            (
                "postgres://u:hunter2@h/d?sslmode=disable&sslrootcert=/ca.pem",
                Err(E::UnusedRoots),
            ),
            // What libpq reads and this server doesn't.
            (
                "host=h user=u password=hunter2 sslmode=require",
                Err(E::Form),
            ),
            ("POSTGRES://u:hunter2@h/d?sslmode=require", Err(E::Form)),
            ("mysql://u:hunter2@h/d?sslmode=require", Err(E::Form)),
            ("u:hunter2@h/d?sslmode=require", Err(E::Form)),
            (
                "postgres://u:hunter2@h:port/d?sslmode=require",
                Err(E::Malformed),
            ),
            (
                "postgres://u:hunter2@h/d?connect_timeout=soon&sslmode=require",
                Err(E::Malformed),
            ),
        ] {
            let read = url.parse::<DatabaseUrl>();
            assert_eq!(read.clone().map(|it| it.tls), want, "{url}");
            let shown = match read {
                Ok(read) => format!("{read} {read:?}"),
                Err(error) => format!("{error} {error:?}"),
            };
            assert!(!shown.contains("hunter2"), "{shown}");
            assert!(want.is_ok() || shown.contains("give it as"), "{shown}");
        }
    }

    #[test]
    fn the_display_shows_the_place_and_the_tls_mode() {
        for (url, shown) in [
            ("postgres://u:hunter2@h:5/n", "postgres://***@h:5/n"),
            ("postgres://u@h/n", "postgres://***@h/n"),
            ("postgres://:hunter2@h/n", "postgres://***@h/n"),
            ("postgres://h/n?password=hunter2", "postgres://***@h/n"),
            ("postgres://h/n", "postgres://h/n"),
            (
                "postgres://u:a%40b@h/n?sslmode=verify-full",
                "postgres://***@h/n?sslmode=verify-full",
            ),
            (
                "postgres://h/n?user=u&password=hunter2",
                "postgres://***@h/n",
            ),
            (
                "postgres://[::1]:5,h2/n?options=-cx%3Dy",
                "postgres://[::1]:5,h2/n",
            ),
        ] {
            let read: DatabaseUrl = url.parse().expect(url);
            assert_eq!(read.to_string(), shown);
        }
    }

    #[test]
    fn roots_are_a_decoded_path() {
        let url = "postgres://h/d?sslrootcert=/etc/my%20ca%2B.pem&sslmode=verify-full";
        let read: DatabaseUrl = url.parse().expect("an address");
        let roots = Some(PathBuf::from("/etc/my ca+.pem"));
        assert_eq!(read.tls, TlsMode::Verified { roots });
    }

    proptest! {
        #[test]
        fn an_encoded_address_is_read_back_whole(
            user in "[^\0]{1,12}",
            password in "[^\0]{0,12}",
            name in "[^\0]{1,12}",
        ) {
            let encode = |text: &str| {
                text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>()
            };
            let url = format!(
                "postgres://{}:{}@db.example.org:5433/{}?sslmode=require",
                encode(&user), encode(&password), encode(&name),
            );
            let read: DatabaseUrl = url.parse().expect("an address");
            prop_assert_eq!(read.config.get_user(), Some(&*user));
            prop_assert_eq!(read.config.get_password(), Some(password.as_bytes()));
            prop_assert_eq!(read.config.get_dbname(), Some(&*name));
            prop_assert_eq!(read.config.get_hosts(), &[Host::Tcp("db.example.org".to_owned())]);
            prop_assert_eq!(read.tls, verified());
        }

        #[test]
        fn a_raw_password_is_read_whole_or_refused(password in "[ -~]{0,12}") {
            let url = format!("postgres://u:{password}@h/d?sslmode=require");
            if let Ok(read) = url.parse::<DatabaseUrl>() {
                prop_assert_eq!(read.tls, verified());
                prop_assert_eq!(read.config.get_hosts(), &[Host::Tcp("h".to_owned())]);
                let decoded: Vec<u8> = percent_decode_str(&password).collect();
                prop_assert_eq!(read.config.get_password(), Some(&*decoded));
            }
        }
    }
}
