//! SIGKILL can't show what a power cut takes: the system still has what was written. So the order of the
//! system calls is looked at: bytes and rows are synced before anybody is told of them.

use std::path::Path;

use super::report::report;
use super::stage::Stage;
use super::trace::{Call, Trace};
use test_support::ledger::Ledger;
use test_support::standing::Sent;
use test_support::uploader::Uploader;

/// Bytes of each append: more than one `write`.
const PIECE: u64 = 100_000;

const APPENDS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn bytes_and_rows_are_on_the_disk_before_they_are_acknowledged() {
    let trace = Trace::new();
    let mut stage = Stage::laptop_by(trace.launcher(&[])).await;
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let mut uploader = Uploader::new(0, &callers, &callers, &ledger);
    uploader.habits.slow_one_of = u32::MAX;
    let take = uploader.begin_one().await;
    for append in 0..APPENDS as u64 {
        let range = append * PIECE..(append + 1) * PIECE;
        let sent = uploader.append(take, range, false).await;
        assert!(matches!(sent, Sent::Stands(_)), "{sent:?}");
    }
    let process = stage.nodes[0].id();
    stage.nodes[0].kill();
    let calls = trace.read(process).await;

    // What was done for each answer about an upload: one caller, one request at a time.
    let steps: Vec<&[Call]> = calls
        .split_inclusive(Call::is_answer)
        .filter(|calls| calls.last().is_some_and(Call::is_acknowledgement))
        .collect();
    let [creation, appends @ ..] = &steps[..] else {
        panic!("no answers in the trace");
    };
    assert_eq!(appends.len(), APPENDS);
    let objects: Vec<&Path> = appends.iter().map(|calls| assert_in_order(calls)).collect();
    assert_folders_last(creation, objects[0]);

    stage.nodes[0].restart().await;
    let audit = stage.audit(&ledger, 0).await;
    report("order of syncs", stage.name(), &[], &ledger, &audit);
    audit.assert_sound(0);
}

/// Before a take's first object, its folder's name and that folder's own folder's are durable.
fn assert_folders_last(creation: &[Call], object: &Path) {
    let answer = &creation[creation.len() - 1];
    for folder in object.ancestors().skip(2).take(2) {
        assert!(synced(creation, folder, 0).ended < answer.began);
    }
}

/// The object is written, synced, renamed into place and its folder synced; then its row is written and
/// synced; then the answer leaves. Returns where the object lies.
fn assert_in_order(calls: &[Call]) -> &Path {
    let answer = &calls[calls.len() - 1];
    let rename = calls.iter().find(|it| it.name.starts_with("rename"));
    let rename = rename.expect("an object that takes its place");
    let paths = rename.arguments.split('"').filter(|it| it.starts_with('/'));
    let paths: Vec<&Path> = paths.map(Path::new).collect();
    let [staged, object] = paths[..] else {
        panic!("a rename from where to where? {rename:?}");
    };

    let bytes = last_write(calls, "write", |file| file == staged);
    let bytes = synced(calls, staged, bytes.ended);
    assert!(bytes.ended < rename.began, "{calls:#?}");
    let folder = object.parent().expect("a folder");
    let folder = synced(calls, folder, rename.ended);

    let is_log = |file: &Path| file.to_string_lossy().ends_with("-wal");
    let row = last_write(calls, "pwrite64", is_log);
    assert!(folder.ended < row.began, "{calls:#?}");
    let log = row.file().expect("a file");
    let row = synced(calls, Path::new(log), row.ended);
    assert!(row.ended < answer.began, "{calls:#?}");
    object
}

fn last_write<'c>(calls: &'c [Call], name: &str, to: impl Fn(&Path) -> bool) -> &'c Call {
    let writes = calls.iter().filter(|it| it.name == name);
    let mut writes = writes.filter(|it| it.file().is_some_and(|file| to(Path::new(file))));
    writes
        .next_back()
        .unwrap_or_else(|| panic!("no {name}: {calls:#?}"))
}

/// The first successful sync of a file or folder that begins after this.
fn synced<'c>(calls: &'c [Call], file: &Path, after: usize) -> &'c Call {
    let mut syncs = calls.iter().filter(|it| it.is_sync() && it.result == "0");
    let sync = syncs.find(|it| it.file().map(Path::new) == Some(file) && it.began > after);
    sync.unwrap_or_else(|| panic!("{} is not synced in time: {calls:#?}", file.display()))
}
