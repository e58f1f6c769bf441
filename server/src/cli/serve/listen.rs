//! The address and protocol that a server listens on, and its public URL.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;

use crate::blobs::data_dir;
use crate::cli::exit::Misconfigured;
use crate::cli::terminal::qr;
use crate::cli::terminal::shell;
use crate::config::Config;
use crate::config::public_url::{Origin, PublicUrl};
use crate::storage::layout::MARKS;
use net::{Lan, Tls};

/// Why clients will refuse a server's certificate, a sentence each. One that `--lan` made isn't judged.
pub(in crate::cli) fn certificate_warnings(config: &Config, tls: Option<&Tls>) -> Vec<String> {
    let public_url = config.public_url.as_ref().map(PublicUrl::as_str);
    let origin = public_url.and_then(|it| it.parse::<Origin>().ok());
    let host = origin.as_ref().map(|it| it.host().trim_matches(['[', ']']));
    let tls = tls.filter(|_| !config.serving.lan);
    tls.map_or_else(Vec::new, |tls| tls.warnings(host, since_1970()))
}

/// The time since 1970.
pub(super) fn since_1970() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default()
}

/// The address to listen on, and TLS.
pub(in crate::cli) struct ListenSettings {
    pub(super) address: SocketAddr,
    pub(super) tls: Option<Tls>,
    lan: Option<Lan>,
}

impl ListenSettings {
    /// Reads the settings. An error: they contradict each other, or a certificate can't be read.
    pub(super) fn from_config(config: &Config) -> anyhow::Result<Self> {
        if config.serving.lan {
            data_dir::open(&config.store.data_dir, &MARKS)?;
            // Absolute, because the invitation names the certificate to people in other folders.
            let data_dir = std::path::absolute(&config.store.data_dir)?;
            let lan = Lan::open(&data_dir, config.listen.ip())?;
            let address = match config.listen.ip().is_loopback() {
                true => Lan::listen(config.listen.port()),
                false => config.listen,
            };
            return Ok(Self {
                address,
                tls: Some(lan.tls.clone()),
                lan: Some(lan),
            });
        }
        Ok(Self {
            address: config.listen,
            tls: Self::check(config)?,
            lan: None,
        })
    }

    /// Checks that the settings don't contradict each other, and reads the certificate that they name.
    /// Creates nothing.
    pub(in crate::cli) fn check(config: &Config) -> Result<Option<Tls>, Misconfigured> {
        let serving = &config.serving;
        if !serving.lan && !config.listen.ip().is_loopback() && config.public_url.is_none() {
            return Err(Misconfigured::new(anyhow!(
                "--listen {} lets other machines in, and the links that Vidence hands out must name an address \
                 that they can open. Give it with --public-url https://evidence.example.org, or try it in your \
                 own network with --lan",
                config.listen
            )));
        }
        if config.listen.port() != 0 && config.telemetry.admin_listen == Some(config.listen) {
            return Err(Misconfigured::new(anyhow!(
                "--listen and --admin-listen name the same address, {}: give each its own port",
                config.listen
            )));
        }
        let pair = serving.tls_cert.as_deref().zip(serving.tls_key.as_deref());
        let tls = pair.map(|(certificate, key)| Tls::open(certificate, key));
        tls.transpose().map_err(Misconfigured::new)
    }

    /// The public URL, if the settings don't name one.
    pub(super) fn default_public_url(&self, mut bound: SocketAddr) -> PublicUrl {
        if let Some(lan) = &self.lan
            && bound.ip().is_unspecified()
        {
            bound.set_ip(lan.address);
        }
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        PublicUrl::new(&format!("{scheme}://{bound}"))
    }

    /// With `--lan`, the text that invites a phone, with a QR code.
    pub(super) fn invitation(&self, public_url: &PublicUrl) -> Option<String> {
        let link = public_url.as_str();
        let certificate = self.lan.as_ref()?.certificate.display().to_string();
        let certificate = shell::word(&certificate);
        let program = shell::this_program();
        let code = qr::render(link).unwrap_or_default();
        Some(format!(
            "\n{code}\nOpen {link} on a phone in the same network. It will warn once: the certificate is this \
             machine's own.\nPrograms here trust it by: curl --cacert {certificate} {link}/healthz\n\
             SSL_CERT_FILE={certificate} {program} ask --server {link} \"Show me …\"\n"
        ))
    }
}
