//! Runs each stream of an HTTP/2 connection as a task that can be cancelled by itself.
//!
//! hyper runs each stream, from its request to the end of its response, as a future of its own on the executor that it
//! is given. Once a frame of a response's body waits for the client's windows, hyper doesn't poll the body again, so a
//! body can't end a stalled stream. Dropping that future does: h2 then discards the stream's queued DATA frames and
//! sends RST_STREAM with CANCEL (RFC 9113, section 6.4), and the connection with its other streams goes on. So this is
//! hyper's interface for it; only the reasons to drop a stream are by hand, because hyper knows none.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::rt::Executor;
use tokio::task_local;
use tokio::time::sleep_until;
use tracing::debug;

use crate::http::delivery::Delivery;
use crate::http::response_memory::ResponseMemory;
use crate::idle_policy::STALL;
use crate::metered_io::Meter;

task_local! {
    static DELIVERY: Arc<Delivery>;
}

/// Executor of the streams of one connection.
#[derive(Clone)]
pub(crate) struct StreamExecutor {
    meter: Meter,
    memory: ResponseMemory,
    stall: Duration,
}

impl StreamExecutor {
    pub(crate) fn new(meter: Meter, memory: ResponseMemory) -> Self {
        Self {
            meter,
            memory,
            stall: STALL,
        }
    }
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let delivery = Arc::new(Delivery::new(self.memory.clone(), self.stall));
        let meter = self.meter.clone();
        let mut stream = Box::pin(stream);
        let stream = async move { meter.address().schedule(stream.as_mut()).await };
        tokio::spawn(DELIVERY.scope(delivery.clone(), run(stream, delivery)));
    }
}

/// The delivery of the current stream's response. `None` over HTTP/1.
pub(crate) fn delivery() -> Option<Arc<Delivery>> {
    DELIVERY.try_with(Clone::clone).ok()
}

/// Runs a stream until it ends, its response is revoked, or the client doesn't take it.
async fn run(stream: impl Future<Output = ()>, delivery: Arc<Delivery>) {
    let mut stream = std::pin::pin!(stream);
    let mut revoked = std::pin::pin!(delivery.revoked());
    loop {
        let pressure = delivery.pressure();
        let Some(next) = delivery.evaluate(Instant::now()) else {
            debug!("reset the stream of a stalled response");
            return;
        };
        tokio::select! {
            biased;
            () = &mut revoked => return,
            () = &mut stream => return,
            () = pressure => {}
            () = sleep_until(next.into()) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Result;
    use axum::Router;
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use axum::routing::get;
    use http_body_util::BodyExt;
    use hyper::client::conn::http2 as client;
    use hyper::server::conn::http2;
    use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
    use tokio::net::{TcpListener, TcpStream};
    use tokio_util::either::Either;

    use super::*;
    use crate::http::RouterService;
    use crate::idle_policy::Timeouts;
    use crate::metered_io::MeteredIo;

    fn request(path: &str) -> Result<Request<Body>> {
        Ok(Request::get(format!("http://localhost{path}")).body(Body::empty())?)
    }

    #[tokio::test]
    async fn a_stalled_stream_is_reset_and_its_connection_lives() -> Result<()> {
        let routes = Router::new()
            .route("/much", get(async || vec![0; 100_000]))
            .route("/nothing", get(async || StatusCode::NO_CONTENT));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let tcp = TcpStream::connect(listener.local_addr()?).await?;
        let (accepted, peer) = listener.accept().await?;
        let meter = Meter::default();
        let memory = ResponseMemory::default();
        let streams = StreamExecutor {
            stall: Duration::from_millis(100),
            ..StreamExecutor::new(meter.clone(), memory.clone())
        };
        let service = RouterService::new(routes, peer, meter.clone(), Timeouts::default());
        let io = TokioIo::new(MeteredIo::new(Either::Left(accepted), meter, true));
        let mut server = http2::Builder::new(streams);
        tokio::spawn(
            server
                .timer(TokioTimer::new())
                .serve_connection(io, service),
        );

        let mut builder = client::Builder::new(TokioExecutor::new());
        // The window is smaller than the response, and doesn't grow while the client reads nothing of it.
        builder.initial_stream_window_size(1000);
        let (mut sender, connection) = builder.handshake(TokioIo::new(tcp)).await?;
        tokio::spawn(connection);
        let mut stalled = sender.send_request(request("/much")?).await?.into_body();
        let mut pace = tokio::time::interval(Duration::from_millis(5));
        while memory.used() > 0 {
            pace.tick().await;
        }
        let end = loop {
            match stalled.frame().await.expect("no end") {
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert!(format!("{end:?}").contains("CANCEL"), "{end:?}");
        let other = sender.send_request(request("/nothing")?).await?;
        assert_eq!(other.status(), StatusCode::NO_CONTENT);
        Ok(())
    }
}
