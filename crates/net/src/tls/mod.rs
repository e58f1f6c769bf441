//! TLS with a certificate that can be reloaded while the server runs.

pub(crate) mod self_signed;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ParsedCertificate, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use x509_cert::Certificate;
use x509_cert::der::Decode;

/// ALPN identifier of HTTP/2 (RFC 9113, section 3.2).
const HTTP2: &[u8] = b"h2";

/// Why a certificate can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read, or isn't PEM.
    #[error("{} can't be read as PEM", .0.display())]
    Read(PathBuf, #[source] pem::Error),
    /// The file contains no certificate.
    #[error("{} holds no certificate", .0.display())]
    NoCertificate(PathBuf),
    /// The certificate is no longer valid, and the one that is served is.
    #[error("the certificate in {} has expired", .0.display())]
    Expired(PathBuf),
    /// Certificate and key don't belong together, or their kind is unknown.
    #[error("the certificate and its key can't be used together")]
    Unusable(#[source] rustls::Error),
}

/// TLS configuration and certificate of a server. Cheap to clone.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    identity: Arc<Identity>,
}

/// The server's certificate and key, and their files.
struct Identity {
    certificate: PathBuf,
    key: PathBuf,
    now: RwLock<Arc<CertifiedKey>>,
}

impl Tls {
    /// Reads a PEM certificate chain, the server's own certificate first, and its PEM key.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let identity = Arc::new(Identity {
            now: RwLock::new(Arc::new(read(certificate, key)?)),
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        });
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(TlsError::Unusable)?
            .with_no_client_auth()
            .with_cert_resolver(identity.clone());
        config.alpn_protocols = vec![HTTP2.to_vec(), b"http/1.1".to_vec()];
        config.ticketer = ring::Ticketer::new().map_err(TlsError::Unusable)?;
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            identity,
        })
    }

    /// Reads both files again, for connections from now on. `now` is the time since 1970.
    /// On an error the previous certificate stays in use, as it does if only the new one has expired.
    pub fn reload(&self, now: Duration) -> Result<(), TlsError> {
        let identity = &self.identity;
        let fresh = read(&identity.certificate, &identity.key)?;
        let has_expired = |key: &CertifiedKey| expiry(key).is_some_and(|it| it <= now);
        let mut served = identity.now.write();
        if has_expired(&fresh) && !has_expired(&served) {
            return Err(TlsError::Expired(identity.certificate.clone()));
        }
        *served = Arc::new(fresh);
        Ok(())
    }

    /// Why clients will refuse the certificate that new connections get, a sentence each.
    /// `host` is the name or the address by which they call, and `now` the time since 1970. rustls serves a
    /// certificate without looking at either.
    pub fn warnings(&self, host: Option<&str>, now: Duration) -> Vec<String> {
        let served = self.identity.now.read().clone();
        let is_over = expiry(&served).is_some_and(|it| it <= now);
        let expired = is_over.then(|| "the certificate has expired".to_owned());
        let is_for = |host: &str| {
            let name = ServerName::try_from(host.to_owned()).ok()?;
            let certificate = ParsedCertificate::try_from(served.cert.first()?).ok()?;
            Some(verify_server_name(&certificate, &name).is_ok())
        };
        let foreign = host.filter(|host| is_for(host) == Some(false));
        let foreign = foreign.map(|host| format!("the certificate isn't one of {host}"));
        expired.into_iter().chain(foreign).collect()
    }

    /// The end of validity (RFC 5280, section 4.1.2.5) of the certificate that new connections get, since 1970.
    ///
    /// `None`: it can't be parsed. rustls serves a certificate without reading its dates.
    pub fn certificate_expiry(&self) -> Option<Duration> {
        expiry(&self.identity.now.read())
    }

    /// Runs a TLS handshake.
    pub async fn handshake(&self, tcp: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(tcp).await
    }

    /// Runs a TLS handshake, and returns whether the client chose HTTP/2 (ALPN, RFC 7301).
    pub(crate) async fn accept(&self, tcp: TcpStream) -> io::Result<(TlsStream<TcpStream>, bool)> {
        let stream = self.handshake(tcp).await?;
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2);
        Ok((stream, is_http2))
    }
}

/// The end of a certificate's validity, since 1970. `None`: it can't be parsed.
fn expiry(key: &CertifiedKey) -> Option<Duration> {
    let certificate = Certificate::from_der(key.cert.first()?).ok()?;
    let validity = certificate.tbs_certificate.validity;
    Some(validity.not_after.to_unix_duration())
}

fn read(certificate: &Path, key: &Path) -> Result<CertifiedKey, TlsError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| TlsError::Read(path, error)
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(unreadable(certificate))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    // `from_der` also checks that certificate and key belong together.
    CertifiedKey::from_der(chain, secret, &ring::default_provider()).map_err(TlsError::Unusable)
}

impl ResolvesServerCert for Identity {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.now.read().clone())
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(..)")
    }
}
