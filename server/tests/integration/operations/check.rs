//! `vidence check` finds missing and changed objects and contradicting rows, and nothing else.
//!
//! A little more than 300 lines: one command.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use server::blobs::ObjectKey;
use server::id::{RequestId, TakeId};

use crate::support::binary::vidence;
use crate::support::{
    CLIP, CLIP_LENGTH, LIVE_WEBM, Server, assert_cut_short, clip, last_segment, on_each_storage,
    wait_until,
};
use test_support::on_postgres_s3;
use test_support::stores::bucket::make_older;
use test_support::stores::bucket_faults::BucketFault;

on_each_storage! {
    check_reports_an_intact_store_as_clean
    check_finds_missing_truncated_and_changed_objects
    a_changed_video_breaks_off_before_the_change
    check_finds_rows_that_contradict_each_other
    check_counts_orphans_without_failing
    check_is_clean_beside_a_busy_server
}

on_postgres_s3! {
    check_reports_unreadable_objects_and_continues
    check_reports_its_findings_when_it_is_interrupted
}

/// Runs `vidence check --json` with these flags. Returns the exit code and the report.
async fn run_check(server: &Server, flags: &[&str]) -> (Option<i32>, Value) {
    let arguments = [&["check", "--json"], flags].concat();
    let output = vidence(&arguments, &server.environment()).await;
    let report = serde_json::from_str(&output.stdout);
    (output.code, report.unwrap_or_else(|_| panic!("{output:?}")))
}

/// Path of the request's object of this length.
fn object(server: &Server, request: &str, length: usize) -> PathBuf {
    let mut objects = server.objects().into_iter();
    let problems = objects.find(|path| {
        let of_this_request = path.to_str().is_some_and(|it| it.contains(request));
        of_this_request && fs::metadata(path).is_ok_and(|it| it.len() == length as u64)
    });
    problems.expect("an object")
}

async fn check_reports_an_intact_store_as_clean(server: Server) {
    server.create_request().await.submit_video(LIVE_WEBM).await;
    server.create_request().await.upload(CLIP).await;
    server.create_request().await.create_take().await;
    // Stills are made in the background.
    wait_until(async || run_check(&server, &[]).await.1["objects"] == server.objects().len()).await;
    let (code, report) = run_check(&server, &["--deep"]).await;
    assert_eq!((code, &report["clean"]), (Some(0), &Value::Bool(true)));
    assert_eq!(report["videos_read"], 2);
    assert_eq!(report["orphans"], 0);
    let output = vidence(&["check"], &server.environment()).await.success();
    assert!(output.ends_with("clean\n"), "{output}");
}

async fn check_finds_missing_truncated_and_changed_objects(server: Server) {
    let lengths = [20_000, 30_000, 40_000];
    let mut requests = Vec::new();
    for length in lengths {
        let creator = server.create_request().await;
        creator.submit_video(&clip(length)).await;
        requests.push(creator);
    }
    let [missing, shorter, changed] = [0, 1, 2].map(|at| {
        let id = requests[at].id();
        object(&server, id, lengths[at])
    });
    flip_last_byte(&changed);
    let (code, report) = run_check(&server, &[]).await;
    assert_eq!(code, Some(0), "it wasn't read: {report}");

    fs::remove_file(missing).expect("an object");
    let file = fs::File::options().write(true).open(shorter);
    file.expect("an object").set_len(29_999).expect("shorter");
    let (code, report) = run_check(&server, &[]).await;
    assert_eq!(code, Some(1));
    assert_eq!(
        (&report["missing"], &report["wrong_length"]),
        (&1.into(), &1.into())
    );
    assert_eq!(report["wrong_digest"], 0);

    let (code, report) = run_check(&server, &["--deep"]).await;
    assert_eq!(code, Some(1));
    assert_eq!(report["wrong_digest"], 3, "{report}");
    let shown = report.to_string();
    for creator in &requests {
        assert!(!shown.contains(creator.id()), "ids open links");
        assert!(shown.contains(&creator.id()[..6]), "{shown}");
    }
    let (_, report) = run_check(&server, &["--show-ids"]).await;
    assert!(report.to_string().contains(requests[0].id()));
}

async fn check_reports_unreadable_objects_and_continues() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    creator.upload(CLIP).await;
    let faults = server.bucket().faults();
    faults.set(Some(BucketFault::Forbidden(&Method::HEAD)));
    let (code, report) = run_check(&server, &["--deep"]).await;
    assert_eq!(code, Some(1), "{report}");
    assert_eq!(
        (&report["objects"], &report["unreadable"]),
        (&1.into(), &1.into())
    );
    assert!(report.to_string().contains(&creator.id()[..6]), "{report}");
    faults.set(None);
    let (code, report) = run_check(&server, &["--deep"]).await;
    assert_eq!(code, Some(0), "{report}");
}

/// More than a bad sector makes unreadable: the store is away.
async fn check_reports_its_findings_when_it_is_interrupted() {
    const OBJECTS: usize = 30;
    let server = Server::postgres_s3().await;
    for _ in 0..OBJECTS {
        server.create_request().await.upload(CLIP).await;
    }
    let faults = server.bucket().faults();
    faults.set(Some(BucketFault::Forbidden(&Method::HEAD)));
    let (code, report) = run_check(&server, &[]).await;
    assert_eq!(code, Some(2), "{report}");
    let [clean, complete] = ["clean", "complete"].map(|it| report[it].as_bool());
    assert_eq!((clean, complete), (Some(false), Some(false)));
    let told = report["faults"].as_array().expect("a list").len();
    assert!((20..OBJECTS).contains(&told), "{report}");
    faults.set(None);
    let (code, report) = run_check(&server, &[]).await;
    assert_eq!((code, &report["complete"]), (Some(0), &Value::Bool(true)));
}

async fn a_changed_video_breaks_off_before_the_change(server: Server) {
    let bytes = clip(4_000_000);
    let creator = server.create_request().await;
    let path = creator.submit_video(&bytes).await;
    let object = object(&server, creator.id(), bytes.len());
    flip_last_byte(&object);
    let mut answer = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let mut received = Vec::new();
    let end = loop {
        match answer.chunk().await {
            Ok(Some(more)) => received.extend_from_slice(&more),
            end => break end,
        }
    };
    assert!(end.is_err(), "the body ended without an error");
    assert!(bytes.starts_with(&received) && received.len() < bytes.len());

    // What is shorter breaks off, too.
    let file = fs::File::options().write(true).open(&object);
    file.expect("an object")
        .set_len(3_900_000)
        .expect("shorter");
    let shorter = creator.send_authorized(Method::GET, &path).await;
    assert_cut_short(shorter, 0, bytes.len()).await;
}

fn flip_last_byte(object: &Path) {
    let mut bytes = fs::read(object).expect("an object");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(object, bytes).expect("other bytes");
}

async fn check_finds_rows_that_contradict_each_other(server: Server) {
    let (submitted, intact) = (server.create_request().await, server.create_request().await);
    submitted.submit_video(CLIP).await;
    intact.submit_video(CLIP).await;
    let mut want = vec![submitted.id().to_owned()];
    let mut statements = format!(
        "UPDATE requests SET take_id = 'nothing' WHERE id = '{}'",
        submitted.id()
    );
    // Each contradicts another one of the sums over a take's chunks, and no other; once it is too large, once too small.
    for contradictions in [
        [
            "UPDATE chunks SET start = start + 1 WHERE start > 0 AND take_id",
            "UPDATE chunks SET start = start - 1 WHERE start > 0 AND take_id",
        ],
        [
            "UPDATE chunks SET length = length + 1 WHERE start = 0 AND take_id",
            "UPDATE chunks SET length = length - 1 WHERE start = 0 AND take_id",
        ],
        [
            "UPDATE takes SET pieces = pieces + 1 WHERE id",
            "UPDATE takes SET pieces = pieces - 1 WHERE id",
        ],
    ] {
        let creator = server.create_request().await;
        for contradiction in contradictions {
            let take = creator.create_take().await;
            for (at, bytes) in [(0, CLIP), (CLIP_LENGTH, &b"more"[..])] {
                let answer = creator.append(&take, at, bytes, false).await;
                assert_eq!(answer.status(), StatusCode::NO_CONTENT);
            }
            statements += &format!("; {contradiction} = '{}'", last_segment(&take));
            want.push(creator.id().to_owned());
        }
    }
    let creator = server.create_request().await;
    let without_chunks = creator.create_take().await;
    let without_chunks = last_segment(&without_chunks);
    statements += &format!("; UPDATE takes SET committed = 4 WHERE id = '{without_chunks}'");
    want.push(creator.id().to_owned());
    let broken = async || server.app.db.broken_manifests().await.expect("rows");
    assert!(broken().await.is_empty());
    server.execute_sql(&statements).await;
    let mut found = broken().await;
    found.sort_unstable();
    want.sort_unstable();
    assert_eq!(found, want);
    let (code, report) = run_check(&server, &[]).await;
    let found = &report["broken_manifests"];
    assert_eq!((code, found), (Some(1), &want.len().into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn check_finds_what_sqlite_finds_in_its_file() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    creator.create_take().await;
    let take = creator.create_take().await;
    let answer = creator.append(&take, 0, CLIP, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let faults = async || server.app.db.integrity_faults().await.expect("rows");
    assert!(faults().await.is_empty());
    server
        .execute_sql(
            "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \
             UPDATE takes SET request_id = 'nothing'; UPDATE chunks SET take_id = 'nothing'; \
             UPDATE requests SET bytes_gone = 2",
        )
        .await;
    let want = [
        "CHECK constraint failed in requests",
        "1 rows of chunks refer to a missing row",
        "2 rows of takes refer to a missing row",
    ];
    assert_eq!(faults().await, want);
    let (code, report) = run_check(&server, &[]).await;
    assert_eq!((code, &report["database"]), (Some(1), &3.into()));
}

async fn check_counts_orphans_without_failing(server: Server) {
    let creator = server.create_request().await;
    creator.submit_video(CLIP).await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let take = TakeId::random();
    let key = ObjectKey::random(&request, &take);
    let blobs = &server.app.blobs;
    blobs.prepare_take(&request, &take).await.expect("a folder");
    let bytes = vec![Bytes::from_static(b"nobody's")];
    blobs.put(&key, bytes).await.expect("an object");
    let (_, report) = run_check(&server, &[]).await;
    assert_eq!(report["orphans"], 0, "its row may follow");

    let file = object(&server, request.as_str(), 8);
    make_older(&[file], Duration::from_hours(1));
    let (code, report) = run_check(&server, &[]).await;
    assert_eq!(code, Some(0));
    assert_eq!(
        (&report["orphans"], &report["orphan_bytes"]),
        (&1.into(), &8.into())
    );
}

async fn check_is_clean_beside_a_busy_server(server: Server) {
    let stopped = AtomicBool::new(false);
    let checking = async {
        for _ in 0..3 {
            let (code, report) = run_check(&server, &["--deep"]).await;
            assert_eq!(code, Some(0), "{report}");
        }
        stopped.store(true, Ordering::Release);
    };
    let busy = async || {
        let mut deleted = 0;
        while !stopped.load(Ordering::Acquire) {
            let creator = server.create_request().await;
            creator.upload(&clip(50_000)).await;
            creator.submit_video(CLIP).await;
            assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
            deleted += 1;
        }
        deleted
    };
    let ((), one, two) = tokio::join!(checking, busy(), busy());
    assert!(one + two > 0);
}
