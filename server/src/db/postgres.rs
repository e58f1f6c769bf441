//! Connecting to PostgreSQL, encrypted where the URL says so.
//!
//! `sslmode=require`, `verify-ca` and `verify-full` all mean the same here: TLS, and the server's name
//! proven by a certificate that the system trusts, or by the one in the file `sslrootcert`. What isn't
//! verified protects from nobody who can get in between. Without `sslmode` the connection is plain.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use diesel::ConnectionError;
use diesel_async::AsyncPgConnection;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;
use tracing::warn;

/// A server that says nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(15);

/// How to reach a server.
#[derive(Clone)]
pub(super) struct Server {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

type Reason = Box<dyn std::error::Error + Send + Sync>;

impl Server {
    /// Reads a URL. The reasons why it fails name no part of it: it carries a password.
    pub(super) fn parse(url: &str) -> Result<Self, Reason> {
        let (url, mode, roots) = take_tls_parameters(url);
        let mut config = Config::from_str(&url)?;
        let tls = match mode.as_deref() {
            None | Some("disable") => None,
            Some("require" | "verify-ca" | "verify-full") => Some(tls(roots.as_deref())?),
            Some(_) => return Err("sslmode must be disable, require or verify-full".into()),
        };
        if tls.is_none() && mode.is_none() && !config.get_hosts().iter().all(is_near) {
            warn!(
                "the connection to the database is not encrypted: sslmode=verify-full makes it so"
            );
        }
        // A server that is gone without a word must not hold anybody up for hours.
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(SILENCE);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        config.keepalives_idle(SILENCE);
        config.keepalives_interval(SILENCE / 3);
        config.keepalives_retries(3);
        config.ssl_mode(match tls {
            Some(_) => SslMode::Require,
            None => SslMode::Disable,
        });
        Ok(Self { config, tls })
    }

    /// Opens a connection.
    pub(super) async fn connect(&self) -> Result<AsyncPgConnection, ConnectionError> {
        let failed = |error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            let cause = cause.unwrap_or_default();
            ConnectionError::BadConnection(format!("{error}: {cause}"))
        };
        match &self.tls {
            Some(tls) => {
                let connected = self.config.connect(tls.clone()).await;
                let (client, connection) = connected.map_err(failed)?;
                AsyncPgConnection::try_from_client_and_connection(client, connection).await
            }
            None => {
                let (client, connection) = self.config.connect(NoTls).await.map_err(failed)?;
                AsyncPgConnection::try_from_client_and_connection(client, connection).await
            }
        }
    }
}

/// Cuts off what `tokio_postgres` doesn't know in this sense.
fn take_tls_parameters(url: &str) -> (String, Option<String>, Option<PathBuf>) {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut roots, mut others) = (None, None, Vec::new());
    for parameter in query.split('&').filter(|it| !it.is_empty()) {
        match parameter.split_once('=') {
            Some(("sslmode", value)) => mode = Some(value.to_owned()),
            Some(("sslrootcert", value)) => roots = Some(PathBuf::from(value)),
            _ => others.push(parameter),
        }
    }
    let url = match others.is_empty() {
        true => base.to_owned(),
        false => format!("{base}?{}", others.join("&")),
    };
    (url, mode, roots)
}

fn tls(roots: Option<&Path>) -> Result<MakeRustlsConnect, Reason> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let config = match roots {
        None => config.with_platform_verifier()?,
        Some(file) => {
            let mut roots = RootCertStore::empty();
            for certificate in CertificateDer::pem_file_iter(file)? {
                roots.add(certificate?)?;
            }
            config.with_root_certificates(roots)
        }
    };
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}

/// Where nobody gets in between.
fn is_near(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_of_tls_are_ours_and_the_others_are_passed_on() {
        let (url, mode, roots) = take_tls_parameters(
            "postgres://u@h/d?sslmode=verify-full&connect_timeout=5&sslrootcert=/etc/ca.pem",
        );
        assert_eq!(url, "postgres://u@h/d?connect_timeout=5");
        assert_eq!(mode.as_deref(), Some("verify-full"));
        assert_eq!(roots.as_deref(), Some(Path::new("/etc/ca.pem")));
        let plain = take_tls_parameters("postgres://u@h/d?sslmode=require");
        assert_eq!(plain.0, "postgres://u@h/d");
    }

    #[test]
    fn what_would_pretend_to_protect_is_refused() {
        for mode in ["prefer", "allow", "yes"] {
            let url = format!("postgres://u:hunter2@h/d?sslmode={mode}");
            let refusal = Server::parse(&url).map(drop).expect_err(mode).to_string();
            assert!(!refusal.contains("hunter2"), "{refusal}");
        }
    }
}
