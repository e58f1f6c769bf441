//! Rows written by each earlier version are migrated and served: `migrations/README.md`.
//!
//! `server/tests/dumps` has a folder for each migration, with rows that a program of that version wrote. All of them
//! hold the same data; `expectations.json` has what a client knows of it: ids, tokens, and the bytes of the objects.

use std::fs;
use std::path::{Path, PathBuf};

use app::video_metadata::{CapturedAs, VideoMetadata};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use diesel_async::SimpleAsyncConnection;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::blobs::ObjectKey;
use server::clock::Clock;
use server::config::QuotaArgs;
use server::receipts::verify;

use crate::migrations::compatibility::migrations;
use crate::migrations::schema;
use crate::support::binary::{open_reports, vidence};
use crate::support::{
    Backend, CLIP, Creator, Server, assert_refused, hex_sha256, unlimited_quotas, wait_until,
};
use test_support::on_postgres_s3;
use test_support::stores::database::fresh_database;

on_postgres_s3! {
    data_of_each_earlier_version_is_served_from_postgres
}

/// Diesel's own table of applied migrations.
const VERSIONS: &str = "CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY NOT NULL, \
                        run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);";

/// The id of the folder with the objects, which the rows name.
const FOLDER_ID: &str = "Mf2pWbq0RzYw4hD8sKc1Ju";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dumps")
}

/// For each version its number, and the statements that create its tables and rows.
fn dumps(backend: &str) -> Vec<(usize, String)> {
    let (mut tables, mut dumps) = (VERSIONS.to_owned(), Vec::new());
    for (name, up) in migrations(backend) {
        let file = folder().join(&name).join(format!("{backend}.sql"));
        let rows = fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{} is missing: {error}", file.display()));
        assert!(
            rows.contains(&hex_sha256(&up)),
            "{name} is another one than it was"
        );
        let (version, _) = name.split_once('_').expect("a version and a name");
        tables += &format!(
            "{up}\nINSERT INTO __diesel_schema_migrations (version) VALUES ('{version}');"
        );
        for table in tables.split("CREATE TABLE ").skip(2) {
            let (table, _) = table.split_once(' ').expect("a name");
            let insert = format!("INSERT INTO {table} (");
            assert!(rows.contains(&insert), "{name}: no row of {table}");
        }
        let number = version.trim_end_matches('c').parse().expect("a number");
        dumps.push((number, format!("{tables}\n{rows}")));
    }
    dumps
}

#[tokio::test(flavor = "multi_thread")]
async fn data_of_each_earlier_version_is_served_from_sqlite() {
    for (version, dump) in dumps("sqlite") {
        let dir = tempfile::tempdir().expect("a folder");
        let data = dir.path().join("data");
        fs::create_dir(&data).expect("a folder");
        fs::write(data.join("lock"), "").expect("a file");
        let blobs = data.join("blobs");
        fs::create_dir(&blobs).expect("a folder");
        fs::write(blobs.join("lock"), "").expect("a file");
        fs::write(blobs.join("id"), FOLDER_ID).expect("a file");
        let file = data.join("vidence.db").display().to_string();
        let mut conn = SqliteConnection::establish(&file).expect("a database");
        conn.batch_execute(&dump).expect("a dump");
        drop(conn);
        assert_served(version, Backend::below(dir)).await;
    }
}

async fn data_of_each_earlier_version_is_served_from_postgres() {
    for (version, dump) in dumps("postgres") {
        let url = fresh_database().await;
        let mut conn = schema::postgres(&url).await;
        conn.batch_execute(&dump).await.expect("a dump");
        let backend = Backend::on_database(url).await;
        backend.bucket().expect("a bucket").store("id", FOLDER_ID);
        assert_served(version, backend).await;
    }
}

/// Checks every row through the interface.
/// Columns that a version lacks have the values that the migrations give them.
async fn assert_served(version: usize, backend: Backend) {
    // Shown when the test fails.
    println!("rows of migration {version}");
    let expectations = Expectations::load();
    let server =
        Server::on_existing_stores(backend, expectations.objects(), expectations.clock()).await;
    expectations
        .assert_ended_requests_known(version, &server)
        .await;
    expectations.assert_usable(&server).await;
    expectations.assert_operator_state(version, &server).await;
    let checked = vidence(&["check", "--deep"], &server.environment()).await;
    checked.success();
    // One creation is still charged to the rate limiter.
    let quotas = QuotaArgs {
        create_limit: "1/hour:1".parse().expect("an allowance"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let created = server.post("/v1/requests", &body).await;
    match version {
        ..4 => assert_eq!(created.status(), StatusCode::CREATED),
        _ => assert_refused(created, 429, "rate_limited").await,
    }
}

/// The client's knowledge of the dumped data.
struct Expectations(Value);

impl Expectations {
    fn load() -> Self {
        let expectations = fs::read_to_string(folder().join("expectations.json")).expect("a file");
        Self(serde_json::from_str(&expectations).expect("JSON"))
    }

    /// A property of one of its requests.
    fn of(&self, name: &str, what: &str) -> &str {
        let known = self.0["requests"][name][what].as_str();
        known.expect("what is known")
    }

    fn creator<'s>(&self, server: &'s Server, name: &str) -> Creator<'s> {
        server.creator_of(self.of(name, "id"), self.of(name, "access_token"))
    }

    fn objects(&self) -> Vec<(ObjectKey, Bytes)> {
        let objects = self.0["objects"].as_object().expect("objects").iter();
        let objects = objects.map(|(key, bytes)| {
            let bytes = decoded(bytes.as_str().expect("text"));
            (ObjectKey::from_manifest(key), bytes.into())
        });
        objects.collect()
    }

    /// A clock at the time of the dump.
    fn clock(&self) -> Clock {
        let clock = Clock::manual();
        let at = self.0["at"].as_i64().expect("a time");
        clock.advance(at - clock.now());
        clock
    }

    /// Checks requests that are submitted or over.
    async fn assert_ended_requests_known(&self, version: usize, server: &Server) {
        let expired = self.creator(server, "expired");
        assert_eq!(expired.status().await["status"], "expired");
        let video = format!("/v1/videos/{}", self.of("expired", "video"));
        assert_refused(
            expired.send_authorized(Method::GET, &video).await,
            410,
            "gone",
        )
        .await;
        let deleted = self.creator(server, "deleted");
        let video = format!("/v1/videos/{}", self.of("deleted", "video"));
        assert_refused(
            deleted.send_authorized(Method::GET, &video).await,
            404,
            "not_found",
        )
        .await;
        let taken_down = self.creator(server, "taken_down").link_path("/state");
        let taken_down = server.get(&taken_down).await;
        match version {
            ..6 => assert_refused(taken_down, 404, "not_found").await,
            _ => assert_refused(taken_down, 410, "taken_down").await,
        }

        let submitted = self.creator(server, "submitted");
        assert_eq!(submitted.status().await["status"], "submitted");
        let get = async |path: &str| {
            let answer = submitted.send_authorized(Method::GET, path).await;
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
            answer
        };
        let video = self.of("submitted", "video");
        let downloaded = get(&format!("/v1/videos/{video}")).await;
        assert!(downloaded.bytes().await.expect("bytes").ends_with(CLIP));
        let metadata = get(&format!("/videos/{video}/metadata")).await;
        let metadata: VideoMetadata = metadata.json().await.expect("metadata");
        assert_eq!(metadata.media_type, "video/mp4");
        // What was submitted before videos were sealed has no metadata.
        assert_eq!(metadata.properties.is_some(), version >= 3);
        if let Some(properties) = metadata.properties {
            assert_eq!(
                (properties.duration_ms, properties.width, properties.height),
                (1000, 16, 16)
            );
            let missing = (version >= 9).then_some(2500);
            assert_eq!(
                (properties.truncated, properties.missing_ms),
                (missing.is_some(), missing)
            );
            let is_coded = version >= 16;
            assert_eq!(properties.codec.as_deref(), is_coded.then_some("h264"));
            assert_eq!(properties.hdr, is_coded);
            let noted = version >= 10;
            assert_eq!(metadata.captured_as, noted.then_some(CapturedAs::Recorded));
            assert_eq!(metadata.submitted_at.is_some(), noted);
            let live = metadata.arrival.map(|it| it.while_recorded);
            assert_eq!(live, noted.then_some(false));
            let segments = metadata.transcript.segments.iter();
            let words: Vec<_> = segments.map(|it| &*it.text).collect();
            assert_eq!(words, ["Hello."][..usize::from(version >= 12)]);
            let receipt = get(&format!("/videos/{video}/receipt")).await;
            let keys = server.get("/.well-known/jwks.json").await.json().await;
            let keys = keys.expect("keys");
            let receipt = verify(&receipt.text().await.expect("a text"), &keys);
            let receipt = receipt.expect("a signature");
            assert_eq!(receipt.received.bytes, CLIP.len() as u64);
            let still = get(&format!("/videos/{video}/stills/0")).await;
            let still = still.bytes().await.expect("bytes");
            assert!(still == decoded(self.of("submitted", "still")));
        }
    }

    /// Continues requests that await a video.
    async fn assert_usable(&self, server: &Server) {
        let awaiting = self.creator(server, "awaiting");
        let page = server.get(&awaiting.link_path("")).await;
        assert_eq!(page.status(), StatusCode::OK);
        let page = page.text().await.expect("HTML");
        assert!(page.contains("Show the dent."), "{page}");
        awaiting.submit_video(CLIP).await;

        let (recording, take) = (
            self.creator(server, "recording"),
            self.of("recording", "take"),
        );
        let answer = recording.append(take, 500, &CLIP[500..], true).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        assert!(recording.submit_and_download(take).await.ends_with(CLIP));

        let (complete, take) = (
            self.creator(server, "complete"),
            self.of("complete", "take"),
        );
        assert!(complete.submit_and_download(take).await.ends_with(CLIP));
        let (refused, take) = (self.creator(server, "refused"), self.of("refused", "take"));
        wait_until(async || refused.page_state().await.takes[0].refused).await;
        assert_refused(refused.submit(take).await, 422, "unreadable").await;
    }

    /// Checks the open reports.
    async fn assert_operator_state(&self, version: usize, server: &Server) {
        let reported = open_reports(server).await;
        assert_eq!(reported.len(), usize::from(version >= 6));
        for report in reported {
            assert_eq!(report["report"], self.0["report"]);
            assert_eq!(report["request"], self.of("submitted", "id"));
            assert_eq!(report["text"], "Not my dent.");
            assert_eq!(report["prompt"], "Show the dent.");
        }
    }
}

fn decoded(bytes: &str) -> Vec<u8> {
    STANDARD.decode(bytes).expect("base64")
}
