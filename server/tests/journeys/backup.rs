//! What was there when a backup was taken is there after a restore, and nothing of it is half there.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use app::api::CreatedRequest;
use bytes::Bytes;
use reqwest::{Method, StatusCode};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use server::blobs::{Blobs, ObjectKey};
use server::clock::Clock;
use server::id::{RequestId, TakeId};
use server::service::expiry::sweep;
use tempfile::TempDir;
use tokio::process::Command;

use crate::backends::{files, on_a_cluster};
use crate::commands::{data_dir, vidence};
use crate::support::{CLIP, Creator, HOUR, LIVE_WEBM, Server, clip, wait_until};

on_a_cluster! {
    a_backup_that_is_not_whole_is_not_restored_at_all
    what_a_cluster_stands_on_has_backups_of_its_own
}

async fn back_up(server: &Server, dir: &Path) -> String {
    let dir = dir.to_str().expect("a plain path");
    let ran = vidence(&["backup", dir], &server.environment()).await;
    ran.succeeded()
}

/// Puts a backup back into a fresh folder, and starts a server on it.
async fn restored(dir: &Path, clock: Clock) -> Server {
    let fresh = tempfile::tempdir().expect("a folder");
    let stores = data_dir(&fresh.path().join("data"));
    let dir = dir.to_str().expect("a plain path");
    let said = vidence(&["restore", dir], &stores).await.succeeded();
    for word in ["deleted or taken down", "vidence check --deep"] {
        assert!(said.contains(word), "{said}");
    }
    Server::on_the_data_in(fresh, clock).await
}

fn again<'s>(server: &'s Server, created: &CreatedRequest) -> Creator<'s> {
    Creator {
        server,
        created: created.clone(),
    }
}

async fn checked(server: &Server) -> Value {
    let words = ["check", "--deep", "--json"];
    let said = vidence(&words, &server.environment()).await.succeeded();
    serde_json::from_str(&said).expect("JSON")
}

async fn offset(server: &Server, take: &str) -> usize {
    let asked = server.request(Method::HEAD, take).send().await;
    let answer = asked.expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let offset = answer.headers()["upload-offset"].to_str().expect("text");
    offset.parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_while_everything_moves_restores_what_was_there() {
    let server = Server::on_a_laptop().await;
    let dir = tempfile::tempdir().expect("a folder");
    let backup = dir.path().join("backup");

    let films = [clip(300_000), clip(1_200_001), LIVE_WEBM.to_vec()];
    let mut submitted = Vec::new();
    for film in &films {
        let creator = server.create().await;
        let path = creator.submit_video(film).await;
        let watched = creator.ask(Method::GET, &path).await.bytes().await;
        submitted.push((creator, path, watched.expect("bytes")));
    }
    let deleted = server.create().await;
    deleted.submit_video(CLIP).await;
    assert_eq!(deleted.delete().await, StatusCode::NO_CONTENT);

    let growing = server.create().await;
    let film = clip(2_000_000);
    let take = growing.begin().await;
    growing
        .append(&take, 0, film[..100_000].to_vec(), false)
        .await;
    let waiting = server.create().await;
    let empty = waiting.begin().await;

    let done = AtomicBool::new(false);
    let backing_up = async {
        back_up(&server, &backup).await;
        done.store(true, Ordering::Release);
    };
    let going = || !done.load(Ordering::Acquire);
    let uploading = async {
        let mut at = 100_000;
        while going() && at < 1_900_000 {
            let piece = film[at..at + 10_000].to_vec();
            growing.append(&take, at as u64, piece, false).await;
            at += 10_000;
        }
        at
    };
    // Each is deleted a little later, so that some are whole when the rows are copied.
    let coming_and_going = async {
        let mut living = std::collections::VecDeque::new();
        let mut seen = Vec::new();
        while going() {
            let creator = server.create().await;
            let path = creator.submit_video(CLIP).await;
            seen.push((creator.created.clone(), path));
            living.push_back(creator);
            if living.len() > 5 {
                let oldest = living.pop_front().expect("six");
                assert_eq!(oldest.delete().await, StatusCode::NO_CONTENT);
            }
        }
        seen
    };
    let (at, (), came_and_went) = tokio::join!(uploading, backing_up, coming_and_going);
    assert!(!came_and_went.is_empty());

    let clock = server.app.clock.clone();
    let other = restored(&backup, clock).await;
    for (creator, path, bytes) in &submitted {
        let answer = again(&other, &creator.created).ask(Method::GET, path).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert!(answer.bytes().await.expect("bytes") == *bytes);
    }
    let status = format!("/v1/requests/{}", deleted.id());
    let answer = again(&other, &deleted.created)
        .ask(Method::GET, &status)
        .await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);

    // Where it stood at some moment of the backup.
    let from = offset(&other, &take).await;
    assert!((100_000..=at).contains(&from), "{from} of {at}");
    let growing = again(&other, &growing.created);
    let rest = film[from..].to_vec();
    let appended = growing.append(&take, from as u64, rest, true).await;
    assert_eq!(appended.status(), StatusCode::NO_CONTENT);
    assert!(growing.submit_and_watch(&take).await.ends_with(&film));
    assert_eq!(offset(&other, &empty).await, 0);
    let waiting = again(&other, &waiting.created);
    let appended = waiting.append(&empty, 0, CLIP, true).await;
    assert_eq!(appended.status(), StatusCode::NO_CONTENT);
    assert!(waiting.submit_and_watch(&empty).await.ends_with(CLIP));

    // What moved is as it was at one moment: not known, deleted, without its video, or whole.
    for (created, path) in &came_and_went {
        let creator = again(&other, created);
        let answer = creator.ask(Method::GET, path).await;
        match answer.status() {
            StatusCode::OK => assert!(answer.bytes().await.expect("bytes").ends_with(CLIP)),
            StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED => {}
            status => panic!("{status}"),
        }
    }
    let report = checked(&other).await;
    assert_eq!(report["orphans"], 0);
    assert_eq!(report["objects"], other.objects().len());
    assert!(report["videos_read"].as_u64() >= Some(submitted.len() as u64));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_private_and_holds_no_more_than_it_says() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    creator.submit_video(CLIP).await;
    let dir = tempfile::tempdir().expect("a folder");
    let backup = dir.path().join("a/backup");
    let said = back_up(&server, &backup).await;
    assert!(said.contains("delete it after 48 hours"), "{said}");
    for secret in [creator.id(), &creator.created.access_token] {
        assert!(!said.contains(secret));
    }
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(&backup).expect("a folder").permissions(),
    );
    assert_eq!(mode & 0o777, 0o700);
    let manifest = fs::read(backup.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    assert_eq!(manifest["requests"], 1);
    assert_eq!(manifest["objects"], files(&backup.join("blobs")).len());
    // Copies: what is deleted on one disk must not live on by another name.
    for file in files(&backup) {
        let links = std::os::unix::fs::MetadataExt::nlink(&fs::metadata(&file).expect("a file"));
        assert_eq!(links, 1, "{}", file.display());
    }
    let mut names: Vec<_> = fs::read_dir(&backup)
        .expect("a folder")
        .map(|it| it.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["blobs", "lock", "manifest.json", "vidence.db"]);

    let words = ["backup", backup.to_str().expect("plain")];
    let refusal = vidence(&words, &server.environment()).await.refused(1);
    assert!(refusal.contains("isn't empty"), "{refusal}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_serves_nothing_that_has_expired_meanwhile() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let path = creator.submit_video(CLIP).await;
    let dir = tempfile::tempdir().expect("a folder");
    let backup = dir.path().join("backup");
    back_up(&server, &backup).await;

    server.later(HOUR);
    let other = restored(&backup, server.app.clock.clone()).await;
    let creator = again(&other, &creator.created);
    assert_eq!(creator.status().await["status"], "expired");
    let answer = creator.ask(Method::GET, &path).await;
    assert_eq!(answer.status(), StatusCode::GONE);
    sweep(&other.app).await.expect("a sweep");
    other.objects_become(0).await;
}

/// Does something to a copy of a backup.
type Spoil<'a> = &'a dyn Fn(&Path);

async fn a_backup_that_is_not_whole_is_not_restored_at_all() {
    let server = Server::on_a_laptop().await;
    server.create().await.submit_video(CLIP).await;
    let dir = tempfile::tempdir().expect("a folder");
    let whole = dir.path().join("whole");
    back_up(&server, &whole).await;

    let object = files(&whole.join("blobs")).remove(0);
    let object = object.strip_prefix(&whole).expect("below").to_owned();
    let spoil: [(&str, Spoil<'_>); 6] = [
        ("an object is missing", &|copy| {
            fs::remove_file(copy.join(&object)).expect("an object");
        }),
        ("an object is missing", &|copy| {
            let file = fs::File::options().write(true).open(copy.join(&object));
            file.expect("an object").set_len(3).expect("shorter");
        }),
        ("manifest.json is missing", &|copy| {
            fs::remove_file(copy.join("manifest.json")).expect("a manifest");
        }),
        ("vidence.db isn't what was written", &|copy| {
            let mut rows = fs::read(copy.join("vidence.db")).expect("rows");
            *rows.last_mut().expect("a byte") ^= 1;
            fs::write(copy.join("vidence.db"), rows).expect("other rows");
        }),
        ("manifest.json can't be read", &|copy| {
            fs::write(copy.join("manifest.json"), "{").expect("a manifest");
        }),
        ("a newer vidence took it", &|copy| {
            let newer = r#"{"format": 2, "vidence": ["2.0"]}"#;
            fs::write(copy.join("manifest.json"), newer).expect("a manifest");
        }),
    ];
    for (count, (why, spoil)) in spoil.into_iter().enumerate() {
        let copy = copy_of(&whole, &dir, count);
        spoil(&copy);
        let data = dir.path().join(format!("data-{count}"));
        let words = ["restore", copy.to_str().expect("plain")];
        let refusal = vidence(&words, &data_dir(&data)).await.refused(1);
        assert!(refusal.contains(why), "{refusal}");
        assert!(!data.exists(), "{why}");
    }

    let data = dir.path().join("used");
    fs::create_dir(&data).expect("a folder");
    fs::write(data.join("theirs"), "x").expect("a file");
    let words = ["restore", whole.to_str().expect("plain")];
    let refusal = vidence(&words, &data_dir(&data)).await.refused(1);
    assert!(refusal.contains("isn't empty"), "{refusal}");
    assert_eq!(files(&data), [data.join("theirs")]);
}

fn copy_of(backup: &Path, dir: &TempDir, count: usize) -> std::path::PathBuf {
    let copy = dir.path().join(format!("copy-{count}"));
    let mut found = files(backup);
    found.push(backup.join("blobs/lock"));
    for file in found {
        let to = copy.join(file.strip_prefix(backup).expect("below"));
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(file, to).expect("a copy");
    }
    copy
}

async fn what_a_cluster_stands_on_has_backups_of_its_own() {
    let server = Server::in_a_cluster().await;
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path().join("backup");
    for command in ["backup", "restore"] {
        let words = [command, dir.to_str().expect("plain")];
        let refusal = vidence(&words, &server.environment()).await.refused(1);
        assert!(refusal.contains("pg_dump"), "{refusal}");
    }
    assert!(!dir.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_leaves_alone_what_another_server_has() {
    let server = Server::on_a_laptop().await;
    server.create().await.submit_video(CLIP).await;
    let dir = tempfile::tempdir().expect("a folder");
    let backup = dir.path().join("backup");
    back_up(&server, &backup).await;

    // Idle: there is nothing but a lock in its folder, and it writes once the restore has begun.
    let theirs = dir.path().join("theirs");
    let other = Blobs::open_local(&theirs).expect("an empty folder");
    let data = dir.path().join("data");
    let place = format!("file://{}", theirs.display());
    let mut variables = data_dir(&data).to_vec();
    variables.push(("VIDENCE_BLOB_URL", place));
    let words = ["restore", backup.to_str().expect("plain")];
    let restoring = async {
        let refusal = vidence(&words, &variables).await.refused(1);
        // By which of both depends on when it was written to.
        let reasons = ["in use", "isn't empty"];
        assert!(reasons.iter().any(|it| refusal.contains(it)), "{refusal}");
    };
    let (request, take) = (RequestId::random(), TakeId::random());
    let key = ObjectKey::random(&request, &take);
    let writing = async {
        wait_until(async || data.join("lock").exists()).await;
        other.prepare_take(&request, &take).await.expect("a folder");
        let bytes = vec![Bytes::from_static(b"theirs")];
        other.put(&key, bytes).await.expect("an object");
    };
    tokio::join!(restoring, writing);
    let length = other.length(&key).await.expect("an answer");
    assert_eq!(length, Some(6));
    assert!(!data.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_interrupted_is_whole_or_not_there() {
    let server = Server::on_a_laptop().await;
    for _ in 0..10 {
        server.create().await.submit_video(&clip(4_000_000)).await;
    }
    let dir = tempfile::tempdir().expect("a folder");
    for (at, signal) in [Signal::INT, Signal::TERM].into_iter().enumerate() {
        let backup = dir.path().join(at.to_string());
        let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
        command.arg("backup").arg(&backup).arg("--data-dir");
        let mut child = command
            .arg(&server.config().store.data_dir)
            .spawn()
            .expect("the binary");
        let objects = backup.join("blobs");
        wait_until(async || objects.exists() && !files(&objects).is_empty()).await;
        let id = Pid::from_raw(child.id().expect("runs").cast_signed());
        kill_process(id.expect("an id"), signal).expect("a signal");
        let ended = child.wait().await.expect("an end");
        // It may have been done before it heard.
        let whole = backup.join("manifest.json").exists();
        assert_eq!(ended.code(), Some(i32::from(!whole)), "{ended:?}");
        assert_eq!(backup.exists(), whole);
    }
}
