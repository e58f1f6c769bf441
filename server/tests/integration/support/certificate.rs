//! Certificates for a test server, and clients that trust them.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use reqwest::{Certificate, Client, redirect};
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use server::config::{Config, ServingArgs};
use tempfile::TempDir;
use tokio_rustls::TlsConnector;

/// A certificate for 127.0.0.1 with its key.
pub struct CertificateFiles {
    folder: TempDir,
}

impl CertificateFiles {
    pub fn new() -> Self {
        Self::valid_until(2100)
    }

    /// A certificate that is valid until the first day of this year.
    pub fn valid_until(year: i32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Self { folder };
        files.generate(year);
        files
    }

    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    pub fn key(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }

    pub fn copy_from(&self, other: &Self) {
        fs::copy(other.certificate(), self.certificate()).expect("a file");
        fs::copy(other.key(), self.key()).expect("a file");
    }

    fn generate(&self, year: i32) {
        let key = KeyPair::generate().expect("a key");
        let names = vec!["127.0.0.1".to_owned()];
        let mut params = CertificateParams::new(names).expect("a name");
        params.not_after = date_time_ymd(year, 1, 1);
        let certificate = params.self_signed(&key).expect("a signature");
        fs::write(self.certificate(), certificate.pem()).expect("a file");
        fs::write(self.key(), key.serialize_pem()).expect("a file");
    }

    pub fn serving_args(&self) -> ServingArgs {
        let (certificate, key) = (self.certificate(), self.key());
        parse_serving_args(&[
            "--tls-cert",
            certificate.to_str().expect("UTF-8"),
            "--tls-key",
            key.to_str().expect("UTF-8"),
        ])
    }

    /// A client that trusts only the current certificate.
    pub fn client(&self) -> Client {
        let pem = fs::read(self.certificate()).expect("a file");
        let certificate = Certificate::from_pem(&pem).expect("a certificate");
        let client = Client::builder().tls_certs_only([certificate]);
        let client = client.redirect(redirect::Policy::none());
        client.build().expect("a client")
    }

    pub fn connector(&self, protocol: &[u8]) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        let file = self.certificate();
        let certificate = rustls::pki_types::CertificateDer::from_pem_file(file);
        roots
            .add(certificate.expect("a certificate"))
            .expect("a root");
        let mut config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![protocol.to_vec()];
        TlsConnector::from(Arc::new(config))
    }
}

/// Parses these flags of the listener.
pub fn parse_serving_args(flags: &[&str]) -> ServingArgs {
    Config::parse_from(["vidence"].iter().chain(flags)).serving
}
