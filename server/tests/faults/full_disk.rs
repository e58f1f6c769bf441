//! The disk is full: really, by a small one of its own, with all limits out of the way.

use rand::RngExt;
use reqwest::StatusCode;

use super::report::report;
use super::stage::Stage;
use test_support::agent;
use test_support::callers::Callers;
use test_support::ledger::{Entry, Fate, Ledger};
use test_support::scale::scale;
use test_support::standing::Sent;
use test_support::uploader::Uploader;

/// Size of the disk. It holds the database, too.
const DISK: &str = "24m";

/// Bytes of the first video, for which there is room.
const FIRST: u64 = 8_000_000;

/// Refusals in a row, until somebody makes room.
const REFUSALS: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_what_it_cannot_hold_and_keeps_what_it_has() {
    let mut stage = Stage::laptop_with_disk(DISK).await;
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let mut uploader = Uploader::new(0, &callers, &callers, &ledger);
    uploader.habits.slow_one_of = u32::MAX;

    let mut older = uploader.begin_one().await;
    append(&mut uploader, older, FIRST).await;
    uploader.finish(older).await;
    uploader.submit(older).await;

    let mut refusals = 0;
    while refusals < scale().full_disk_refusals {
        let take = uploader.begin_one().await;
        let until = refusals + REFUSALS;
        while refusals < until {
            let length = uploader.dice.random_range(50_000..800_000);
            refusals += usize::from(!append(&mut uploader, take, length).await);
        }
        make_room(&callers, &ledger, older).await;
        let taken = append(&mut uploader, take, 1_000_000).await;
        assert!(taken, "there is room again");
        uploader.finish(take).await;
        uploader.submit(take).await;
        agent::watch(&callers, &ledger.get(take)).await;
        older = take;
    }
    stage.nodes[0].assert_alive();

    // An object for which there was room may have found none for its row.
    let orphans = refusals;
    stage.bring_out();
    let audit = stage.audit(&ledger, orphans).await;
    let counts = [("refusals", refusals as u64)];
    report("full disk", stage.name(), &counts, &ledger, &audit);
    audit.assert_sound(orphans);
}

/// A disk on which no more files can be made has room for bytes: what fails is the folder of the take.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_takes_no_more_files_refuses_new_takes_as_full() {
    let stage = Stage::laptop_with_disk("24m,nr_inodes=60").await;
    let callers = stage.callers();
    let request = agent::create(&callers).await;
    let path = format!("/r/{}/takes", request.id);
    for _ in 0..100 {
        let begin = callers.once(|client, door| {
            let begin = client.post(format!("{door}{path}"));
            begin.header("Upload-Complete", "?0")
        });
        match begin.await.expect("an answer").status() {
            StatusCode::CREATED => {}
            StatusCode::INSUFFICIENT_STORAGE => return,
            status => panic!("a full disk is the server's to tell: {status}"),
        }
    }
    panic!("the disk was never full");
}

/// Appends so many bytes. `false`: it was refused, and nothing has changed.
async fn append(uploader: &mut Uploader<'_>, take: Entry, length: u64) -> bool {
    let before = uploader.ledger.get(take).acknowledged;
    match uploader.append(take, before..before + length, false).await {
        Sent::Stands(_) => true,
        Sent::Unknown(Some(StatusCode::INSUFFICIENT_STORAGE)) => {
            let standing = uploader.ask_once(take).await.expect("an answer");
            assert_eq!((standing.offset, standing.complete), (before, false));
            false
        }
        sent => panic!("a full disk is the server's to tell: {sent:?}"),
    }
}

/// Throws an older video away, of which until then every byte is still there. On a disk without a single
/// free page, too.
async fn make_room(callers: &Callers, ledger: &Ledger, older: Entry) {
    let record = ledger.get(older);
    agent::watch(callers, &record).await;
    ledger.ended(older, Fate::Discarded);
    let answer = agent::delete(callers, &record).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}
