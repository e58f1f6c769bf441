//! Honest clients beside an attack: how long they wait, and whether they get correct responses.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::http::Connection;

/// Number of clients, each with an address and a request of its own.
const CLIENTS: u8 = 8;

/// Time between two polls of a client: within the default rate limit of 20 a second.
const POLL_INTERVAL: Duration = Duration::from_millis(66);

/// Clients that each poll the status of a request.
pub struct HonestClients {
    address: SocketAddr,
    polls: Vec<(Ipv4Addr, String, String)>,
}

/// How long polls took, sorted.
pub struct Waits(Vec<Duration>);

/// Clients that are polling.
pub struct Polling {
    stop: Arc<AtomicBool>,
    clients: Vec<JoinHandle<Result<Vec<Duration>>>>,
}

impl HonestClients {
    /// Creates a request for each client.
    pub fn create(address: SocketAddr) -> Result<Self> {
        let polls = (0..CLIENTS).map(|number| {
            let from = Ipv4Addr::new(127, 0, 1, number + 1);
            let (id, token) = create_request(from, address)?;
            let path = format!("/v1/requests/{id}");
            Ok((from, path, format!("Authorization: Bearer {token}\r\n")))
        });
        Ok(Self {
            address,
            polls: polls.collect::<Result<_>>()?,
        })
    }

    /// Starts polling.
    pub fn start(&self) -> Polling {
        let stop = Arc::new(AtomicBool::new(false));
        let clients = self.polls.iter().map(|(from, path, authorization)| {
            let (from, address, stop) = (*from, self.address, stop.clone());
            let (path, authorization) = (path.clone(), authorization.clone());
            thread::spawn(move || poll(from, address, &path, &authorization, &stop))
        });
        Polling {
            clients: clients.collect(),
            stop,
        }
    }

    /// Polls for `duration`.
    pub fn poll_for(&self, duration: Duration) -> Result<Waits> {
        let polling = self.start();
        thread::sleep(duration);
        polling.stop()
    }
}

impl Polling {
    /// Stops polling. Fails if a response was wrong or missing.
    pub fn stop(self) -> Result<Waits> {
        self.stop.store(true, Ordering::Relaxed);
        let mut waits = Vec::new();
        for client in self.clients {
            let polled = client.join().map_err(|_| anyhow!("a client panicked"))?;
            waits.extend(polled?);
        }
        waits.sort_unstable();
        Ok(Waits(waits))
    }
}

impl Waits {
    /// Adds further waits.
    pub fn merge(&mut self, others: Self) {
        self.0.extend(others.0);
        self.0.sort_unstable();
    }

    /// The 99th percentile.
    pub fn p99(&self) -> Duration {
        let rank = (self.0.len() * 99).div_ceil(100);
        self.0
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }
}

/// Creates a request, and returns its id and its token.
pub fn create_request(from: Ipv4Addr, address: SocketAddr) -> Result<(String, String)> {
    let body = br#"{"prompt":"Show the dent.","expires_in_hours":1}"#;
    let mut connection = Connection::open_from(from, address)?;
    let media_type = "Content-Type: application/json\r\n";
    let response = connection.ask("POST", "/v1/requests", media_type, body)?;
    ensure!(
        response.status == 201,
        "a creation was answered {}",
        response.status
    );
    let created: Value = serde_json::from_slice(&response.body)?;
    let text = |field: &str| created[field].as_str().map(str::to_owned);
    text("id").zip(text("access_token")).context("no request")
}

fn poll(
    from: Ipv4Addr,
    address: SocketAddr,
    path: &str,
    authorization: &str,
    stop: &AtomicBool,
) -> Result<Vec<Duration>> {
    let mut connection = Connection::open_from(from, address)?;
    let mut waits = Vec::new();
    let mut asked = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let response = connection.ask("GET", path, authorization, b"");
        let response = response.context("an honest client got no response")?;
        ensure!(
            response.status == 200,
            "an honest client was answered {}",
            response.status
        );
        waits.push(asked.elapsed());
        asked = wait_until_due(asked);
    }
    Ok(waits)
}

/// Sleeps until the next poll is due, and returns the time from which its wait counts.
///
/// If the last response came too late for that, the wait counts from when the poll was due. A late wake-up by this
/// machine doesn't count.
fn wait_until_due(asked: Instant) -> Instant {
    let due = asked + POLL_INTERVAL;
    match due.checked_duration_since(Instant::now()) {
        Some(left) => {
            thread::sleep(left);
            Instant::now()
        }
        None => due,
    }
}
