//! A system clock that is set forward and back while people record.

use std::time::Duration;

use futures_util::future::{join, join_all};
use rand::RngExt;
use reqwest::{Client, StatusCode};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;
use crate::environment::shifted_clock::ShiftedClock;
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Outcome, Record};
use test_support::clients::retrying_client::{Failure, RetryingClient};
use test_support::clients::uploader::Uploader;
use test_support::scale::{scale, seeded_rng};

/// Concurrent uploaders.
const UPLOADERS: u64 = 3;

const HOUR: i64 = 60 * 60;

/// The clock is at most so far from the right time.
/// From one end to the other is less than the 24 hours of a request, so none may ever have expired.
const MAX_JUMP: i64 = 11 * HOUR;

/// Every request has expired by a clock that is so far ahead, also one that was created by the farthest clock.
const BEYOND_A_REQUEST: i64 = 24 * HOUR + MAX_JUMP + HOUR;

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_loses_nothing_and_expires_nothing_early() {
    let clock = ShiftedClock::new();
    let mut environment = Environment::sqlite_with_clock(&clock).await;
    let client = environment.client();
    let (ledger, done) = (Ledger::default(), CancellationToken::new());
    let uploaders = (0..UPLOADERS).map(async |number| {
        let mut uploader = Uploader::new(number, &client, &client, &ledger);
        uploader.record_until(&done, 4).await;
    });
    let jumps = async {
        let mut rng = seeded_rng(UPLOADERS);
        for _ in 0..scale().clock_jumps {
            sleep(Duration::from_millis(rng.random_range(100..600))).await;
            clock.set_ahead(rng.random_range(-MAX_JUMP..=MAX_JUMP));
        }
        sleep(Duration::from_millis(300)).await;
        done.cancel();
    };
    join(join_all(uploaders), jumps).await;
    environment.nodes[0].assert_alive();
    let failures = client.failures();
    let unexpected = failures.iter().find(|it| !is_expected(it));
    assert!(unexpected.is_none(), "{unexpected:?}");
    clock.set_ahead(0);
    verify_videos(&client, &ledger).await;

    // What has expired by a clock that is wrong isn't served, and is still there when the clock is set right.
    clock.set_ahead(BEYOND_A_REQUEST);
    for record in submitted(&ledger) {
        let get = |http: &Client, url: &str| {
            let get = http.get(format!("{url}/v1/requests/{}", record.request));
            get.bearer_auth(&record.token)
        };
        let view = client.send(get).await;
        assert_eq!(view.status(), StatusCode::OK);
        let view = view.text().await.expect("a request");
        assert!(view.contains("\"expired\""), "{view}");
    }
    clock.set_ahead(0);
    verify_videos(&client, &ledger).await;

    let log = environment.nodes[0].log();
    assert!(!log.contains("panicked"), "{log}");
    assert!(!log.contains("_ms\":-"), "a negative time: {log}");
    environment.nodes[0].restart().await;
    verify_videos(&client, &ledger).await;
    let audit = environment.audit(&ledger, 0).await;
    let counts = [("jumps", scale().clock_jumps as u64)];
    report(
        "jumps of the clock",
        environment.name(),
        &counts,
        &ledger,
        &audit,
    );
    assert!(audit.takes > 0, "nothing was acknowledged");
    audit.assert_sound(0);
}

async fn verify_videos(client: &RetryingClient, ledger: &Ledger) {
    for record in submitted(ledger) {
        agent::verify_video(client, &record).await;
    }
}

fn submitted(ledger: &Ledger) -> impl Iterator<Item = Record> {
    let records = ledger.records().into_iter();
    records.filter(|it| it.outcome == Outcome::Submitted)
}

/// Whether a failure only asks for a retry: an append that was under way during a jump may have taken hours, for all that
/// the server knows, and a busy machine takes its time to seal.
fn is_expected(failure: &Failure) -> bool {
    let codes = ["unavailable", "still_sealing"];
    codes.iter().any(|code| failure.asks_for_retry(code))
}
