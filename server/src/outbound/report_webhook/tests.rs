use std::future::pending;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;

use super::*;

const SOON: [Duration; 3] = [Duration::from_millis(1); 3];

/// A webhook that answers with these statuses, one call after the other, and then not at all.
/// Sends each body.
async fn receiver(statuses: Vec<u16>) -> (Url, UnboundedReceiver<String>) {
    // Fails, harmlessly, if another test has installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (sender, received) = unbounded_channel();
    let statuses = Arc::new(parking_lot::Mutex::new(statuses.into_iter()));
    let answer = move |body: String| {
        let (sender, statuses) = (sender.clone(), statuses.clone());
        async move {
            sender.send(body).expect("a test that reads");
            let status = statuses.lock().next();
            match status {
                Some(status) => StatusCode::from_u16(status).expect("a status"),
                None => pending().await,
            }
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let router = Router::new().route("/hook", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url.parse().expect("a URL"), received)
}

fn run(webhook: &ReportWebhook) -> JoinHandle<()> {
    let webhook = webhook.clone();
    tokio::spawn(async move { webhook.run("https://evidence.example.org").await })
}

#[tokio::test]
async fn a_webhook_that_fails_is_called_four_times_and_then_left_alone() {
    let (url, mut received) = receiver(vec![500, 404, 302, 503, 200]).await;
    let webhook = ReportWebhook::with_times(url, TIMEOUT, SOON, RETRY).expect("a client");
    webhook.post("once").await;
    webhook.post("again").await;
    let mut bodies = Vec::new();
    while let Ok(body) = received.try_recv() {
        bodies.push(body);
    }
    assert_eq!(bodies.len(), 5, "{bodies:?}");
    assert!(
        bodies[..4]
            .iter()
            .all(|it| it == r#"{"content":"once","text":"once"}"#)
    );
    assert!(bodies[4].contains("again"));
}

#[tokio::test]
async fn a_webhook_that_hangs_is_given_up_in_bounded_time() {
    let (url, mut received) = receiver(Vec::new()).await;
    let short = Duration::from_secs(2);
    let webhook = ReportWebhook::with_times(url, short, SOON, RETRY).expect("a client");
    let told = timeout(Duration::from_secs(30), webhook.post("once")).await;
    assert_eq!(told, Ok(false));
    for _ in 0..4 {
        received.try_recv().expect("an attempt");
    }
    assert!(received.try_recv().is_err());
}

#[tokio::test]
async fn reports_made_during_a_call_are_sent_together() {
    let (url, mut received) = receiver(vec![200, 200]).await;
    let webhook = ReportWebhook::with_times(url, TIMEOUT, SOON, RETRY).expect("a client");
    (0..3).for_each(|_| webhook.enqueue_report());
    let running = run(&webhook);
    let first = received.recv().await.expect("a message");
    assert!(
        first.contains("3 reports of requests came at https://evidence.example.org."),
        "{first}"
    );
    webhook.enqueue_report();
    let second = received.recv().await.expect("a message");
    assert!(second.contains("A request was reported"), "{second}");
    running.abort();
}

#[tokio::test]
async fn reports_of_a_failed_message_are_sent_with_the_next_one() {
    let (url, mut received) = receiver(vec![500, 500, 500, 500, 200]).await;
    let webhook = ReportWebhook::with_times(url, TIMEOUT, SOON, RETRY).expect("a client");
    webhook.enqueue_report();
    let running = run(&webhook);
    for _ in 0..4 {
        let message = received.recv().await.expect("an attempt");
        assert!(message.contains("A request was reported"), "{message}");
    }
    webhook.enqueue_report();
    let next = received.recv().await.expect("a message");
    assert!(next.contains("2 reports"), "{next}");
    running.abort();
}

#[tokio::test]
async fn unsent_reports_are_sent_once_the_webhook_is_back() {
    let (url, mut received) = receiver(vec![500, 500, 500, 500, 200]).await;
    let soon = Duration::from_millis(10);
    let webhook = ReportWebhook::with_times(url, TIMEOUT, SOON, soon).expect("a client");
    webhook.enqueue_report();
    let running = run(&webhook);
    for _ in 0..5 {
        let message = received.recv().await.expect("an attempt");
        assert!(message.contains("A request was reported"), "{message}");
    }
    running.abort();
}

#[test]
fn a_webhook_is_an_address_of_the_web() {
    for (text, want) in [
        ("https://hooks.slack.com/services/T/B/x", true),
        ("https://ntfy.sh/topic?tpl=yes&m=%7B%7B.text%7D%7D", true),
        ("http://127.0.0.1:8065/hooks/x", true),
        ("https://user:hunter2@example.org/", false),
        ("ftp://example.org/", false),
        ("example.org/hook", false),
        ("", false),
    ] {
        assert_eq!(webhook_url(text).is_ok(), want, "{text}");
    }
}
