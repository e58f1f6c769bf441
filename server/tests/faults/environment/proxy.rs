//! A TCP proxy on loopback that injects network faults.

use std::io;
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use test_support::servers::node::free_address;

/// Bytes of a read.
const READ_SIZE: usize = 16 << 10;

/// Faults of all new connections. Each connection draws a value from a range.
#[derive(Clone, Debug, Default)]
pub struct NetworkFaults {
    /// Reset after this many bytes, both directions together.
    pub cut_after_bytes: Option<Range<u64>>,
    /// Reset at this age.
    pub cut_after: Option<Range<Duration>>,
    /// Bandwidth of each direction.
    pub bytes_per_second: Option<u32>,
}

/// A proxy, closed with all its connections on drop.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    target: SocketAddr,
    faults: Mutex<NetworkFaults>,
    /// Cancels the current connections.
    cut: Mutex<CancellationToken>,
    cuts: AtomicU64,
}

impl Proxy {
    /// A proxy to `target` without faults.
    pub async fn to(target: SocketAddr) -> Self {
        let shared = Arc::new(Shared {
            target,
            faults: Mutex::default(),
            cut: Mutex::default(),
            cuts: AtomicU64::new(0),
        });
        let proxy = Self {
            address: free_address(),
            shared,
            listening: Mutex::default(),
        };
        proxy.accept_connections().await;
        proxy
    }

    /// Listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the faults of connections made from now on.
    pub fn set(&self, faults: NetworkFaults) {
        *self.shared.faults.lock().expect("not poisoned") = faults;
    }

    /// Resets all connections.
    pub fn cut(&self) {
        let mut cut = self.shared.cut.lock().expect("not poisoned");
        std::mem::take(&mut *cut).cancel();
    }

    /// Resets all connections and refuses new ones.
    pub async fn refuse_connections(&self) {
        let listening = self.listening.lock().expect("not poisoned").take();
        if let Some(listening) = listening {
            listening.abort();
            // The port is closed only when the task has ended.
            let _ = listening.await;
        }
        self.cut();
    }

    /// Accepts new connections again.
    pub async fn accept_connections(&self) {
        let listener = TcpListener::bind(self.address).await;
        let listener = listener.expect("the same port");
        let listening = tokio::spawn(listen(listener, self.shared.clone()));
        let before = self
            .listening
            .lock()
            .expect("not poisoned")
            .replace(listening);
        assert!(before.is_none(), "it did not refuse");
    }

    /// Number of connections that the proxy has cut.
    pub fn cuts(&self) -> u64 {
        self.shared.cuts.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Ok(mut listening) = self.listening.lock()
            && let Some(listening) = listening.take()
        {
            listening.abort();
        }
        self.cut();
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((mut client_side, _)) = listener.accept().await {
        let cut = shared.cut.lock().expect("not poisoned").clone();
        let faults = shared.faults.lock().expect("not poisoned").clone();
        let shared = shared.clone();
        tokio::spawn(async move {
            let Ok(mut server_side) = TcpStream::connect(shared.target).await else {
                return reset(&client_side);
            };
            let end = relay(&mut client_side, &mut server_side, faults, cut).await;
            if end == ConnectionEnd::Cut {
                shared.cuts.fetch_add(1, Ordering::Relaxed);
            }
            if end != ConnectionEnd::Closed {
                reset(&client_side);
                reset(&server_side);
            }
        });
    }
}

/// Makes the connection end with a reset when it is dropped, without sending what is queued.
fn reset(stream: &TcpStream) {
    // Fails if the connection is gone already.
    let _ = stream.set_zero_linger();
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionEnd {
    /// Both sides closed it.
    Closed,
    /// One side reset it.
    Broken,
    /// The proxy cut it.
    Cut,
}

async fn relay(
    client_side: &mut TcpStream,
    server_side: &mut TcpStream,
    faults: NetworkFaults,
    cut: CancellationToken,
) -> ConnectionEnd {
    let budget = faults.cut_after_bytes.map(rand::random_range);
    let budget = AtomicU64::new(budget.unwrap_or(u64::MAX));
    let age = faults.cut_after.map(rand::random_range);
    let too_old = async {
        match age {
            Some(age) => sleep(age).await,
            None => std::future::pending().await,
        }
    };
    let rate = faults.bytes_per_second;
    let (from_client, to_client) = client_side.split();
    let (from_server, to_server) = server_side.split();
    let upload = relay_direction(from_client, to_server, &budget, rate);
    let download = relay_direction(from_server, to_client, &budget, rate);
    tokio::select! {
        () = cut.cancelled() => ConnectionEnd::Cut,
        () = too_old => ConnectionEnd::Cut,
        ended = async { tokio::try_join!(upload, download) } => ended.map_or_else(|end| end, |_| ConnectionEnd::Closed),
    }
}

async fn relay_direction(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    budget: &AtomicU64,
    rate: Option<u32>,
) -> Result<(), ConnectionEnd> {
    let broken = |_: io::Error| ConnectionEnd::Broken;
    let mut buffer = vec![0; READ_SIZE];
    loop {
        let length = from.read(&mut buffer).await.map_err(broken)?;
        if length == 0 {
            return to.shutdown().await.map_err(broken);
        }
        let left = budget.load(Ordering::Relaxed);
        let length_allowed = usize::try_from(left).unwrap_or(usize::MAX).min(length);
        to.write_all(&buffer[..length_allowed])
            .await
            .map_err(broken)?;
        if length_allowed < length {
            return Err(ConnectionEnd::Cut);
        }
        budget.fetch_sub(length_allowed as u64, Ordering::Relaxed);
        if let Some(rate) = rate {
            sleep(Duration::from_secs_f64(length as f64 / f64::from(rate))).await;
        }
    }
}

/// A proxy to the host of a URL, and the URL that leads through it.
pub async fn proxied(url: &str) -> (Proxy, String) {
    let mut url = Url::parse(url).expect("a URL");
    let host = url.host_str().expect("a host").to_owned();
    let port = url.port_or_known_default().expect("a port");
    let mut addresses = tokio::net::lookup_host((host, port))
        .await
        .expect("a resolvable host");
    let target: SocketAddr = addresses.next().expect("an address");
    let proxy = Proxy::to(target).await;
    let address = proxy.address();
    url.set_ip_host(address.ip()).expect("a URL with a host");
    url.set_port(Some(address.port()))
        .expect("a URL with a host");
    (proxy, url.into())
}
