//! Parse, open, serve.

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use server::clock::Clock;
use server::config::Config;
use server::service::PublicUrl;
use server::{Assets, open, router, run, stills};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{Level, info};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> anyhow::Result<ExitCode> {
    // Before there is a thread, a file or a secret: a decoder gives up the right to have any.
    if stills::is_child() {
        return Ok(stills::child());
    }
    serve()?;
    Ok(ExitCode::SUCCESS)
}

/// To the standard output, what `VIDENCE_LOG` asks for.
fn log() {
    let wanted = EnvFilter::try_from_env("VIDENCE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    // It prints whole messages, tokens included, and asking for that is easily done: `trace`, for instance.
    let harmless = filter_fn(|it| !it.target().starts_with("rmcp") || *it.level() == Level::ERROR);
    let lines = tracing_subscriber::fmt::layer().with_ansi(std::io::stdout().is_terminal());
    tracing_subscriber::registry()
        .with(lines.with_filter(wanted.and(harmless)))
        .init();
}

#[tokio::main]
async fn serve() -> anyhow::Result<()> {
    let config = Config::parse();
    log();

    let assets = Assets::embedded()?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("can't listen on {}", config.listen))?;
    let address = listener.local_addr()?;
    let by_address = PublicUrl::new(&format!("http://{address}"));
    // Held until the end: the folder is ours alone while we run.
    let (app, _data_dir) = open(&config, Clock::System, by_address).await?;

    let stored = (&config.database_url, &config.blob_url);
    if !matches!(stored, (Some(_), Some(_))) {
        let data_dir = std::path::absolute(&config.data_dir)?;
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
    let router = router(app.clone(), assets);
    run(app, router, listener, shutdown).await?;
    info!("stopped");
    Ok(())
}
