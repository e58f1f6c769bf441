//! A network that breaks when it is told to: TCP on loopback, passed on to one address.

use std::io;
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use test_support::node::free_address;

/// Bytes passed on at a time.
const PIECE: usize = 16 << 10;

/// What is wrong with every connection from now on. Where there is a range, each one draws its own.
#[derive(Clone, Debug, Default)]
pub struct Weather {
    /// It is cut when so many bytes have passed, both directions together.
    pub cut_after_bytes: Option<Range<u64>>,
    /// It is cut at this age.
    pub cut_after: Option<Range<Duration>>,
    /// No more than this passes in a second, in each direction.
    pub bytes_per_second: Option<u32>,
}

/// A proxy, and with it all of its connections, for as long as this lives.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    target: SocketAddr,
    weather: Mutex<Weather>,
    /// Of the connections that there are now.
    cut: Mutex<CancellationToken>,
    cuts: AtomicU64,
}

impl Proxy {
    /// A faultless one to `target`.
    pub async fn to(target: SocketAddr) -> Self {
        let shared = Arc::new(Shared {
            target,
            weather: Mutex::default(),
            cut: Mutex::default(),
            cuts: AtomicU64::new(0),
        });
        let proxy = Self {
            address: free_address(),
            shared,
            listening: Mutex::default(),
        };
        proxy.admit().await;
        proxy
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes the weather for connections made from now on.
    pub fn set(&self, weather: Weather) {
        *self.shared.weather.lock().expect("no panic elsewhere") = weather;
    }

    /// Resets every connection that there is.
    pub fn cut(&self) {
        let mut cut = self.shared.cut.lock().expect("no panic elsewhere");
        std::mem::take(&mut *cut).cancel();
    }

    /// Resets every connection and refuses new ones.
    pub async fn refuse(&self) {
        let listening = self.listening.lock().expect("no panic elsewhere").take();
        if let Some(listening) = listening {
            listening.abort();
            // Only then the port is closed.
            let _ = listening.await;
        }
        self.cut();
    }

    /// Lets new connections in again.
    pub async fn admit(&self) {
        let listener = TcpListener::bind(self.address).await;
        let listener = listener.expect("the port that was ours before");
        let listening = tokio::spawn(listen(listener, self.shared.clone()));
        let before = self
            .listening
            .lock()
            .expect("no panic elsewhere")
            .replace(listening);
        assert!(before.is_none(), "it did not refuse");
    }

    /// How many connections it has cut in all.
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
    while let Ok((mut near, _)) = listener.accept().await {
        let cut = shared.cut.lock().expect("no panic elsewhere").clone();
        let weather = shared.weather.lock().expect("no panic elsewhere").clone();
        let shared = shared.clone();
        tokio::spawn(async move {
            let Ok(mut far) = TcpStream::connect(shared.target).await else {
                return reset(&near);
            };
            let end = pass(&mut near, &mut far, weather, cut).await;
            if end == End::Cut {
                shared.cuts.fetch_add(1, Ordering::Relaxed);
            }
            if end != End::Closed {
                reset(&near);
                reset(&far);
            }
        });
    }
}

/// Lets a connection end by a reset, with whatever is still under way, when it is dropped.
fn reset(stream: &TcpStream) {
    // It fails for a connection that is gone already.
    let _ = stream.set_zero_linger();
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Both sides had said everything.
    Closed,
    /// One side broke it.
    Broken,
    /// We did.
    Cut,
}

async fn pass(
    near: &mut TcpStream,
    far: &mut TcpStream,
    weather: Weather,
    cut: CancellationToken,
) -> End {
    let allowance = weather.cut_after_bytes.map(rand::random_range);
    let allowance = AtomicU64::new(allowance.unwrap_or(u64::MAX));
    let age = weather.cut_after.map(rand::random_range);
    let too_old = async {
        match age {
            Some(age) => sleep(age).await,
            None => std::future::pending().await,
        }
    };
    let rate = weather.bytes_per_second;
    let (from_near, to_near) = near.split();
    let (from_far, to_far) = far.split();
    let there = pump(from_near, to_far, &allowance, rate);
    let back = pump(from_far, to_near, &allowance, rate);
    tokio::select! {
        () = cut.cancelled() => End::Cut,
        () = too_old => End::Cut,
        ended = async { tokio::try_join!(there, back) } => ended.map_or_else(|end| end, |_| End::Closed),
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    allowance: &AtomicU64,
    rate: Option<u32>,
) -> Result<(), End> {
    let broken = |_: io::Error| End::Broken;
    let mut piece = vec![0; PIECE];
    loop {
        let length = from.read(&mut piece).await.map_err(broken)?;
        if length == 0 {
            return to.shutdown().await.map_err(broken);
        }
        let left = allowance.load(Ordering::Relaxed);
        let allowed = usize::try_from(left).unwrap_or(usize::MAX).min(length);
        to.write_all(&piece[..allowed]).await.map_err(broken)?;
        if allowed < length {
            return Err(End::Cut);
        }
        allowance.fetch_sub(allowed as u64, Ordering::Relaxed);
        if let Some(rate) = rate {
            sleep(Duration::from_secs_f64(length as f64 / f64::from(rate))).await;
        }
    }
}
