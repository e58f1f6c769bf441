//! `vidence serve`: running the server.

mod banner;
pub(super) mod listen;
mod signals;
mod systemd;

use std::io::{self, ErrorKind, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::CommandFactory;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;
use tracing::{error, info, warn};

use super::Cli;
use super::exit::Misconfigured;
use crate::bootstrap::{open, run};
use crate::clock::Clock;
use crate::config::Config;
use crate::http::{Assets, router, serve_admin};
use crate::service::quota::RefusalReason;
use crate::telemetry::logging;
use crate::telemetry::logging::AsDynError;
use listen::{ListenSettings, certificate_warnings, since_1970};
use net::{ListenerConfig, Timeouts, Tls, allow_open_files, forbid_core_dumps};
use signals::Signals;

/// The tasks that a busy worker polls between two polls for I/O.
/// Each may decode 16 KiB of headers, so tokio's default of 61 would delay other clients' input by tens of
/// milliseconds.
const EVENT_INTERVAL: u32 = 8;

/// Connections that wait to be accepted: Linux' own limit, `net.core.somaxconn`.
const BACKLOG: u32 = 4096;

/// How long the end waits for threads that can't be interrupted.
const LAST_LOOKUPS: Duration = Duration::from_secs(1);

/// Serves until SIGINT or SIGTERM.
pub(super) fn serve(config: Config) -> anyhow::Result<()> {
    // Before the runtime, whose last tasks may log while it is dropped.
    let _log = logging::init(&config.telemetry.log, config.telemetry.log_format)?;
    forbid_core_dumps();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .event_interval(EVENT_INTERVAL)
        .build()?;
    let served = runtime.block_on(serve_on(config));
    // A name that is being looked up for a webhook or a transcriber doesn't hold up the end.
    runtime.shutdown_timeout(LAST_LOOKUPS);
    served
}

async fn serve_on(config: Config) -> anyhow::Result<()> {
    // Before anything that takes time, so that no signal is missed and SIGHUP doesn't end the process.
    let mut signals = Signals::listen()?;
    let assets = Assets::embedded()?;
    for warning in config.warnings(&Cli::command()) {
        warn!("{warning}");
    }
    let listen = ListenSettings::from_config(&config)?;
    warn_of_certificate(&config, listen.tls.as_ref());
    let socket = bind(listen.address).await?;
    let admin = match config.telemetry.admin_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let address = socket.local_addr()?;
    let public_url = listen.default_public_url(address);
    // The lock on the data folder is held until the end.
    let (app, _data_dir) = tokio::select! {
        opened = open(&config, Clock::System, public_url) => opened?,
        () = signals.terminated(|| {}) => {
            info!("stopped during start-up");
            return Ok(());
        }
    };

    // Not before: a connection that nothing accepts looks healthy to a proxy, which waits instead of asking another node.
    let listener = listen_on(socket)?;
    let admin = admin.map(listen_on).transpose()?;
    if config.store.database_url.is_none() || config.store.blob_url.is_none() {
        let data_dir = std::path::absolute(&config.store.data_dir)?;
        info!("data lies in {}", data_dir.display());
    }
    info!("open {} in a browser", app.public_url.as_str());
    banner::announce(&config, app.public_url.as_str(), address, &app.decoders);
    if let Some(invitation) = listen.invitation(&app.public_url) {
        // Below the log lines so far, which a thread of its own writes.
        logging::flush();
        // The server runs as well where the standard output is closed.
        let _ = writeln!(io::stdout(), "{invitation}");
    }
    let (settings, tls) = (config.clone(), listen.tls.clone());
    let shutdown = async move {
        signals
            .shutdown(move || reload(&settings, tls.as_ref()))
            .await;
        systemd::report_stopping();
    };
    let _health = AbortOnDropHandle::new(tokio::spawn(systemd::report_health(app.clone())));
    // Until the end, so that it reports the shutdown.
    let _admin = admin
        .map(|listener| serve_admin(app.clone(), listener, listen.tls.clone()))
        .map(|serving| AbortOnDropHandle::new(tokio::spawn(serving)));
    let router = router(app.clone(), assets);
    let refusals = app.quotas.refusals.clone();
    let listener = ListenerConfig {
        listener,
        tls: listen.tls,
        connections: allow_open_files(config.serving.max_connections),
        of_one_address: config.serving.max_connections_per_address,
        proxies: app.trusted_proxies.clone(),
        window_memory: config.limits.upload_memory,
        timeouts: Timeouts::default(),
        on_refused: Arc::new(move |client| refusals.record(client, RefusalReason::Connections)),
    };
    run(app, router, listener, config.serving.clone(), shutdown).await?;
    info!("stopped");
    Ok(())
}

/// Takes an address, unless another program listens there.
/// Retries for two seconds while it is in use: a child process that a vidence was starting when it was killed, such
/// as a decoder, holds its listener until it executes its own program.
async fn bind(address: SocketAddr) -> anyhow::Result<TcpSocket> {
    const TIMEOUT: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(20);
    let began = Instant::now();
    let socket = loop {
        let socket = bound_socket(address);
        let is_in_use = |error: &io::Error| error.kind() == ErrorKind::AddrInUse;
        if !socket.as_ref().is_err_and(is_in_use) || began.elapsed() > TIMEOUT {
            break socket;
        }
        sleep(PAUSE).await;
    };
    let is_forbidden = matches!(&socket, Err(error) if error.kind() == ErrorKind::PermissionDenied);
    let socket = socket.with_context(|| format!("can't listen on {address}"));
    match is_forbidden {
        true => socket.map_err(|error| Misconfigured::new(error).into()),
        false => socket,
    }
}

fn bound_socket(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = match address.is_ipv4() {
        true => TcpSocket::new_v4(),
        false => TcpSocket::new_v6(),
    }?;
    // Connections of a server that has just ended don't keep the address.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

fn listen_on(socket: TcpSocket) -> anyhow::Result<TcpListener> {
    let address = socket.local_addr()?;
    let listener = socket.listen(BACKLOG);
    listener.with_context(|| format!("can't listen on {address}"))
}

fn reload(config: &Config, tls: Option<&Tls>) {
    match tls.map(|tls| tls.reload(since_1970())) {
        Some(Ok(())) => {
            info!("reloaded the certificate");
            warn_of_certificate(config, tls);
        }
        Some(Err(error)) => {
            error!(
                error = error.as_dyn(),
                "could not reload the certificate; kept the old one"
            );
        }
        None => info!("there is no certificate to read again"),
    }
}

fn warn_of_certificate(config: &Config, tls: Option<&Tls>) {
    for warning in certificate_warnings(config, tls) {
        warn!("{warning}, so clients will refuse it");
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpStream;

    use super::*;

    #[tokio::test]
    async fn a_start_waits_for_an_address_in_use() {
        let held = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = held.local_addr().expect("an address");
        // The first attempt comes before the release.
        let (bound, ()) = tokio::join!(biased; bind(address), async { drop(held) });
        let bound = bound.expect("it is free").local_addr();
        assert_eq!(bound.expect("an address"), address);
    }

    #[tokio::test]
    async fn an_address_takes_no_connection_until_it_is_listened_on() {
        let any = "127.0.0.1:0".parse().expect("an address");
        let socket = bind(any).await.expect("a port");
        let address = socket.local_addr().expect("an address");
        let refused = TcpStream::connect(address).await.expect_err("too early");
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        let _listener = listen_on(socket).expect("a listener");
        TcpStream::connect(address).await.expect("it listens");
    }
}
