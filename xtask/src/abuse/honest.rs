//! Honest clients beside an attack: how long they wait, and whether they get right answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use super::http::Connection;

/// Clients, each with an address and a request of its own.
const CLIENTS: u8 = 8;

/// Between two polls of one client: within the default limit of 20 a second.
const POLL_INTERVAL: Duration = Duration::from_millis(66);

/// Clients that poll the status of a request each.
pub struct HonestClients {
    address: SocketAddr,
    polls: Vec<(Ipv4Addr, String, String)>,
}

/// How long they waited.
pub struct Waits(Vec<Duration>);

/// Clients at work.
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

    /// Begins to poll.
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

    /// Polls for so long.
    pub fn poll_for(&self, duration: Duration) -> Result<Waits> {
        let polling = self.start();
        thread::sleep(duration);
        polling.stop()
    }
}

impl Polling {
    /// Ends it. An error: an answer was wrong, or there was none.
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
    /// Adds others.
    pub fn merge(&mut self, others: Self) {
        self.0.extend(others.0);
        self.0.sort_unstable();
    }

    /// The wait that 99 of 100 polls don't exceed.
    pub fn p99(&self) -> Duration {
        let rank = (self.0.len() * 99).div_ceil(100);
        self.0
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    }
}

/// The id and the token of a new request.
pub fn create_request(from: Ipv4Addr, address: SocketAddr) -> Result<(String, String)> {
    let wish = br#"{"prompt":"Show the dent.","expires_in_hours":1}"#;
    let mut connection = Connection::open_from(from, address)?;
    let media_type = "Content-Type: application/json\r\n";
    let answer = connection.ask("POST", "/v1/requests", media_type, wish)?;
    ensure!(
        answer.status == 201,
        "a creation was answered {}",
        answer.status
    );
    let created: Value = serde_json::from_slice(&answer.body)?;
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
        let answer = connection.ask("GET", path, authorization, b"");
        let answer = answer.context("an honest client got no answer")?;
        ensure!(
            answer.status == 200,
            "an honest client was answered {}",
            answer.status
        );
        waits.push(asked.elapsed());
        asked = due(asked);
    }
    Ok(waits)
}

/// Sleeps until the next poll is due; since when its answer is awaited. Where the last answer came too late for that,
/// since it was due; but that this machine woke the client late is not the server's fault.
fn due(asked: Instant) -> Instant {
    let due = asked + POLL_INTERVAL;
    match due.checked_duration_since(Instant::now()) {
        Some(left) => {
            thread::sleep(left);
            Instant::now()
        }
        None => due,
    }
}
