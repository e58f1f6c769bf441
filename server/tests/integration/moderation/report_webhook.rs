//! Reports are sent to the operator's webhook, which nothing waits for.

use std::future::pending;
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use reqwest::{Client, StatusCode};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::support::last_segment;
use crate::support::process::ServerProcess;

const PROMPT: &str = "Show the dent.";

/// Far more than a report takes that nothing holds up, and less than the webhook's own times.
const TIMEOUT: Duration = Duration::from_secs(9);

/// A webhook that sends on each body, and then answers or hangs.
async fn webhook(is_hanging: bool) -> (String, UnboundedReceiver<Value>) {
    let (sender, received) = unbounded_channel();
    let answer = move |body: axum::Json<Value>| {
        let sender = sender.clone();
        async move {
            sender.send(body.0).expect("a test that reads");
            if is_hanging {
                pending::<()>().await;
            }
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let router = Router::new().route("/hook", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, received)
}

/// Creates a request on the server at `address`, and reports it. Returns the answers to both.
async fn create_and_report(address: &str) -> (Value, StatusCode) {
    let client = Client::builder().timeout(TIMEOUT);
    let client = client.build().expect("a client");
    let body = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
    let created = client.post(format!("{address}/v1/requests")).json(&body);
    let created = created.send().await.expect("an answer").json().await;
    let created: Value = created.expect("JSON");
    let link = created["submission_url"].as_str().expect("a link");
    let report = client
        .post(format!("{link}/report"))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body("reason=fraud&text=They+lie.");
    let status = report.send().await.expect("an answer").status();
    (created, status)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_webhook_receives_reports_without_prompt_or_text() {
    let (url, mut received) = webhook(false).await;
    let flags = ["--listen", "127.0.0.1:0", "--report-webhook", &url];
    let mut server = ServerProcess::start(&flags);
    let address = server.address().await;
    let (created, status) = create_and_report(&address).await;
    assert_eq!(status, StatusCode::OK);
    let message = received.recv().await.expect("a message");
    let text = message["text"].as_str().expect("a text");
    assert_eq!(message, json!({ "text": text, "content": text }));
    assert!(
        text.contains(&address) && text.contains("vidence reports"),
        "{text}"
    );
    let link = created["submission_url"].as_str().expect("a link");
    let token = created["access_token"].as_str().expect("a token");
    for secret in [PROMPT, "They lie", token, last_segment(link)] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_hangs_holds_up_neither_a_report_nor_a_stop() {
    let (url, mut received) = webhook(true).await;
    let flags = ["--listen", "127.0.0.1:0", "--report-webhook", &url];
    let mut server = ServerProcess::start(&flags);
    let address = server.address().await;
    for _ in 0..3 {
        assert_eq!(create_and_report(&address).await.1, StatusCode::OK);
    }
    received.recv().await.expect("a call, which hangs");
    server.signal(Signal::TERM);
    // It gives the call up instead of waiting for it as long as it waits for jobs.
    let mut line = String::new();
    while !line.contains("stopped") {
        line = server.wait_for_line("stop").await;
        assert!(!line.contains("in the middle"), "{line}");
    }
    assert!(server.wait().await.0.success());
}
