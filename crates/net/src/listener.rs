//! Accepts connections within the connection limit, and waits for them at a shutdown.
//!
//! By hand, because `axum::serve` has no TLS, no limit on connections and no deadline for a shutdown.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::yield_now;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{debug, warn};

use crate::client_addr::{ClientAddr, TrustedProxies};
use crate::connection::Server;
use crate::connection_limit::ConnectionLimit;
use crate::http::host_header;
use crate::http::response_memory::ResponseMemory;
use crate::http::windows::WindowBudget;
use crate::idle_policy::Timeouts;
use crate::tls::Tls;

/// Connections that are accepted before the tasks of open ones run.
const ACCEPTS_PER_TURN: usize = 16;

/// Pause after a failed accept, such as one without a free file descriptor.
const PAUSE: Duration = Duration::from_millis(100);

/// Unsent response bytes that the kernel buffers per connection, beside those in flight.
#[cfg(target_os = "linux")]
const MAX_UNSENT: u32 = 256 << 10;

/// Port, protocol and limits of a listener.
pub struct ListenerConfig {
    /// The listening socket.
    pub listener: TcpListener,
    /// TLS configuration. `None`: plain HTTP.
    pub tls: Option<Tls>,
    /// Connection limit.
    pub connections: usize,
    /// Connection limit per client address.
    pub of_one_address: u32,
    /// Trusted proxies, which are exempt from limits per address.
    pub proxies: TrustedProxies,
    /// Budget of HTTP/2 receive windows, in bytes, beside 64 KiB for each connection.
    pub window_memory: u64,
    /// Timeouts of each phase of a connection.
    pub timeouts: Timeouts,
    /// Is told the address of each connection that is refused because of `of_one_address`.
    pub on_refused: Arc<dyn Fn(ClientAddr) + Send + Sync>,
}

/// Serves connections until `stopping`, then waits until the open ones have closed or are `cut`.
///
/// On a TLS port, a client that speaks plain HTTP is redirected to `public_url`, which is `https://host[:port]`.
pub async fn serve(
    config: ListenerConfig,
    router: Router,
    public_url: &str,
    stopping: CancellationToken,
    cut: CancellationToken,
) {
    let connections = TaskTracker::new();
    let proxies = config.proxies.clone();
    let server = Server {
        router,
        plain: redirect_to(public_url),
        tls: config.tls,
        limit: ConnectionLimit::new(config.connections, config.of_one_address, config.proxies),
        memory: ResponseMemory::default(),
        windows: WindowBudget::new(config.window_memory, proxies),
        timeouts: config.timeouts,
        stopping: stopping.clone(),
        cut,
    };
    let accepting = accept(config.listener, &server, &connections, &*config.on_refused);
    tokio::select! {
        never = accepting => never,
        () = stopping.cancelled() => {}
    }
    connections.close();
    connections.wait().await;
}

/// Accepts connections forever. Dropping the future closes the listening socket.
async fn accept(
    listener: TcpListener,
    server: &Server,
    connections: &TaskTracker,
    on_refused: &(dyn Fn(ClientAddr) + Send + Sync),
) {
    for number in 1_usize.. {
        if number.is_multiple_of(ACCEPTS_PER_TURN) {
            yield_now().await;
        }
        let (tcp, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if is_connection_error(&error) => continue,
            Err(error) => {
                warn!(
                    error = &error as &dyn std::error::Error,
                    "could not accept connections"
                );
                sleep(PAUSE).await;
                continue;
            }
        };
        let Some(share) = server.limit.acquire_share(peer.ip()) else {
            debug!("an address has reached its connection limit");
            on_refused(ClientAddr::new(peer.ip()));
            continue;
        };
        // Idle connections are asked to close only now that another one is pending.
        let permit = server.limit.admit(share).await;
        if let Err(error) = tune(&tcp) {
            debug!(
                error = &error as &dyn std::error::Error,
                "could not set the options of a connection"
            );
        }
        let server = server.clone();
        connections.spawn(async move {
            server.serve(tcp, peer, permit.address()).await;
            drop(permit);
        });
    }
}

fn tune(tcp: &TcpStream) -> std::io::Result<()> {
    // TCP_NODELAY: the last segment of a response leaves at once, without waiting for acknowledgements.
    tcp.set_nodelay(true)?;
    // Otherwise the kernel buffers megabytes for each slow client, which would look fast until they are full.
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(tcp).set_tcp_notsent_lowat(MAX_UNSENT)?;
    Ok(())
}

/// Whether only the connection about to be accepted failed, and the listener still works.
fn is_connection_error(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as K;
    matches!(
        error.kind(),
        K::ConnectionAborted | K::ConnectionReset | K::ConnectionRefused
    )
}

/// Redirects to the same path at `public_url`.
fn redirect_to(public_url: &str) -> Router {
    let public_url = public_url.to_owned();
    Router::new().fallback(async move |request: Request| {
        if !host_header::is_valid(&request) {
            return StatusCode::BAD_REQUEST.into_response();
        }
        let path = request.uri().path_and_query().map_or("/", |it| it.as_str());
        Redirect::permanent(&format!("{public_url}{path}")).into_response()
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use anyhow::Result;

    use super::*;

    #[tokio::test]
    async fn the_kernel_buffers_little_of_an_unread_response() -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let client = TcpStream::connect(listener.local_addr()?).await?;
        let (tcp, _) = listener.accept().await?;
        tune(&tcp)?;
        let most = 2 * MAX_UNSENT as usize;
        let piece = [0; 4096];
        let mut written = 0;
        tcp.writable().await?;
        while tcp.try_write(&piece).is_ok() && written <= most {
            written += piece.len();
        }
        assert!((1..=most).contains(&written), "{written}");
        drop(client);
        Ok(())
    }
}
