//! Waiting for a program that is a server.

use std::net::{SocketAddr, TcpStream};
use std::process::Child;
use std::time::{Duration, Instant};

use crate::scale::TIMEOUT;

/// How often it is asked.
const POLL: Duration = Duration::from_millis(5);

/// Waits until a server that was started listens.
///
/// # Panics
///
/// If it ends, or takes too long. The message has its `log`.
pub fn wait_until_listening(
    name: &str,
    process: &mut Child,
    address: SocketAddr,
    log: impl Fn() -> String,
) {
    let start = Instant::now();
    while TcpStream::connect(address).is_err() {
        let ended = process.try_wait().expect("a child process");
        assert!(ended.is_none(), "{name} ended: {}", log());
        assert!(
            start.elapsed() < TIMEOUT,
            "{name} doesn't listen: {}",
            log()
        );
        std::thread::sleep(POLL);
    }
}
