//! Where a server listens, what it speaks there, and by which address others reach it.

use std::net::SocketAddr;

use anyhow::bail;

use super::qr;
use crate::config::Config;
use crate::service::PublicUrl;
use crate::storage::data_dir;
use crate::storage::layout::LOCK_FILE;
use net::{Lan, Tls};

/// Where to listen, and what to speak there.
pub(super) struct WayIn {
    pub(super) listen: SocketAddr,
    pub(super) tls: Option<Tls>,
    lan: Option<Lan>,
}

impl WayIn {
    /// As the settings say, once they are found to make sense together.
    pub(super) fn find(config: &Config) -> anyhow::Result<Self> {
        let serving = &config.serving;
        if serving.lan {
            data_dir::open(&config.store.data_dir, LOCK_FILE)?;
            let lan = Lan::open(&config.store.data_dir, config.listen.ip())?;
            let listen = match config.listen.ip().is_loopback() {
                true => Lan::listen(config.listen.port()),
                false => config.listen,
            };
            return Ok(Self {
                listen,
                tls: Some(lan.tls.clone()),
                lan: Some(lan),
            });
        }
        if !config.listen.ip().is_loopback() && config.public_url.is_none() {
            bail!(
                "--listen {} lets other machines in, and the links that Vidence hands out must name an address \
                 that they can open. Give it with --public-url https://evidence.example.org, or try it in your \
                 own network with --lan",
                config.listen
            );
        }
        let pair = serving.tls_cert.as_deref().zip(serving.tls_key.as_deref());
        let tls = pair.map(|(certificate, key)| Tls::open(certificate, key));
        Ok(Self {
            listen: config.listen,
            tls: tls.transpose()?,
            lan: None,
        })
    }

    /// Where it can be reached, when the settings don't say.
    pub(super) fn public_url(&self, mut bound: SocketAddr) -> PublicUrl {
        if let Some(lan) = &self.lan
            && bound.ip().is_unspecified()
        {
            bound.set_ip(lan.address);
        }
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        PublicUrl::new(&format!("{scheme}://{bound}"))
    }

    /// What to do with a phone, where that is what this is for.
    pub(super) fn invitation(&self, public_url: &PublicUrl) -> Option<String> {
        let link = public_url.as_str();
        let certificate = self.lan.as_ref()?.certificate.display();
        let code = qr::for_a_terminal(link).unwrap_or_default();
        Some(format!(
            "\n{code}\nOpen {link} on a phone in the same network. It will warn once: the certificate is this \
             machine's own.\nPrograms here trust it by: curl --cacert {certificate} {link}/healthz\n"
        ))
    }
}
