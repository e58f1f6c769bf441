//! The order of system calls: bytes and rows are synced before they are acknowledged.
//!
//! SIGKILL can't show what a power failure loses, because the page cache survives it.

use std::collections::BTreeSet;
use std::path::Path;

use reqwest::{Client, StatusCode};

use crate::connections::asking::ask;
use crate::environment::Environment;
use crate::environment::strace::{SystemCall, Trace};
use crate::report::report;
use test_support::clients::agent;
use test_support::clients::ledger::Ledger;
use test_support::clients::upload_status::AppendResult;
use test_support::clients::uploader::Uploader;
use test_support::recordings::fixtures::FIVE_SCENES_MP4;
use test_support::wait_until;

/// Bytes of each append: more than one buffer.
const APPEND_BYTES: u64 = 100_000;

const APPENDS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn objects_and_rows_are_synced_before_they_are_acknowledged() {
    let trace = Trace::new();
    let mut environment = Environment::sqlite_with_launcher(trace.launcher(&[])).await;
    // The first sweep writes a row, which could be the last one before an answer.
    let db = environment.db().await;
    wait_until(async || db.known_time().await.expect("a row").is_some()).await;
    drop(db);
    let (ledger, client) = (Ledger::default(), environment.client());
    let mut uploader = Uploader::new(0, &client, &client, &ledger);
    uploader.profile.slow_one_in = u32::MAX;
    let take = uploader.start_request().await;
    for append in 0..APPENDS as u64 {
        let range = append * APPEND_BYTES..(append + 1) * APPEND_BYTES;
        let result = uploader.append(take, range, false).await;
        assert!(
            matches!(result, AppendResult::Acknowledged(_)),
            "{result:?}"
        );
    }
    let process = environment.nodes[0].id();
    environment.nodes[0].kill();
    let calls = trace.read(process).await;
    assert_first_start_synced(&calls);

    // The calls before each answer about an upload; there is one client with one request at a time.
    let steps: Vec<&[SystemCall]> = calls
        .split_inclusive(SystemCall::is_answer)
        .filter(|calls| calls.last().is_some_and(SystemCall::is_acknowledgement))
        .collect();
    let [creation, appends @ ..] = &steps[..] else {
        panic!("no answers in the trace");
    };
    assert_eq!(appends.len(), APPENDS);
    let objects: Vec<&Path> = appends
        .iter()
        .map(|calls| assert_sync_order(calls))
        .collect();
    assert_folders_synced(creation, objects[0]);

    environment.nodes[0].restart().await;
    let audit = environment.audit(&ledger, 0).await;
    report("order of syncs", environment.name(), &[], &ledger, &audit);
    audit.assert_sound(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn removals_are_synced_before_they_are_acknowledged() {
    let trace = Trace::new();
    let mut environment = Environment::sqlite_with_launcher(trace.launcher(&[])).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let mut uploader = Uploader::new(0, &client, &client, &ledger);
    let take = uploader.start_request().await;
    uploader.append(take, 0..APPEND_BYTES, false).await;
    let record = ledger.get(take);
    let discard = |http: &Client, url: &str| http.delete(format!("{url}{}", record.take));
    let discarded = client.send_once(discard).await.expect("an answer");
    assert_eq!(discarded.status(), StatusCode::NO_CONTENT);
    let deleted = agent::delete(&client, &record).await.expect("an answer");
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    let process = environment.nodes[0].id();
    environment.nodes[0].kill();
    let calls = trace.read(process).await;

    let (_, take) = record.take.rsplit_once('/').expect("a path");
    let request = data_folder(&calls).join("blobs").join(&record.request);
    for folder in [&request.join(take), &request] {
        let removal = calls
            .iter()
            .find(|it| it.removed_folder() == Some(folder.as_path()));
        let removal = removal.unwrap_or_else(|| panic!("{} stays", folder.display()));
        let mut later = calls.iter().filter(|it| it.began > removal.ended);
        let answer = later.find(|it| it.is_answer()).expect("an answer");
        let parent = folder.parent().expect("a folder");
        assert_in_time(first_sync(&calls, parent, removal.ended), answer);
    }
}

/// An earlier start may have made the folder, and have ended before its name was durable.
#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_the_blob_folder_is_synced_at_each_start() {
    let (mut environment, trace) = (Environment::sqlite().await, Trace::new());
    let node = &mut environment.nodes[0];
    node.restart_with_launcher(trace.launcher(&[])).await;
    let process = node.id();
    node.kill();
    let calls = trace.read(process).await;
    let data = data_folder(&calls);
    let lock = data.join("blobs").join("lock");
    let mut opened = calls.iter().filter(|it| it.created_file().is_some());
    let locked = opened.find(|it| it.created_file().map(Path::new) == Some(lock.as_path()));
    let locked = locked.expect("a lock file");
    // With a log SQLite syncs the folder, too. After that it syncs the database, into which it copies the log.
    let is_database = |file: &str| file.ends_with("/vidence.db");
    let mut before = calls.iter().filter(|it| it.ended < locked.began);
    let copied = before.rfind(|it| it.is_sync() && it.file().is_some_and(is_database));
    let copied = copied.map_or(0, |it| it.ended);
    assert_in_time(first_sync(&calls, data, copied), locked);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_is_created_outside_of_the_data_folder() {
    let trace = Trace::new();
    let mut environment = Environment::sqlite_with_launcher(trace.launcher(&[])).await;
    let server = environment.nodes[0].url();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("evidence");
    // Its pictures are more than SQLite keeps in memory while it deletes them.
    let last = ask(&server, &server, &folder, FIVE_SCENES_MP4, &[]).await;
    assert_eq!(last["event"], "deleted");
    let process = environment.nodes[0].id();
    environment.nodes[0].kill();
    let calls = trace.read(process).await;
    let (created, data) = (created_files(&calls), data_folder(&calls));
    // A file of the kernel is a setting of the process.
    let is_outside = |it: &&&Path| !it.starts_with(data) && !it.starts_with("/proc");
    let outside: Vec<_> = created.iter().filter(is_outside).collect();
    assert!(outside.is_empty(), "{outside:?}");
}

fn created_files(calls: &[SystemCall]) -> BTreeSet<&Path> {
    let files = calls.iter().filter_map(SystemCall::created_file);
    files.map(Path::new).collect()
}

fn data_folder(calls: &[SystemCall]) -> &Path {
    let created = created_files(calls);
    let log = created.iter().find(|it| it.ends_with("vidence.db-wal"));
    log.and_then(|it| it.parent()).expect("a database")
}

/// Asserts that before the first answer the data folder's own name is durable, and each file that the start made: whole
/// before it has its name, and its folder after that.
fn assert_first_start_synced(calls: &[SystemCall]) {
    let answer = calls.iter().find(|it| it.is_answer()).expect("an answer");
    let assert_synced = |folder: Option<&Path>, after: usize| {
        assert_in_time(first_sync(calls, folder.expect("a folder"), after), answer);
    };
    assert_synced(data_folder(calls).parent(), 0);
    let mut files = 0;
    for rename in calls.iter().filter(|it| it.name.starts_with("rename")) {
        let (from, to) = rename.renamed().expect("two paths");
        assert_in_time(first_sync(calls, from, 0), rename);
        assert_synced(to.parent(), rename.ended);
        files += 1;
    }
    assert!(files >= 2, "the key of receipts and the id of the folder");
}

/// Asserts that before a take's first object, the entries of its folder and of the request's folder are durable.
fn assert_folders_synced(creation: &[SystemCall], object: &Path) {
    let answer = &creation[creation.len() - 1];
    for folder in object.ancestors().skip(2).take(2) {
        assert_in_time(first_sync(creation, folder, 0), answer);
    }
}

/// Asserts the order: the object is written and synced, and its folder; then its row is written and synced; then the
/// answer is sent. Returns the object's path.
fn assert_sync_order(calls: &[SystemCall]) -> &Path {
    let answer = &calls[calls.len() - 1];
    let is_object = |file: &Path| file.components().any(|it| it.as_os_str() == "blobs");
    let bytes = last_write(calls, "writev", is_object);
    let object = Path::new(bytes.file().expect("a file"));
    let bytes = first_sync(calls, object, bytes.ended);
    let folder = object.parent().expect("a folder");
    let folder = first_sync(calls, folder, bytes.ended);

    let is_log = |file: &Path| file.to_string_lossy().ends_with("-wal");
    let row = last_write(calls, "pwrite64", is_log);
    assert_in_time(folder, row);
    let log = row.file().expect("a file");
    let row = first_sync(calls, Path::new(log), row.ended);
    assert_in_time(row, answer);
    let renames = calls.iter().any(|it| it.name.starts_with("rename"));
    assert!(!renames, "a name that isn't durable: {calls:#?}");
    object
}

fn last_write<'c>(
    calls: &'c [SystemCall],
    name: &str,
    to: impl Fn(&Path) -> bool,
) -> &'c SystemCall {
    let writes = calls.iter().filter(|it| it.name == name);
    let mut writes = writes.filter(|it| it.file().is_some_and(|file| to(Path::new(file))));
    writes
        .next_back()
        .unwrap_or_else(|| panic!("no {name}: {calls:#?}"))
}

fn assert_in_time(sync: &SystemCall, before: &SystemCall) {
    let in_time = sync.ended < before.began;
    assert!(in_time, "it is not synced in time: {sync:?}, {before:?}");
}

/// The first successful sync of a file or folder that begins after this line of the trace.
fn first_sync<'c>(calls: &'c [SystemCall], file: &Path, after: usize) -> &'c SystemCall {
    let mut syncs = calls.iter().filter(|it| it.is_sync() && it.result == "0");
    let sync = syncs.find(|it| it.file().map(Path::new) == Some(file) && it.began > after);
    sync.unwrap_or_else(|| panic!("{} is not synced in time: {calls:#?}", file.display()))
}
