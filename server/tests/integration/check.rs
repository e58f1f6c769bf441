//! `vidence check` finds what is wrong, and nothing where nothing is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::StatusCode;
use serde_json::Value;
use server::blobs::ObjectKey;
use server::id::{RequestId, TakeId};

use crate::commands::vidence;
use crate::support::{CLIP, LIVE_WEBM, Server, clip, journeys, wait_until};

journeys! {
    a_store_that_is_as_it_should_be_is_clean
    what_is_missing_or_changed_is_found
    an_old_object_without_a_row_is_counted_and_no_fault
    beside_a_busy_server_nothing_is_found
}

/// Its exit code, and what it found.
async fn check(server: &Server, flags: &[&str]) -> (Option<i32>, Value) {
    let words = [&["check", "--json"], flags].concat();
    let ran = vidence(&words, &server.environment()).await;
    let report = serde_json::from_str(&ran.out);
    (ran.code, report.unwrap_or_else(|_| panic!("{ran:?}")))
}

/// The object of this one's that has this length.
fn object(server: &Server, request: &str, length: usize) -> PathBuf {
    let mut objects = server.objects().into_iter();
    let found = objects.find(|path| {
        let ours = path.to_str().is_some_and(|it| it.contains(request));
        ours && fs::metadata(path).is_ok_and(|it| it.len() == length as u64)
    });
    found.expect("an object")
}

async fn a_store_that_is_as_it_should_be_is_clean(server: Server) {
    server.create().await.submit_video(LIVE_WEBM).await;
    server.create().await.upload(CLIP).await;
    server.create().await.begin().await;
    // Pictures come a little later.
    wait_until(async || check(&server, &[]).await.1["objects"] == server.objects().len()).await;
    let (code, report) = check(&server, &["--deep"]).await;
    assert_eq!((code, &report["clean"]), (Some(0), &Value::Bool(true)));
    assert_eq!(report["videos_read"], 2);
    assert_eq!(report["orphans"], 0);
    let said = vidence(&["check"], &server.environment()).await.succeeded();
    assert!(said.ends_with("clean\n"), "{said}");
}

async fn what_is_missing_or_changed_is_found(server: Server) {
    let lengths = [20_000, 30_000, 40_000];
    let mut requests = Vec::new();
    for length in lengths {
        let creator = server.create().await;
        creator.submit_video(&clip(length)).await;
        requests.push(creator);
    }
    let [missing, shorter, changed] = [0, 1, 2].map(|at| {
        let id = requests[at].id();
        object(&server, id, lengths[at])
    });
    flip_last_byte(&changed);
    let (code, report) = check(&server, &[]).await;
    assert_eq!(code, Some(0), "nobody has read it: {report}");

    fs::remove_file(missing).expect("an object");
    let file = fs::File::options().write(true).open(shorter);
    file.expect("an object").set_len(29_999).expect("shorter");
    let (code, report) = check(&server, &[]).await;
    assert_eq!(code, Some(1));
    assert_eq!(
        (&report["missing"], &report["wrong_length"]),
        (&1.into(), &1.into())
    );
    assert_eq!(report["wrong_digest"], 0);

    let (code, report) = check(&server, &["--deep"]).await;
    assert_eq!(code, Some(1));
    assert_eq!(report["wrong_digest"], 3, "{report}");
    let shown = report.to_string();
    for creator in &requests {
        assert!(!shown.contains(creator.id()), "ids open links");
        assert!(shown.contains(&creator.id()[..6]), "{shown}");
    }
    let (_, report) = check(&server, &["--show-ids"]).await;
    assert!(report.to_string().contains(requests[0].id()));
}

fn flip_last_byte(object: &Path) {
    let mut bytes = fs::read(object).expect("an object");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(object, bytes).expect("other bytes");
}

async fn an_old_object_without_a_row_is_counted_and_no_fault(server: Server) {
    server.create().await.submit_video(CLIP).await;
    let (request, take) = (RequestId::random(), TakeId::random());
    let key = ObjectKey::random(&request, &take);
    let blobs = &server.app.blobs;
    blobs.prepare_take(&request, &take).await.expect("a folder");
    let bytes = vec![Bytes::from_static(b"nobody's")];
    blobs.put(&key, bytes).await.expect("an object");
    let (_, report) = check(&server, &[]).await;
    assert_eq!(report["orphans"], 0, "its row may be on its way");

    let file = object(&server, request.as_str(), 8);
    let file = fs::File::options().write(true).open(file);
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    file.expect("an object")
        .set_modified(an_hour_ago)
        .expect("older");
    let (code, report) = check(&server, &[]).await;
    assert_eq!(code, Some(0));
    assert_eq!(
        (&report["orphans"], &report["orphan_bytes"]),
        (&1.into(), &8.into())
    );
}

async fn beside_a_busy_server_nothing_is_found(server: Server) {
    let done = AtomicBool::new(false);
    let checking = async {
        for _ in 0..3 {
            let (code, report) = check(&server, &["--deep"]).await;
            assert_eq!(code, Some(0), "{report}");
        }
        done.store(true, Ordering::Release);
    };
    let busy = async || {
        let mut deleted = 0;
        while !done.load(Ordering::Acquire) {
            let creator = server.create().await;
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
