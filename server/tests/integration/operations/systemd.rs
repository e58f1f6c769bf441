//! What the binary tells systemd by sd_notify(3).

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use reqwest::StatusCode;
use rustix::process::Signal;

use crate::support::process::ServerProcess;
use test_support::scale::TIMEOUT;

/// The service manager's end of `NOTIFY_SOCKET`.
struct Supervisor {
    folder: tempfile::TempDir,
    socket: UnixDatagram,
}

impl Supervisor {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = UnixDatagram::bind(folder.path().join("notify")).expect("a socket");
        socket.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        Self { folder, socket }
    }

    /// Starts a server whose unit has this `WatchdogSec`.
    fn start(&self, watchdog: Duration) -> ServerProcess {
        let socket = self.folder.path().join("notify").display().to_string();
        let watchdog = watchdog.as_micros().to_string();
        let variables = [("NOTIFY_SOCKET", socket), ("WATCHDOG_USEC", watchdog)];
        ServerProcess::start_with(&["--listen", "127.0.0.1:0"], &variables)
    }

    fn next_message(&self) -> String {
        let mut message = [0; 256];
        let length = self.socket.recv(&mut message).expect("a message");
        String::from_utf8_lossy(&message[..length])
            .trim()
            .to_owned()
    }
}

#[tokio::test]
async fn systemd_is_notified_of_readiness_watchdog_and_stop() {
    let supervisor = Supervisor::new();
    let mut server = supervisor.start(Duration::from_millis(200));
    assert_eq!(supervisor.next_message(), "READY=1");
    let address = server.address().await;
    let answer = reqwest::get(format!("{address}/readyz")).await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    for _ in 0..3 {
        assert_eq!(supervisor.next_message(), "WATCHDOG=1");
    }
    server.signal(Signal::TERM);
    let mut message = supervisor.next_message();
    while message == "WATCHDOG=1" {
        message = supervisor.next_message();
    }
    assert_eq!(message, "STOPPING=1");
    assert!(server.wait().await.0.success());
}

#[tokio::test]
async fn a_hanging_server_sends_no_watchdog_notification() {
    let supervisor = Supervisor::new();
    let server = supervisor.start(Duration::from_millis(200));
    assert_eq!(supervisor.next_message(), "READY=1");
    assert_eq!(supervisor.next_message(), "WATCHDOG=1");
    server.signal(Signal::STOP);
    let silence = Some(Duration::from_secs(1));
    let socket = &supervisor.socket;
    socket.set_read_timeout(silence).expect("a timeout");
    let mut rest = [0; 64];
    // What was sent before the signal, and then nothing.
    let is_silent = (0..100).any(|_| socket.recv(&mut rest).is_err());
    socket.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    server.signal(Signal::CONT);
    assert!(is_silent, "it is stopped");
    assert_eq!(supervisor.next_message(), "WATCHDOG=1");
}
