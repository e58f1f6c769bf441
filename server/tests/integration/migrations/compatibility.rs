//! Migrations are compatible with the release before, which keeps working on the migrated database:
//! `migrations/README.md`.

use std::fs;
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use diesel_async::SimpleAsyncConnection;
use reqwest::Method;

use crate::migrations::schema;
use crate::support::binary::{data_dir, vidence};
use crate::support::{CLIP, Server, on_each_storage};
use test_support::on_postgres_s3;
use test_support::stores::database::fresh_database;

on_postgres_s3! {
    postgres_migrations_are_compatible_with_the_previous_release
    pending_migrations_are_listed_and_run_once
}

on_each_storage! {
    a_newer_database_is_served_unless_a_migration_is_incompatible
}

/// It dropped a column before the first release.
const EXEMPT: &str = "00000000000002";

/// Name and statements of each migration, in order.
pub fn migrations(backend: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    let mut found: Vec<_> = fs::read_dir(folder.join(backend))
        .expect("a folder")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let up = fs::read_to_string(path.join("up.sql"));
            (name.into_owned(), up.expect("statements"))
        })
        .collect();
    found.sort();
    found
}

fn assert_compatible(name: &str, broken: &[String]) {
    let (version, _) = name.split_once('_').expect("a version and a name");
    if version == EXEMPT {
        assert!(!broken.is_empty(), "its incompatibility is detected");
    } else if !version.ends_with('c') {
        assert!(broken.is_empty(), "{name}: {broken:?}");
    }
}

#[test]
fn sqlite_migrations_are_compatible_with_the_previous_release() {
    let mut conn = schema::sqlite();
    for (name, up) in migrations("sqlite") {
        let before = schema::of_sqlite(&mut conn);
        conn.batch_execute(&up).expect("a migration");
        assert_compatible(
            &name,
            &before.incompatibilities(&schema::of_sqlite(&mut conn)),
        );
    }
}

async fn postgres_migrations_are_compatible_with_the_previous_release() {
    let mut conn = schema::postgres(&fresh_database().await).await;
    for (name, up) in migrations("postgres") {
        let before = schema::of_postgres(&mut conn).await;
        conn.batch_execute(&up).await.expect("a migration");
        let after = schema::of_postgres(&mut conn).await;
        assert_compatible(&name, &before.incompatibilities(&after));
    }
}

#[test]
fn both_databases_have_the_same_migrations() {
    let names = |backend| migrations(backend).into_iter().map(|it| it.0);
    assert!(names("sqlite").eq(names("postgres")));
}

async fn a_newer_database_is_served_unless_a_migration_is_incompatible(server: Server) {
    server
        .execute_sql(
            "CREATE TABLE future (id TEXT NOT NULL PRIMARY KEY); \
         ALTER TABLE requests ADD COLUMN future INTEGER NOT NULL DEFAULT 7; \
         ALTER TABLE takes ADD COLUMN future TEXT; \
         INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999998')",
        )
        .await;
    let server = server.restart().await;
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    let answer = creator.send_authorized(Method::GET, &path).await;
    assert!(answer.bytes().await.expect("bytes").ends_with(CLIP));
    let output = vidence(&["migrate"], &server.environment()).await.success();
    assert!(output.contains("up to date at 99999999999998"), "{output}");
    vidence(&["check"], &server.environment()).await.success();

    server
        .execute_sql("INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999999c')")
        .await;
    let unknown = "0000000000000000000000";
    for (arguments, code) in [
        (vec!["migrate"], 1),
        (vec!["check"], 2),
        (vec!["reports"], 1),
        (vec!["takedown", unknown], 1),
    ] {
        let output = vidence(&arguments, &server.environment()).await;
        let refusal = output.failure(code);
        assert!(refusal.contains("run the newer one"), "{refusal}");
        assert!(refusal.contains("99999999999999c"), "{refusal}");
    }
}

async fn pending_migrations_are_listed_and_run_once() {
    let temp_dir = tempfile::tempdir().expect("a folder");
    let data = temp_dir.path().join("data");
    let elsewhere = [("VIDENCE_DATABASE_URL", fresh_database().await)];
    for stores in [data_dir(&data), elsewhere] {
        let on_postgres = stores[0].0 == "VIDENCE_DATABASE_URL";
        let names: Vec<String> = migrations("sqlite").into_iter().map(|it| it.0).collect();
        let listed = vidence(&["migrate", "--pending"], &stores).await.success();
        assert_eq!(listed.matches("pending: ").count(), names.len(), "{listed}");
        assert_eq!(listed.contains("vidence.db yet"), !on_postgres, "{listed}");
        assert!(!data.join("vidence.db").exists() || on_postgres);
        // Read-only commands don't migrate.
        let reports = vidence(&["reports"], &stores).await;
        reports.failure(1);
        let listed = vidence(&["migrate", "--pending"], &stores).await;
        let listed = listed.success();
        assert_eq!(listed.matches("pending: ").count(), names.len(), "{listed}");
        // Concurrently on PostgreSQL, as nodes would: they take turns.
        let arguments = ["migrate"];
        if on_postgres {
            let (first, second) =
                tokio::join!(vidence(&arguments, &stores), vidence(&arguments, &stores));
            let output = [first.success(), second.success()].concat();
            assert_eq!(output.matches("done: ").count(), names.len(), "{output}");
        } else {
            let output = vidence(&arguments, &stores).await.success();
            assert!(output.starts_with("from nothing to "), "{output}");
            for name in &names {
                assert!(output.contains(&format!("done: {name}")), "{output}");
            }
        }
        let output = vidence(&arguments, &stores).await.success();
        let newest = names.last().expect("a migration");
        assert_eq!(output, format!("up to date at {newest}\n"));
    }
}

#[tokio::test]
async fn a_failed_migration_is_named_and_rolled_back() {
    let temp_dir = tempfile::tempdir().expect("a folder");
    let data = temp_dir.path().join("data");
    fs::create_dir(&data).expect("a folder");
    fs::write(data.join("lock"), "").expect("a file");
    let file = data.join("vidence.db").display().to_string();
    let mut conn = SqliteConnection::establish(&file).expect("a database");
    conn.batch_execute("CREATE TABLE chunks (theirs TEXT)")
        .expect("a table in the way");
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let refusal = vidence(&arguments, &data_dir(&data)).await.failure(1);
    assert!(
        refusal.contains("00000000000001_requests_takes_chunks"),
        "{refusal}"
    );
    assert!(refusal.contains("was rolled back"), "{refusal}");
    conn.batch_execute("CREATE TABLE requests (ours TEXT)")
        .expect("the failed migration is rolled back");
}
