//! The disk says that it could not make bytes durable. Whether they are there, nobody knows from then on:
//! neither they nor a row that names them may be acknowledged.

use super::report::Totals;
use super::stage::Stage;
use super::trace::{Call, Trace};
use test_support::ledger::Ledger;
use test_support::scale::scale;
use test_support::uploader::{Habits, Uploader};

/// On one server. A disk with a failed sync isn't trusted for long.
const TAKES_AT_A_TIME: usize = 3;

/// SQLite's.
const DATABASE: &str = "vidence.db";
const LOG: &str = "vidence.db-wal";

/// Of the syncs of each thread every seventh fails: over time that hits each kind of them.
const FAILURES: [&str; 2] = [
    "inject=fsync:error=EIO:when=4+7",
    "inject=fdatasync:error=EIO:when=4+7",
];

/// In so many rounds every kind of sync has failed at least once.
const MOST_ROUNDS: usize = 20;

/// Which syncs failed.
#[derive(Debug, Default)]
struct Failed {
    objects: usize,
    rows: usize,
    /// Those of which the sender was told that the take has failed.
    told: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_synced_is_not_acknowledged() {
    let wanted = scale().takes_on_a_failing_disk.div_ceil(TAKES_AT_A_TIME);
    let (mut failed, mut totals) = (Failed::default(), Totals::default());
    let mut rounds = 0;
    while rounds < wanted || [failed.objects, failed.rows, failed.told].contains(&0) {
        rounds += 1;
        assert!(rounds <= MOST_ROUNDS.max(wanted), "{failed:?}");
        upload_to_a_failing_disk(rounds as u64, &mut failed, &mut totals).await;
    }
    let counts = [
        ("object syncs failed", failed.objects as u64),
        ("row syncs failed", failed.rows as u64),
        ("told to begin anew", failed.told as u64),
    ];
    totals.report("failing syncs", "laptop", &counts);
}

async fn upload_to_a_failing_disk(round: u64, failed: &mut Failed, totals: &mut Totals) {
    // Tables are made while the disk is well.
    let mut stage = Stage::laptop().await;
    let trace = Trace::new();
    stage.nodes[0].restart_by(trace.launcher(&FAILURES)).await;
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let mut uploader = Uploader::new(round, &callers, &callers, &ledger);
    uploader.habits = Habits {
        take: 50_000..=400_000,
        piece: 1..=150_000,
        slow_one_of: u32::MAX,
        begins_anew: true,
        // Sealing writes rows, too: then nobody could say whose sync has failed.
        leaves_open: true,
    };
    for _ in 0..TAKES_AT_A_TIME {
        uploader.answer_one().await;
    }
    stage.nodes[0].assert_alive();
    let process = stage.nodes[0].id();
    stage.nodes[0].restart_by(Vec::new()).await;

    let calls = trace.read(process).await;
    assert_nothing_acknowledged_after_a_failure(&calls);
    failed.told += assert_nothing_is_added_to_failed_takes(&calls);
    let files = calls.iter().filter(|it| it.was_made_to_fail());
    let files: Vec<&str> = files.filter_map(Call::file).collect();
    let objects: Vec<String> = files.iter().filter_map(|file| object(file)).collect();
    failed.objects += objects.len();
    failed.rows += files.iter().filter(|file| file.ends_with("-wal")).count();
    let named = stage.db().await.objects_named(objects).await.expect("rows");
    assert!(named.is_empty(), "rows of what was never synced: {named:?}");

    // Objects whose own sync, or whose row's, failed.
    let orphans = files.len();
    let audit = stage.audit(&ledger, orphans).await;
    totals.add(&ledger, &audit);
    audit.assert_sound(orphans);
}

/// One caller, one request at a time: whatever fails after one answer belongs to the next one.
fn assert_nothing_acknowledged_after_a_failure(calls: &[Call]) {
    let (mut failed, mut log_is_written) = (None, false);
    for call in calls {
        let file = call.file().unwrap_or_default();
        match file.rsplit_once('/') {
            // What is carried over from SQLite's log into its file is in the log as well. Before that the
            // log is synced once more, with nothing in it that wasn't synced before.
            Some((_, DATABASE)) => {}
            Some((_, LOG)) if call.name == "pwrite64" => log_is_written = true,
            Some((_, LOG)) if call.is_sync() && !log_is_written => {}
            _ if call.was_made_to_fail() => failed = Some(call),
            Some((_, LOG)) if call.is_sync() => log_is_written = false,
            _ => {}
        }
        if call.is_answer() {
            let lie = failed.filter(|_| call.is_acknowledgement());
            assert!(lie.is_none(), "{lie:?} failed, and still: {call:?}");
            failed = None;
        }
    }
}

/// What a take lost may lie anywhere in it. So nothing is written to it any more, and its sender is told to
/// begin anew. Returns how often that was so.
fn assert_nothing_is_added_to_failed_takes(calls: &[Call]) -> usize {
    let mut told = 0;
    for (at, failed) in calls.iter().enumerate() {
        let take = failed.file().and_then(take_of);
        let (Some(take), true) = (take, failed.was_made_to_fail()) else {
            continue;
        };
        let mut later = calls[at + 1..].iter();
        let answer = later.clone().find(|it| it.is_answer());
        told += usize::from(answer.is_some_and(|it| it.arguments.contains("\"HTTP/1.1 422 ")));
        let more = later.find(|it| it.name == "write" && it.file().and_then(take_of) == Some(take));
        assert!(more.is_none(), "{failed:?} failed, and still: {more:?}");
    }
    told
}

/// The folder of the take that a file or folder belongs to.
fn take_of(file: &str) -> Option<&str> {
    let (_, below) = file.split_once("/blobs/")?;
    let mut parts = below.split('/');
    parts.next()?;
    parts.next()
}

/// The key of an object that was being written: its file has a number behind its name.
fn object(file: &str) -> Option<String> {
    let (name, _) = file.rsplit_once('#')?;
    let mut parts: Vec<&str> = name.rsplit('/').take(3).collect();
    parts.reverse();
    Some(parts.join("/"))
}
