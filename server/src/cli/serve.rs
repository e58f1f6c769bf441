//! `vidence serve`: open, listen, run until told to stop.

use std::net::SocketAddr;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;
use tracing::{error, info};

use super::listen::WayIn;
use super::signals::Signals;
use crate::bootstrap::{open, run};
use crate::clock::Clock;
use crate::config::Config;
use crate::http::{Assets, router, serve_admin};
use crate::telemetry::logging;
use net::{ListenerConfig, Timeouts, Tls, allow_open_files};

/// Tasks that a busy worker polls between two polls for I/O. Each may decode 16 KiB of headers, so 61 of them, tokio's
/// default, would leave what other clients sent unnoticed for tens of milliseconds.
const EVENT_INTERVAL: u32 = 8;

/// Serves until SIGINT or SIGTERM.
pub(super) fn serve(config: Config) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .event_interval(EVENT_INTERVAL)
        .build()?;
    runtime.block_on(serve_on(config))
}

async fn serve_on(config: Config) -> anyhow::Result<()> {
    logging::init(config.telemetry.log_format);
    // Before anything that takes time: no signal is missed, and hanging up ends nothing.
    let mut signals = Signals::listen()?;
    let assets = Assets::embedded()?;
    let way_in = WayIn::find(&config)?;
    let listener = bind(way_in.listen).await?;
    let admin = match config.telemetry.admin_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let by_address = way_in.public_url(listener.local_addr()?);
    // Held until the end: the folder is ours alone while we run.
    let (app, _data_dir) = tokio::select! {
        opened = open(&config, Clock::System, by_address) => opened?,
        () = signals.ended(|| {}) => {
            info!("stopped before it had begun");
            return Ok(());
        }
    };

    let stored = (&config.store.database_url, &config.store.blob_url);
    if !matches!(stored, (Some(_), Some(_))) {
        let data_dir = std::path::absolute(&config.store.data_dir)?;
        info!("data lies in {}", data_dir.display());
    }
    info!("open {} in a browser", app.public_url.as_str());
    if let Some(invitation) = way_in.invitation(&app.public_url) {
        println!("{invitation}");
    }
    let tls = way_in.tls.clone();
    let shutdown = signals.stop(move || reload(tls.as_ref()));
    // Until the very end: it tells that there is one.
    let _admin = admin
        .map(|listener| AbortOnDropHandle::new(tokio::spawn(serve_admin(app.clone(), listener))));
    let router = router(app.clone(), assets);
    let entrance = ListenerConfig {
        listener,
        tls: way_in.tls,
        connections: allow_open_files(config.serving.max_connections),
        of_one_address: config.serving.max_connections_per_address,
        proxies: app.trusted_proxies.clone(),
        window_memory: config.limits.upload_memory,
        timeouts: Timeouts::default(),
    };
    run(app, router, entrance, config.serving.drain(), shutdown).await?;
    info!("stopped");
    Ok(())
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.with_context(|| format!("can't listen on {address}"))
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
