//! Connecting to PostgreSQL, encrypted where the URL requires it.
//!
//! `sslmode=require`, `verify-ca` and `verify-full` mean the same here: TLS, with a certificate for the server's name
//! from an authority that the system trusts, or that the file `sslrootcert` holds. Without verification TLS doesn't
//! protect against an active attacker, so there is no mode without it. Without `sslmode` the connection is plain.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use diesel::ConnectionError;
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::database_url::{DatabaseUrl, TlsMode};
use crate::db::DbError;

/// How long a server may be silent before its connection counts as lost.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(15);

/// A transaction that a frozen or lost node has begun would hold its locks for as long as TCP keeps the connection: up to
/// two hours, and all other nodes would wait for them. A transaction of this program never pauses.
const ABANDONED_AFTER: &str = "SET idle_in_transaction_session_timeout = '30s'";

/// Opens connections to one server.
#[derive(Clone)]
pub(super) struct Connector {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

type Reason = Box<dyn std::error::Error + Send + Sync>;

/// A file without a certificate would refuse every server.
#[derive(Debug, thiserror::Error)]
#[error("{} holds no certificate", .0.display())]
struct NoRoots(PathBuf);

impl Connector {
    /// Reads the root certificates: [`DbError::Roots`].
    pub(super) fn new(url: &DatabaseUrl) -> Result<Self, DbError> {
        let mut config = url.config.clone();
        let tls = match &url.tls {
            TlsMode::Verified { roots } => Some(tls(roots.as_deref()).map_err(DbError::Roots)?),
            TlsMode::Unset | TlsMode::Disabled => None,
        };
        // Without timeouts a server that disappeared without closing would block callers for hours.
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(SILENCE_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE_TIMEOUT);
        }
        config.keepalives_idle(SILENCE_TIMEOUT);
        config.keepalives_interval(SILENCE_TIMEOUT / 3);
        config.keepalives_retries(3);
        config.ssl_mode(match tls {
            Some(_) => SslMode::Require,
            None => SslMode::Disable,
        });
        Ok(Self { config, tls })
    }

    /// Opens a connection. A server that is frozen accepts one and says nothing on it.
    pub(super) async fn connect(&self) -> Result<AsyncPgConnection, ConnectionError> {
        // One host is tried after the other.
        let reached = self.config.get_connect_timeout();
        let each = reached.map_or(SILENCE_TIMEOUT, |it| *it + SILENCE_TIMEOUT);
        let limit = each * u32::try_from(self.config.get_hosts().len().max(1)).unwrap_or(1);
        let connected = timeout(limit, self.try_connect()).await;
        connected.unwrap_or_else(|_| {
            let seconds = limit.as_secs();
            let silent = format!("the server doesn't answer within {seconds} s");
            Err(ConnectionError::BadConnection(silent))
        })
    }

    async fn try_connect(&self) -> Result<AsyncPgConnection, ConnectionError> {
        let failed = |error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            let cause = cause.unwrap_or_default();
            ConnectionError::BadConnection(format!("{error}: {cause}"))
        };
        let mut conn = match &self.tls {
            Some(tls) => {
                let connected = self.config.connect(tls.clone()).await;
                let (client, connection) = connected.map_err(failed)?;
                AsyncPgConnection::try_from_client_and_connection(client, connection).await?
            }
            None => {
                let (client, connection) = self.config.connect(NoTls).await.map_err(failed)?;
                AsyncPgConnection::try_from_client_and_connection(client, connection).await?
            }
        };
        let set = conn.batch_execute(ABANDONED_AFTER).await;
        set.map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(conn)
    }
}

fn tls(roots: Option<&Path>) -> Result<MakeRustlsConnect, Reason> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let config = match roots {
        None => config.with_platform_verifier()?,
        Some(file) => {
            let mut roots = RootCertStore::empty();
            let unread = |error| format!("{}: {error}", file.display());
            for certificate in CertificateDer::pem_file_iter(file).map_err(unread)? {
                roots.add(certificate.map_err(unread)?)?;
            }
            if roots.is_empty() {
                return Err(NoRoots(file.to_owned()).into());
            }
            config.with_root_certificates(roots)
        }
    };
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}
