//! Concurrent appends to one take at the same offset, each with other bytes.

use std::time::Instant;

use app::api::ErrorBody;
use futures_util::future::join_all;
use rand::{Rng, RngExt};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, StatusCode};

use crate::environment::{Environment, on_each_storage};
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, RecordId};
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::Uploader;
use test_support::recordings::content::bytes;
use test_support::scale::scale;

/// Writers of one take.
const WRITERS: usize = 4;

/// Concurrent takes.
const TAKES: usize = 2;

/// Longest append in bytes.
const MAX_APPEND_BYTES: u64 = 20_000;

on_each_storage! {
    one_of_many_racing_appends_wins
}

async fn one_of_many_racing_appends_wins(environment: Environment) {
    let (ledger, client) = (Ledger::default(), environment.client());
    // Each writer uses one node.
    let nodes = environment.nodes.iter().cycle().take(WRITERS);
    let writers: Vec<RetryingClient> = nodes
        .map(|node| RetryingClient::new([node.url()]))
        .collect();
    let rounds = match environment.nodes.len() {
        1 => scale().sqlite_races,
        _ => scale().postgres_s3_races,
    };
    let rounds = rounds / WRITERS / TAKES;
    let takes = (0..TAKES as u64).map(async |number| {
        let uploader = &mut Uploader::new(number, &client, &client, &ledger);
        let take = uploader.start_request().await;
        for _ in 0..rounds {
            race(uploader, take, &writers).await;
        }
        uploader.complete(take).await;
        uploader.submit(take).await;
        agent::verify_video(&client, &ledger.get(take)).await;
    });
    join_all(takes).await;

    let audit = environment.audit(&ledger, 0).await;
    report("races", environment.name(), &[], &ledger, &audit);
    audit.assert_sound(0);
}

/// One writer's append.
struct Attempt {
    seed: u64,
    end: u64,
}

/// Races the writers for one append at the take's current offset.
async fn race(uploader: &mut Uploader<'_>, take: RecordId, writers: &[RetryingClient]) {
    let ledger = uploader.ledger;
    let record = ledger.get(take);
    let start = record.acknowledged;
    let rng = &mut uploader.rng;
    let attempts: Vec<Attempt> = writers
        .iter()
        .map(|_| Attempt {
            seed: rng.next_u64(),
            end: start + rng.random_range(1..=MAX_APPEND_BYTES),
        })
        .collect();
    let sent = writers
        .iter()
        .zip(&attempts)
        .map(async |(writer, attempt)| {
            ledger.count_attempt();
            let bytes = bytes(attempt.seed, start..attempt.end);
            let append = |http: &Client, url: &str| {
                let append = http.patch(format!("{url}{}", record.take));
                append
                    .header(CONTENT_TYPE, "application/partial-upload")
                    .header("Upload-Offset", start)
                    .header("Upload-Complete", "?0")
                    .body(bytes)
            };
            writer.send_once(append).await.expect("an answer")
        });
    let sent_at = Instant::now();
    let answers = join_all(sent).await;
    let offset = uploader
        .fetch_status(take)
        .await
        .expect("an open take")
        .offset;
    assert!(offset > start, "no append was stored: {answers:#?}");
    let mut winners = Vec::new();
    for (answer, attempt) in answers.into_iter().zip(&attempts) {
        let answered_offset = answer.headers().get("upload-offset");
        let answered_offset = answered_offset.and_then(|it| it.to_str().ok()?.parse::<u64>().ok());
        if answer.status() == StatusCode::NO_CONTENT {
            assert_eq!(
                (answered_offset, offset),
                (Some(attempt.end), attempt.end),
                "{answer:?}"
            );
            winners.push(attempt.seed);
        } else {
            // A loser may be refused before the winner's bytes are stored.
            assert_eq!(answer.status(), StatusCode::CONFLICT, "{answer:?}");
            assert!(
                [Some(start), Some(offset)].contains(&answered_offset),
                "{answer:?}"
            );
            let refusal: ErrorBody = answer.json().await.expect("the envelope");
            assert!(
                ["offset_mismatch", "superseded"].contains(&&*refusal.error.code),
                "{refusal:?}"
            );
        }
    }
    assert!(winners.len() <= 1, "{winners:?}");
    if winners.is_empty() {
        // A preempted append stores the part of its body that had arrived, and is answered with 409 like the others.
        let longer = attempts.iter().filter(|attempt| attempt.end >= offset);
        winners.extend(longer.map(|attempt| attempt.seed));
    } else {
        ledger.record_append(sent_at, offset - start);
    }
    ledger.record_writers(take, start, winners);
}
