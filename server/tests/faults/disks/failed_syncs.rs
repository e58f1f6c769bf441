//! Failing syncs: neither the bytes nor a row that names them may be acknowledged.

use crate::environment::Environment;
use crate::environment::strace::{SystemCall, Trace};
use crate::report::Totals;
use test_support::clients::ledger::Ledger;
use test_support::clients::uploader::{UploadProfile, Uploader};
use test_support::scale::scale;

/// Takes on one server: SQLite stops working soon after a failed sync.
const TAKES_AT_A_TIME: usize = 3;

/// File names of SQLite.
const DATABASE: &str = "vidence.db";
const WAL: &str = "vidence.db-wal";

/// Every seventh sync of each thread fails, which over time hits each kind of sync.
const FAILURES: [&str; 2] = [
    "inject=fsync:error=EIO:when=4+7",
    "inject=fdatasync:error=EIO:when=4+7",
];

/// In this many rounds every kind of sync has failed at least once.
const MAX_ROUNDS: usize = 20;

/// Failed syncs, by kind.
#[derive(Debug, Default)]
struct Failed {
    objects: usize,
    rows: usize,
    /// Failures that an append was answered with.
    reported: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_are_not_acknowledged_after_a_failed_sync() {
    let wanted = scale().failing_disk_takes.div_ceil(TAKES_AT_A_TIME);
    let (mut failed, mut totals) = (Failed::default(), Totals::default());
    let mut rounds = 0;
    while rounds < wanted || [failed.objects, failed.rows, failed.reported].contains(&0) {
        rounds += 1;
        assert!(rounds <= MAX_ROUNDS.max(wanted), "{failed:?}");
        upload_to_a_failing_disk(rounds as u64, &mut failed, &mut totals).await;
    }
    let counts = [
        ("object syncs failed", failed.objects as u64),
        ("row syncs failed", failed.rows as u64),
        ("appends failed", failed.reported as u64),
    ];
    totals.report("failed syncs", "sqlite", &counts);
}

async fn upload_to_a_failing_disk(round: u64, failed: &mut Failed, totals: &mut Totals) {
    // The tables are created before syncs fail.
    let mut environment = Environment::sqlite().await;
    let trace = Trace::new();
    environment.nodes[0]
        .restart_with_launcher(trace.launcher(&FAILURES))
        .await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let mut uploader = Uploader::new(round, &client, &client, &ledger);
    uploader.profile = UploadProfile {
        take_bytes: 50_000..=400_000,
        append_bytes: 1..=150_000,
        slow_one_in: u32::MAX,
        tolerates_failed_takes: true,
        // Sealing writes rows, too, so a failed sync couldn't be attributed.
        leaves_open: true,
        ..UploadProfile::default()
    };
    for _ in 0..TAKES_AT_A_TIME {
        uploader.complete_request().await;
    }
    environment.nodes[0].assert_alive();
    let process = environment.nodes[0].id();
    environment.nodes[0].restart_with_launcher(Vec::new()).await;

    let calls = trace.read(process).await;
    assert_no_acknowledgement_after_failed_sync(&calls);
    failed.reported += assert_no_append_to_failed_takes(&calls);
    let files = calls.iter().filter(|it| it.is_injected());
    let files: Vec<&str> = files.filter_map(SystemCall::file).collect();
    let objects: Vec<String> = files.iter().filter_map(|file| object(file)).collect();
    failed.objects += objects.len();
    failed.rows += files.iter().filter(|file| file.ends_with("-wal")).count();
    let referenced = environment
        .db()
        .await
        .objects_named(objects)
        .await
        .expect("rows");
    assert!(
        referenced.is_empty(),
        "rows of what was never synced: {referenced:?}"
    );

    // Objects whose own sync, or whose row's, failed.
    let orphans = files.len();
    let audit = environment.audit(&ledger, orphans).await;
    totals.add(&ledger, &audit);
    audit.assert_sound(orphans);
}

/// With one client and one request at a time, a failure belongs to the next answer.
fn assert_no_acknowledgement_after_failed_sync(calls: &[SystemCall]) {
    let (mut failed, mut wal_is_written) = (None, false);
    for call in calls {
        let file = call.file().unwrap_or_default();
        match file.rsplit_once('/') {
            // A checkpoint copies pages that are in the WAL as well. Before it SQLite syncs the WAL once more, with
            // nothing new in it.
            Some((_, DATABASE)) => {}
            Some((_, WAL)) if call.name == "pwrite64" => wal_is_written = true,
            Some((_, WAL)) if call.is_sync() && !wal_is_written => {}
            _ if call.is_injected() => failed = Some(call),
            Some((_, WAL)) if call.is_sync() => wal_is_written = false,
            _ => {}
        }
        if call.is_answer() {
            let acknowledged = failed.filter(|_| call.is_acknowledgement());
            assert!(
                acknowledged.is_none(),
                "{acknowledged:?} failed, and still: {call:?}"
            );
            failed = None;
        }
    }
}

/// A failed sync may have lost any bytes of the take.
/// So nothing more is written to it, and the client is told to create another. Returns the number of such answers.
fn assert_no_append_to_failed_takes(calls: &[SystemCall]) -> usize {
    let mut reported = 0;
    for (at, failed) in calls.iter().enumerate() {
        let take = failed.file().and_then(take_of);
        let (Some(take), true) = (take, failed.is_injected()) else {
            continue;
        };
        let mut later = calls[at + 1..].iter();
        let answer = later.clone().find(|it| it.is_answer());
        reported += usize::from(answer.is_some_and(|it| it.arguments.contains("\"HTTP/1.1 422 ")));
        let more =
            later.find(|it| it.name == "writev" && it.file().and_then(take_of) == Some(take));
        assert!(more.is_none(), "{failed:?} failed, and still: {more:?}");
    }
    reported
}

/// The take's folder in the path of a file or folder.
fn take_of(file: &str) -> Option<&str> {
    let (_, below) = file.split_once("/blobs/")?;
    let mut parts = below.split('/');
    parts.next()?;
    parts.next()
}

/// Key of an object: what is below the folder of objects, if it is in the folder of a take.
fn object(file: &str) -> Option<String> {
    let (_, key) = file.split_once("/blobs/")?;
    (key.split('/').count() == 3).then(|| key.to_owned())
}
