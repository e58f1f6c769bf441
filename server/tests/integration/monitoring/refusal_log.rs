//! Log lines about the networks that limits refuse, and never about addresses.

use reqwest::{Client, StatusCode};
use rustix::process::Signal;

use crate::support::process::ServerProcess;

const REFUSED: &str = "refused requests beyond a limit";

#[tokio::test]
async fn networks_that_ask_too_often_are_named_without_an_address() {
    let mut server = ServerProcess::start(&[
        "--listen",
        "127.0.0.1:0",
        "--trusted-proxies",
        "127.0.0.1",
        "--read-limit",
        "1/hour:1",
    ]);
    let url = format!("{}/v1/requests", server.address().await);
    let client = Client::new();
    let read = async |from: &str| {
        let read = client.get(format!("{url}/none"));
        let read = read.header("X-Forwarded-For", from).send().await;
        read.expect("an answer").status()
    };
    for from in ["198.51.100.7", "198.51.100.8", "2001:db8:1:2:3::4"] {
        assert_ne!(read(from).await, StatusCode::TOO_MANY_REQUESTS, "{from}");
        assert_eq!(read(from).await, StatusCode::TOO_MANY_REQUESTS, "{from}");
    }
    // What is left is reported at the end.
    server.signal(Signal::TERM);
    for (parts, address) in [
        (
            [
                "\"network\":\"198.51.100.0/24\"",
                "\"refusals\":2",
                "\"reasons\":\"read_rate=2\"",
            ],
            "198.51.100.7",
        ),
        (
            [
                "\"network\":\"2001:db8:1::/48\"",
                "\"refusals\":1",
                "\"reasons\":\"read_rate=1\"",
            ],
            "2001:db8:1:2",
        ),
    ] {
        let line = server.wait_for_line(REFUSED).await;
        for part in parts.into_iter().chain(["WARN"]) {
            assert!(line.contains(part), "{part} in {line}");
        }
        assert!(!line.contains(address), "{line}");
    }
    server.wait_for_line("stopped").await;
}
