//! A pooler of database connections: it works, or no node starts.

use std::process::Stdio;

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, sql_query};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use server::clock::Clock;
use server::db::{Db, DbError};
use tokio::process::Command;
use tokio_postgres::NoTls;

use crate::support::{Backend, Server, clip, last_segment, wait_until};
use test_support::on_postgres_s3;
use test_support::servers::pgbouncer::PgBouncer;
use test_support::stores::database::fresh_database;

on_postgres_s3! {
    everything_works_behind_a_pooler_in_session_mode
    a_pooler_in_transaction_mode_works_if_it_keeps_statements_and_is_refused_otherwise
}

/// Requests that share the sessions of a pool.
const REQUESTS: usize = 12;

/// Fewer sessions than a node's connections, so that each connection gets many of them.
const TRANSACTIONS: &str = "pool_mode=transaction\ndefault_pool_size=5";

async fn everything_works_behind_a_pooler_in_session_mode() {
    let database = fresh_database().await;
    let pooler = PgBouncer::start(&database, "pool_mode=session\ndefault_pool_size=40");
    go_through_the_story(&pooler).await;
    assert_eq!(advisory_locks(&database).await, 0);
}

async fn a_pooler_in_transaction_mode_works_if_it_keeps_statements_and_is_refused_otherwise() {
    let database = fresh_database().await;
    let mut losing = TRANSACTIONS.to_owned();
    if PgBouncer::can_keep_statements() {
        let database = fresh_database().await;
        let keeping = format!("{TRANSACTIONS}\nmax_prepared_statements=200");
        let pooler = PgBouncer::start(&database, &keeping);
        go_through_the_story(&pooler).await;
        // A session that kept the lock of the migrations would block every later start.
        assert_eq!(advisory_locks(&database).await, 0);
        losing.push_str("\nmax_prepared_statements=0");
    } else {
        let in_ci = std::env::var_os("CI").is_some();
        assert!(!in_ci, "this PgBouncer is too old to keep statements");
    }
    for _ in 0..5 {
        for migrates in [true, false] {
            // Each has a pooler of its own: one that was left behind by its clients mixes up the answers of others.
            let pooler = PgBouncer::start(&database, &losing);
            let opened = tokio::select! {
                opened = open(&pooler, migrates) => opened,
                () = use_sessions(&pooler) => unreachable!("they don't end"),
            };
            assert!(
                matches!(opened, Err(DbError::StatementsLost(_))),
                "{opened:?}"
            );
        }
    }
    let pooler = PgBouncer::start(&database, &losing);
    let ended = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .args(["--listen", "127.0.0.1:0", "--database-url", &pooler.url()])
        .args(["--blob-url", "file:///nowhere/blobs"])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let ended = ended.await.expect("the binary");
    let printed = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{printed}");
    assert!(printed.contains("max_prepared_statements"), "{printed}");
    let tables = "SELECT count(*) AS number FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(count(&database, tables).await, 0);
    // The pooler closes sessions only after their clients have left.
    wait_until(async || advisory_locks(&database).await == 0).await;
}

async fn open(pooler: &PgBouncer, migrates: bool) -> Result<(), DbError> {
    let url = pooler.url().parse().expect("an address");
    match migrates {
        true => Db::open_postgres(&url, 4).await.map(drop),
        false => Db::open_postgres_unmigrated(&url, 4).await.map(drop),
    }
}

/// Others use sessions all the time, so that a node seldom gets the one that it had before.
async fn use_sessions(pooler: &PgBouncer) {
    let url = pooler.url();
    let others = (0..2).map(async |_| {
        // They prepare no statements, which they would lose.
        let connected = tokio_postgres::connect(&url, NoTls).await;
        let (client, connection) = connected.expect("a connection");
        tokio::spawn(connection);
        loop {
            let used = client.batch_execute("SELECT").await;
            used.expect("an answer");
        }
    });
    join_all(others).await;
}

/// Several nodes start at once and go through every step of many requests at the same time.
async fn go_through_the_story(pooler: &PgBouncer) {
    let backend = Backend::on_database(pooler.url()).await;
    let opened = (0..8).map(|_| open(pooler, true));
    for opened in join_all(opened).await {
        opened.expect("a database");
    }
    let server = Server::on_existing_stores(backend, Vec::new(), Clock::manual()).await;
    let video = clip(300_000);
    let story = async || {
        let creator = server.create_request().await;
        let take = creator.create_take().await;
        for (count, piece) in video.chunks(100_000).enumerate() {
            let (offset, last) = (count as u64 * 100_000, count == 2);
            let answer = creator.append(&take, offset, piece.to_vec(), last).await;
            assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        }
        assert!(creator.submit_and_download(&take).await == video);
        let video = creator.video_path().await;
        let path = format!("/videos/{}/metadata", last_segment(&video));
        let metadata = creator.send_authorized(Method::GET, &path).await;
        assert_eq!(metadata.status(), StatusCode::OK);
        assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    };
    join_all((0..REQUESTS).map(|_| story())).await;
    assert!(server.objects().is_empty());
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Advisory locks that sessions hold in this database.
async fn advisory_locks(database: &str) -> i64 {
    let held = "SELECT count(*) AS number FROM pg_locks WHERE locktype = 'advisory' \
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    count(database, held).await
}

async fn count(database: &str, query: &str) -> i64 {
    let connection = AsyncPgConnection::establish(database).await;
    let connection = &mut connection.expect("a database");
    let counted = sql_query(query).get_result::<Count>(connection).await;
    counted.expect("a count").number
}
