//! Many writers of one take, all at the same offset, each with bytes of their own.

use std::time::Instant;

use futures_util::future::join_all;
use rand::{Rng, RngExt};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, StatusCode};

use super::report::report;
use super::stage::{Stage, on_both_stages};
use test_support::agent;
use test_support::callers::Callers;
use test_support::content::bytes;
use test_support::ledger::{Entry, Ledger};
use test_support::scale::scale;
use test_support::uploader::Uploader;

/// Writers of one take.
const RACERS: usize = 4;

/// Takes at a time.
const TAKES: usize = 2;

/// Bytes of an append, at most.
const PIECE: u64 = 20_000;

on_both_stages! {
    of_many_writers_at_one_offset_exactly_one_wins
}

async fn of_many_writers_at_one_offset_exactly_one_wins(stage: Stage) {
    let (ledger, callers) = (Ledger::default(), stage.callers());
    // Each of them stays with one node.
    let nodes = stage.nodes.iter().cycle().take(RACERS);
    let racers: Vec<Callers> = nodes.map(|node| Callers::at([node.url()])).collect();
    let rounds = match stage.nodes.len() {
        1 => scale().laptop_races,
        _ => scale().cluster_races,
    };
    let rounds = rounds / RACERS / TAKES;
    let takes = (0..TAKES as u64).map(async |player| {
        let uploader = &mut Uploader::new(player, &callers, &callers, &ledger);
        let take = uploader.begin_one().await;
        for _ in 0..rounds {
            race(uploader, take, &racers).await;
        }
        uploader.finish(take).await;
        uploader.submit(take).await;
        agent::watch(&callers, &ledger.get(take)).await;
    });
    join_all(takes).await;

    let audit = stage.audit(&ledger, 0).await;
    report("races", stage.name(), &[], &ledger, &audit);
    audit.assert_sound(0);
}

/// What one of them sends in one race.
struct Lane {
    seed: u64,
    end: u64,
}

/// One race, from where the take stands.
async fn race(uploader: &mut Uploader<'_>, take: Entry, racers: &[Callers]) {
    let ledger = uploader.ledger;
    let record = ledger.get(take);
    let start = record.acknowledged;
    let dice = &mut uploader.dice;
    let lanes: Vec<Lane> = racers
        .iter()
        .map(|_| Lane {
            seed: dice.next_u64(),
            end: start + dice.random_range(1..=PIECE),
        })
        .collect();
    let sent = racers.iter().zip(&lanes).map(async |(racer, lane)| {
        ledger.tries();
        let bytes = bytes(lane.seed, start..lane.end);
        let append = |client: &Client, url: &str| {
            let append = client.patch(format!("{url}{}", record.take));
            append
                .header(CONTENT_TYPE, "application/partial-upload")
                .header("Upload-Offset", start)
                .header("Upload-Complete", "?0")
                .body(bytes)
        };
        racer.once(append).await.expect("an answer")
    });
    let sent_at = Instant::now();
    let answers = join_all(sent).await;
    let stands = uploader
        .ask(take)
        .await
        .expect("a take that goes on")
        .offset;
    assert!(stands > start, "nobody got any further: {answers:#?}");
    let mut winners = Vec::new();
    for (answer, lane) in answers.iter().zip(&lanes) {
        let told = answer.headers().get("upload-offset");
        let told = told.and_then(|it| it.to_str().ok()?.parse::<u64>().ok());
        if answer.status() == StatusCode::NO_CONTENT {
            assert_eq!((told, stands), (Some(lane.end), lane.end), "{answer:?}");
            winners.push(lane.seed);
        } else {
            // A loser may hear of it before the winner's bytes count.
            assert_eq!(answer.status(), StatusCode::CONFLICT, "{answer:?}");
            assert!([Some(start), Some(stands)].contains(&told), "{answer:?}");
        }
    }
    assert!(winners.len() <= 1, "{answers:#?}");
    if winners.is_empty() {
        // Somebody was told to leave in mid-body. What had arrived of it counts, and the rest lost.
        let longer = lanes.iter().filter(|lane| lane.end >= stands);
        winners.extend(longer.map(|lane| lane.seed));
    } else {
        ledger.appended(sent_at, stands - start);
    }
    ledger.continued(take, start, winners);
}
