//! Signed receipts of videos, below `/videos`, and the command that verifies them.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use futures_util::future::join_all;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::config::Config;
use server::open;
use server::receipts::{Receipt, verify};
use test_support::on_postgres_s3;

use crate::support::binary::{SubcommandOutput, vidence};
use crate::support::{
    Creator, LIVE_WEBM, Server, hex_sha256, last_segment, on_each_storage, sibling_path,
};

on_each_storage! {
    a_receipt_says_what_was_received_and_when
    the_key_of_receipts_outlives_a_restart
    vidence_verify_accepts_only_received_and_served_bytes
}

on_postgres_s3! {
    all_nodes_sign_with_one_key
    nodes_that_start_first_at_the_same_time_make_one_key
}

/// A key that `openssl genpkey -algorithm ed25519` made, for tests alone.
const PEM: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
";

async fn receipt(creator: &Creator<'_>, video: &str) -> String {
    let path = sibling_path(video, "/receipt");
    let answer = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/jose");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    answer.text().await.expect("a text")
}

async fn public_keys(server: &Server) -> Value {
    let answer = server.get("/.well-known/jwks.json").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/jwk-set+json");
    assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    answer.json().await.expect("keys")
}

fn verified(receipt: &str, keys: &Value) -> Receipt {
    let keys = serde_json::from_value(keys.clone()).expect("a set of keys");
    verify(receipt, &keys).expect("a signature")
}

async fn a_receipt_says_what_was_received_and_when(server: Server) {
    let creator = server.create_request().await;
    server.advance_clock(1_000);
    let path = creator.submit_video(LIVE_WEBM).await;
    server.advance_clock(1_000);
    let signed = receipt(&creator, &path).await;
    let receipt = verified(&signed, &public_keys(&server).await);
    let served = creator.send_authorized(Method::GET, &path).await;
    let served = served.bytes().await.expect("bytes");
    let metadata = creator.metadata(&path).await;
    let properties = metadata.properties.expect("it was sealed");

    assert_eq!(receipt.iss, server.base);
    assert_eq!(receipt.iat, server.app.clock.now() / 1000);
    assert_eq!(receipt.request_id, creator.id());
    assert_eq!(receipt.video_id, last_segment(&path));
    assert_eq!(receipt.prompt_sha256, hex_sha256(b"Show the dent."));
    assert_eq!(receipt.media_type, "video/webm");
    assert_eq!(receipt.received.sha256, hex_sha256(LIVE_WEBM));
    assert_eq!(receipt.received.bytes, LIVE_WEBM.len() as u64);
    assert_eq!(receipt.served.sha256, hex_sha256(&served));
    assert_eq!(receipt.served.bytes, served.len() as u64);
    assert_eq!(receipt.duration_ms, properties.duration_ms);
    assert_eq!(receipt.captured_as, metadata.captured_as);
    assert!(receipt.arrival.is_some() && receipt.submitted_at.is_some());
    assert_eq!(receipt.arrival, metadata.arrival);
    assert_eq!(
        Some(receipt.request_created_at),
        metadata.request_created_at
    );
    assert_eq!(receipt.sealed_at, metadata.sealed_at);
    assert_eq!(receipt.submitted_at, metadata.submitted_at);
}

async fn the_key_of_receipts_outlives_a_restart(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let signed = receipt(&creator, &path).await;
    let shared = server.has_shared_stores();
    let server = server.restart().await;
    verified(&signed, &public_keys(&server).await);
    let file = server.config().store.data_dir.join("receipt-key.pem");
    assert_eq!(
        file.exists(),
        !shared,
        "nodes that share a database share its key"
    );
    if !shared {
        let mode = fs::metadata(file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

async fn all_nodes_sign_with_one_key() {
    let server = Server::postgres_s3().await;
    let (first, second) = tokio::join!(server.another_node(), server.another_node());
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let keys = public_keys(&server).await;
    for node in [&first, &second] {
        assert_eq!(public_keys(node).await, keys);
        let creator = node.creator(&creator.created);
        verified(&receipt(&creator, &path).await, &keys);
    }
}

/// The table is empty, and each brings a seed of its own.
async fn nodes_that_start_first_at_the_same_time_make_one_key() {
    const NODES: u8 = 16;
    let server = Server::postgres_s3().await;
    for _ in 0..4 {
        server.execute_sql("DELETE FROM receipt_keys").await;
        let nodes = (0..NODES).map(|node| {
            let db = server.app.db.clone();
            tokio::spawn(async move { db.shared_receipt_seed(vec![node; 32]).await })
        });
        let seeds = join_all(nodes.collect::<Vec<_>>()).await.into_iter();
        let seeds = seeds.map(|seed| seed.expect("no panic").expect("a row").expect("a seed"));
        let seeds: HashSet<Vec<u8>> = seeds.collect();
        assert_eq!(seeds.len(), 1, "{seeds:?}");
        let stored = server.app.db.shared_receipt_seed(vec![NODES; 32]).await;
        let stored = stored.expect("a row").expect("a seed");
        assert!(seeds.contains(&stored) && stored[0] < NODES);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_the_settings_name_is_used_and_a_bad_one_refused() {
    let mut server = Server::sqlite().await;
    server.shutdown().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key.pem");
    let (clock, url) = (server.app.clock.clone(), server.app.public_url.clone());
    let config = Config {
        receipt_key: Some(file.clone()),
        ..server.config().clone()
    };
    drop(server.app);
    let opened = async || open(&config, clock.clone(), url.clone()).await;
    for (text, why) in [(None, "No such file"), (Some("no key"), "openssl genpkey")] {
        if let Some(text) = text {
            fs::write(&file, text).expect("a file");
        }
        let Err(error) = opened().await else {
            panic!("it started with {text:?}");
        };
        let error = format!("{:#}", anyhow::Error::from(error));
        assert!(error.contains("key.pem") && error.contains(why), "{error}");
    }
    fs::write(&file, PEM).expect("a file");
    let (app, _data_dir) = opened().await.expect("a key");
    let keys = app.receipt_key.as_ref().expect("a key").public_keys();
    let keys = serde_json::to_value(keys).expect("JSON");
    // RFC 8037, appendix A.3.
    assert_eq!(
        keys["keys"][0]["kid"],
        "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    );
}

async fn vidence_verify_accepts_only_received_and_served_bytes(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let served = creator.send_authorized(Method::GET, &path).await;
    let served = served.bytes().await.expect("bytes");
    let signed = receipt(&creator, &path).await;
    let keys = public_keys(&server).await;

    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let video = file("video.webm", &served);
    let received = file("received.webm", LIVE_WEBM);
    let jws = file("receipt.jws", format!("{signed}\n").as_bytes());
    let jwks = file("jwks.json", keys.to_string().as_bytes());
    let mut other = keys.clone();
    other["keys"][0]["kid"] = json!("other");
    let other = file("other.json", other.to_string().as_bytes());
    let mut bytes = served.to_vec();
    bytes[served.len() / 2] ^= 1;
    let changed = file("changed.webm", &bytes);
    // As long as a film, and without taking its room.
    let film = file("film.webm", b"");
    let longest = fs::OpenOptions::new().write(true).open(&film);
    let set = longest.expect("a file").set_len(1 << 40);
    set.expect("a sparse file");
    let (first, rest) = signed.split_at(signed.len() / 2);
    let letter = if rest.starts_with('A') { "B" } else { "A" };
    let forged = file(
        "forged.jws",
        format!("{first}{letter}{}", &rest[1..]).as_bytes(),
    );

    for (video, bytes, what) in [
        (&video, served.len(), "serves"),
        (&received, LIVE_WEBM.len(), "received"),
    ] {
        let output = verify_command(video, &jws, Some(&jwks)).await.success();
        for text in [
            what,
            &format!("{bytes} bytes"),
            creator.id(),
            &server.base,
            "from a sender that doesn’t call itself the page",
            "It doesn't prove who filmed",
        ] {
            assert!(output.contains(text), "{text}: {output}");
        }
        assert!(!output.contains("authentic"), "{output}");
    }
    for (video, receipt, keys, why) in [
        (&changed, &jws, Some(&jwks), "another video"),
        (&video, &forged, Some(&jwks), "signature is wrong"),
        (&video, &jws, Some(&other), "none of the given keys"),
        (&video, &video, Some(&jwks), "no receipt"),
        (&jws, &film, Some(&jwks), "the video comes first"),
        (&video, &jws, Some(&jws), "no JSON Web Key Set"),
        (&folder.path().join("none"), &jws, Some(&jwks), "can't read"),
        (&video, &jws, None, "--jwks"),
    ] {
        let output = verify_command(video, receipt, keys.map(|it| it.as_path())).await;
        assert_eq!(output.stdout, "");
        let error = output.failure(1);
        assert!(error.contains(why), "{why}: {error}");
    }
}

async fn verify_command(video: &Path, receipt: &Path, jwks: Option<&Path>) -> SubcommandOutput {
    let text = |path: &Path| path.display().to_string();
    let (video, receipt, jwks) = (text(video), text(receipt), jwks.map(text));
    let mut arguments = vec!["verify", &video, &receipt];
    arguments.extend(jwks.iter().flat_map(|jwks| ["--jwks", jwks]));
    vidence(&arguments, &[]).await
}
