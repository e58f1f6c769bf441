//! `vidence serve`: open, listen, run until told to stop.

use std::net::SocketAddr;
use std::process;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::{error, info, warn};

use super::qr;
use crate::clock::Clock;
use crate::config::Config;
use crate::http::{Assets, router};
use crate::log;
use crate::serve::{Entrance, Lan, Tls, allow_open_files};
use crate::service::PublicUrl;
use crate::start::{open, run};

/// Serves until SIGINT or SIGTERM.
#[tokio::main]
pub(super) async fn serve(config: Config) -> anyhow::Result<()> {
    log::to_stdout();
    let assets = Assets::embedded()?;
    let way_in = WayIn::find(&config)?;
    let listener = TcpListener::bind(way_in.listen)
        .await
        .with_context(|| format!("can't listen on {}", way_in.listen))?;
    let by_address = way_in.public_url(listener.local_addr()?);
    // Held until the end: the folder is ours alone while we run.
    let (app, _data_dir) = open(&config, Clock::System, by_address).await?;

    let stored = (&config.store.database_url, &config.store.blob_url);
    if !matches!(stored, (Some(_), Some(_))) {
        let data_dir = std::path::absolute(&config.store.data_dir)?;
        info!("data lies in {}", data_dir.display());
    }
    info!("open {} in a browser", app.public_url.as_str());
    if let Some(lan) = &way_in.lan {
        println!("{}", invitation(lan, &app.public_url));
    }
    // Registered before the first request: no signal is missed.
    let told = Told::listen()?;
    let tls = way_in.tls.clone();
    let shutdown = told.stop(move || reload(tls.as_ref()));
    let router = router(app.clone(), assets);
    let entrance = Entrance {
        listener,
        tls: way_in.tls,
        connections: allow_open_files(config.serving.max_connections),
        of_one_address: config.serving.max_connections_per_address,
        proxies: app.proxies.clone(),
    };
    run(app, router, entrance, config.serving.drain(), shutdown).await?;
    info!("stopped");
    Ok(())
}

/// Where to listen, and what to speak there.
struct WayIn {
    listen: SocketAddr,
    tls: Option<Tls>,
    lan: Option<Lan>,
}

impl WayIn {
    fn find(config: &Config) -> anyhow::Result<Self> {
        let serving = &config.serving;
        if serving.lan {
            let lan = Lan::open(&config.store.data_dir)?;
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
    fn public_url(&self, mut bound: SocketAddr) -> PublicUrl {
        if let Some(lan) = &self.lan {
            bound.set_ip(lan.address);
        }
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        PublicUrl::new(&format!("{scheme}://{bound}"))
    }
}

/// What to do with a phone.
fn invitation(lan: &Lan, public_url: &PublicUrl) -> String {
    let link = public_url.as_str();
    let code = qr::for_a_terminal(link).unwrap_or_default();
    let certificate = lan.certificate.display();
    format!(
        "\n{code}\nOpen {link} on a phone in the same network. It will warn once: the certificate is this \
         machine's own.\nPrograms here trust it by: curl --cacert {certificate} {link}/healthz\n"
    )
}

fn reload(tls: Option<&Tls>) {
    match tls.map(Tls::reload) {
        Some(Ok(())) => info!("the certificate was read again"),
        Some(Err(error)) => {
            let error: &dyn std::error::Error = &error;
            error!(error, "the certificate stays as it was");
        }
        None => info!("there is no certificate to read again"),
    }
}

/// Signals.
struct Told {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Told {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn ended(&mut self, mut reload: impl FnMut()) {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
                _ = self.hang_up.recv() => reload(),
            }
        }
    }

    /// Waits to be told to stop. Who says it a second time means at once.
    async fn stop(mut self, mut reload: impl FnMut() + Send + 'static) {
        self.ended(&mut reload).await;
        tokio::spawn(async move {
            self.ended(reload).await;
            warn!("stopped at once");
            process::exit(1);
        });
    }
}
