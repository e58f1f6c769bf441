//! A release works on what the one before it left, and the one before it goes on working on what this one
//! makes of that: `migrations/README.md`.

use std::fs;
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use diesel_async::SimpleAsyncConnection;
use reqwest::Method;

use crate::commands::{data_dir, vidence};
use crate::schema;
use crate::support::{CLIP, Server, journeys};
use test_support::database::fresh_database;
use test_support::on_a_cluster;

on_a_cluster! {
    no_migration_of_postgres_takes_anything_from_the_release_before
    what_is_pending_is_listed_first_and_run_once
}

journeys! {
    a_database_with_more_than_is_known_is_served_until_something_is_taken_away
}

/// It took a column away, when there was no release yet.
const BEFORE_THE_RULE: &str = "00000000000002";

/// Name and statements of each migration, in their order.
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

fn assert_kept(name: &str, broken: &[String]) {
    let (version, _) = name.split_once('_').expect("a version and a name");
    if version == BEFORE_THE_RULE {
        assert!(!broken.is_empty(), "it would be noticed");
    } else if !version.ends_with('c') {
        assert!(broken.is_empty(), "{name}: {broken:?}");
    }
}

#[test]
fn no_migration_of_sqlite_takes_anything_from_the_release_before() {
    let mut conn = schema::sqlite();
    for (name, up) in migrations("sqlite") {
        let before = schema::of_sqlite(&mut conn);
        conn.batch_execute(&up).expect("a migration");
        assert_kept(&name, &before.broken_by(&schema::of_sqlite(&mut conn)));
    }
}

async fn no_migration_of_postgres_takes_anything_from_the_release_before() {
    let mut conn = schema::postgres(&fresh_database().await).await;
    for (name, up) in migrations("postgres") {
        let before = schema::of_postgres(&mut conn).await;
        conn.batch_execute(&up).await.expect("a migration");
        let after = schema::of_postgres(&mut conn).await;
        assert_kept(&name, &before.broken_by(&after));
    }
}

#[test]
fn both_databases_go_the_same_steps() {
    let names = |backend| migrations(backend).into_iter().map(|it| it.0);
    assert!(names("sqlite").eq(names("postgres")));
}

/// Runs statements on a server's database, from outside.
async fn execute(server: &Server, statements: &str) {
    let store = &server.config().store;
    match server.database_url() {
        Some(url) => {
            let mut conn = schema::postgres(url).await;
            conn.batch_execute(statements).await.expect(statements);
        }
        None => {
            let file = store.data_dir.join("vidence.db").display().to_string();
            let mut conn = SqliteConnection::establish(&file).expect("a database");
            conn.batch_execute("PRAGMA busy_timeout = 5000")
                .expect("patience");
            conn.batch_execute(statements).expect(statements);
        }
    }
}

async fn a_database_with_more_than_is_known_is_served_until_something_is_taken_away(
    server: Server,
) {
    execute(
        &server,
        "CREATE TABLE future (id TEXT NOT NULL PRIMARY KEY); \
         ALTER TABLE requests ADD COLUMN future INTEGER NOT NULL DEFAULT 7; \
         ALTER TABLE takes ADD COLUMN future TEXT; \
         INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999998')",
    )
    .await;
    let server = server.restart().await;
    let creator = server.create().await;
    let path = creator.submit_video(CLIP).await;
    let answer = creator.ask(Method::GET, &path).await;
    assert!(answer.bytes().await.expect("bytes").ends_with(CLIP));
    let said = vidence(&["migrate"], &server.environment())
        .await
        .succeeded();
    assert!(said.contains("up to date at 99999999999998"), "{said}");
    vidence(&["check"], &server.environment()).await.succeeded();

    execute(
        &server,
        "INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999999c')",
    )
    .await;
    let unknown = "0000000000000000000000";
    for (words, code) in [
        (vec!["migrate"], 1),
        (vec!["check"], 2),
        (vec!["reports"], 1),
        (vec!["takedown", unknown], 1),
    ] {
        let ran = vidence(&words, &server.environment()).await;
        let refusal = ran.refused(code);
        assert!(refusal.contains("run the newer one"), "{refusal}");
        assert!(refusal.contains("99999999999999c"), "{refusal}");
    }
}

async fn what_is_pending_is_listed_first_and_run_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let data = dir.path().join("data");
    let elsewhere = [("VIDENCE_DATABASE_URL", fresh_database().await)];
    for stores in [data_dir(&data), elsewhere] {
        let on_postgres = stores[0].0 == "VIDENCE_DATABASE_URL";
        let names: Vec<String> = migrations("sqlite").into_iter().map(|it| it.0).collect();
        let listed = vidence(&["migrate", "--pending"], &stores)
            .await
            .succeeded();
        assert_eq!(listed.matches("pending: ").count(), names.len(), "{listed}");
        assert!(!data.join("vidence.db").exists() || on_postgres);
        // Nor is that done by whoever only looks.
        let looked = vidence(&["reports"], &stores).await;
        looked.refused(1);
        let listed = vidence(&["migrate", "--pending"], &stores).await;
        let listed = listed.succeeded();
        assert_eq!(listed.matches("pending: ").count(), names.len(), "{listed}");
        // Together, as nodes might: on PostgreSQL they take turns.
        let words = ["migrate"];
        if on_postgres {
            let (one, other) = tokio::join!(vidence(&words, &stores), vidence(&words, &stores));
            let said = [one.succeeded(), other.succeeded()].concat();
            assert_eq!(said.matches("done: ").count(), names.len(), "{said}");
        } else {
            let said = vidence(&words, &stores).await.succeeded();
            assert!(said.starts_with("from nothing to "), "{said}");
            for name in &names {
                assert!(said.contains(&format!("done: {name}")), "{said}");
            }
        }
        let said = vidence(&words, &stores).await.succeeded();
        let newest = names.last().expect("a migration");
        assert_eq!(said, format!("up to date at {newest}\n"));
    }
}

#[tokio::test]
async fn a_migration_that_fails_is_named_and_leaves_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let data = dir.path().join("data");
    fs::create_dir(&data).expect("a folder");
    fs::write(data.join("lock"), "").expect("ours");
    let file = data.join("vidence.db").display().to_string();
    let mut conn = SqliteConnection::establish(&file).expect("a database");
    conn.batch_execute("CREATE TABLE chunks (theirs TEXT)")
        .expect("a table in the way");
    let words = ["serve", "--listen", "127.0.0.1:0"];
    let refusal = vidence(&words, &data_dir(&data)).await.refused(1);
    assert!(
        refusal.contains("00000000000001_requests_takes_chunks"),
        "{refusal}"
    );
    assert!(refusal.contains("nothing of it was kept"), "{refusal}");
    conn.batch_execute("CREATE TABLE requests (ours TEXT)")
        .expect("it is undone to its beginning");
}
