//! The disk is full: really, by a small one of its own, with all limits out of the way.

use std::fs;
use std::time::Duration;

use rand::RngExt;
use reqwest::StatusCode;
use tokio::time::timeout;

use super::agent;
use super::callers::Callers;
use super::ledger::{Entry, Fate, Ledger};
use super::report::report;
use super::scale::{PATIENCE, scale};
use super::stage::Stage;
use super::standing::Sent;
use super::uploader::Uploader;

/// Size of the disk. It holds the database, too.
const DISK: &str = "24m";

/// Bytes of the first video, for which there is room.
const FIRST: u64 = 8_000_000;

/// A file of somebody else's on the same disk.
const BALLAST: &str = "ballast";
const BALLAST_BYTES: usize = 1_000_000;

/// Refusals in a row, until somebody makes room.
const REFUSALS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_what_it_cannot_hold_and_keeps_what_it_has() {
    let mut stage = Stage::laptop_with_disk(DISK).await;
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let mut uploader = Uploader::new(0, &callers, &callers, &ledger);
    uploader.habits.slow_one_of = u32::MAX;

    add_ballast(&stage);
    let mut older = uploader.begin_one().await;
    append(&mut uploader, older, FIRST).await;
    uploader.finish(older).await;
    uploader.submit(older).await;

    let (mut statuses, mut deletions_refused) = (Vec::new(), 0);
    while statuses.len() < scale().full_disk_refusals {
        let take = uploader.begin_one().await;
        let until = statuses.len() + REFUSALS;
        while statuses.len() < until {
            let length = uploader.dice.random_range(50_000..800_000);
            statuses.extend(append(&mut uploader, take, length).await);
        }
        deletions_refused += make_room(&stage, &callers, &ledger, older).await;
        let refused = append(&mut uploader, take, 1_000_000).await;
        assert_eq!(refused, None, "there is room again");
        uploader.finish(take).await;
        uploader.submit(take).await;
        agent::watch(&callers, &ledger.get(take)).await;
        older = take;
    }
    stage.nodes[0].assert_alive();

    // An object for which there was room may have found none for its row.
    let orphans = statuses.len();
    stage.bring_out();
    let audit = stage.audit(&ledger, orphans).await;
    let said_so = statuses
        .iter()
        .filter(|it| **it == StatusCode::INSUFFICIENT_STORAGE);
    let counts = [
        ("refusals", statuses.len() as u64),
        ("as 507", said_so.count() as u64),
        ("deletions refused", deletions_refused),
    ];
    report("full disk", stage.name(), &counts, &ledger, &audit);
    audit.assert_sound(orphans);
}

/// Appends so many bytes. After a refusal, whose status it returns, nothing may have changed.
async fn append(uploader: &mut Uploader<'_>, take: Entry, length: u64) -> Option<StatusCode> {
    let before = uploader.ledger.get(take).acknowledged;
    match uploader.append(take, before..before + length, false).await {
        Sent::Stands(_) => None,
        Sent::Unknown(Some(status)) if status.is_server_error() => {
            // To ask writes a row, too, and so may be refused. The next append tells then: it begins here.
            if let Some(standing) = uploader.ask_once(take).await {
                assert_eq!((standing.offset, standing.complete), (before, false));
            }
            Some(status)
        }
        sent => panic!("a full disk is the server's to tell: {sent:?}"),
    }
}

/// Throws an older video away, of which until then every byte is still there. Returns how often that
/// was refused.
///
/// A deletion writes rows before it frees anything, so on a disk without a single free page it can fail,
/// too. Then the operator has to find some room elsewhere, here [`BALLAST`].
async fn make_room(stage: &Stage, callers: &Callers, ledger: &Ledger, older: Entry) -> u64 {
    let record = ledger.get(older);
    agent::watch(callers, &record).await;
    ledger.ended(older, Fate::Discarded);
    let delete = async || {
        let answer = agent::delete(callers, &record).await.expect("an answer");
        answer.status()
    };
    let status = delete().await;
    if status == StatusCode::NO_CONTENT {
        return 0;
    }
    assert!(status.is_server_error(), "{status} of a deletion");
    fs::remove_file(stage.inside().join(BALLAST)).expect("a ballast");
    let status = delete().await;
    // The first one may have come so far that only the sweeper has something left to do.
    let done = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
    assert!(done, "{status} of a deletion with room for it");
    let bytes = stage.inside().join("blobs").join(&record.request);
    let gone = async {
        let mut pace = tokio::time::interval(Duration::from_millis(20));
        while bytes.exists() {
            pace.tick().await;
        }
    };
    timeout(PATIENCE, gone).await.expect("bytes that go");
    add_ballast(stage);
    1
}

fn add_ballast(stage: &Stage) {
    let ballast = vec![0; BALLAST_BYTES];
    fs::write(stage.inside().join(BALLAST), ballast).expect("room");
}
