//! `vidence serve`: open, listen, run until told to stop.

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::task::AbortOnDropHandle;
use tracing::info;

use crate::clock::Clock;
use crate::config::Config;
use crate::http::{Assets, router, serve_admin};
use crate::log;
use crate::service::PublicUrl;
use crate::start::{open, run};

/// Serves until SIGINT or SIGTERM.
#[tokio::main]
pub(super) async fn serve(config: Config) -> anyhow::Result<()> {
    log::to_stdout(config.telemetry.log_format);

    let assets = Assets::embedded()?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("can't listen on {}", config.listen))?;
    let admin = match config.telemetry.admin_listen {
        Some(address) => {
            let listener = TcpListener::bind(address).await;
            Some(listener.with_context(|| format!("can't listen on {address} for the operator"))?)
        }
        None => None,
    };
    let address = listener.local_addr()?;
    let by_address = PublicUrl::new(&format!("http://{address}"));
    // Held until the end: the folder is ours alone while we run.
    let (app, _data_dir) = open(&config, Clock::System, by_address).await?;

    let stored = (&config.store.database_url, &config.store.blob_url);
    if !matches!(stored, (Some(_), Some(_))) {
        let data_dir = std::path::absolute(&config.store.data_dir)?;
        info!("data lies in {}", data_dir.display());
    }
    info!("open {} in a browser", app.public_url.as_str());
    // Registered before the first request: no signal is missed.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let shutdown = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    // Until the very end: it tells that there is one.
    let _admin = admin
        .map(|listener| AbortOnDropHandle::new(tokio::spawn(serve_admin(app.clone(), listener))));
    let router = router(app.clone(), assets);
    run(app, router, listener, shutdown).await?;
    info!("stopped");
    Ok(())
}
