//! Incompatible changes of a schema are detected.

use diesel::connection::SimpleConnection;
use diesel_async::SimpleAsyncConnection;

use super::schema::{of_postgres, of_sqlite, postgres, sqlite};
use test_support::on_postgres_s3;

on_postgres_s3! {
    incompatible_schema_changes_are_detected
}

async fn incompatible_schema_changes_are_detected() {
    let before = "CREATE TABLE others (id TEXT PRIMARY KEY); CREATE TABLE requests (id TEXT PRIMARY KEY); \
                  CREATE TABLE things (id TEXT PRIMARY KEY, size BIGINT, state TEXT CHECK (state <> ''))";
    for (step, want) in [
        ("CREATE TABLE new (id TEXT NOT NULL)", None),
        (
            "CREATE TABLE new (thing TEXT NOT NULL REFERENCES things (id) ON DELETE CASCADE)",
            None,
        ),
        (
            "CREATE TABLE new (thing TEXT NOT NULL REFERENCES things (id))",
            Some("new holds rows of things"),
        ),
        (
            "CREATE TABLE new (thing TEXT NOT NULL REFERENCES requests (id))",
            None,
        ),
        ("CREATE INDEX fast ON things (size)", None),
        ("ALTER TABLE things ADD COLUMN more TEXT", None),
        (
            "ALTER TABLE things ADD COLUMN more BIGINT NOT NULL DEFAULT 0 CHECK (more >= 0)",
            None,
        ),
        (
            "ALTER TABLE things ADD COLUMN more BIGINT NOT NULL DEFAULT 0 CHECK (more >= size)",
            Some("things has a new rule"),
        ),
        (
            "ALTER TABLE things ADD COLUMN more TEXT; CREATE UNIQUE INDEX one ON things (more)",
            None,
        ),
        (
            "ALTER TABLE things ADD COLUMN more TEXT; CREATE UNIQUE INDEX one ON things (size, more)",
            Some("things has a new rule"),
        ),
        (
            "ALTER TABLE things ADD COLUMN more TEXT REFERENCES others (id) ON DELETE SET NULL",
            None,
        ),
        (
            "ALTER TABLE things ADD COLUMN more TEXT REFERENCES others (id)",
            Some("things holds rows of others"),
        ),
        (
            "DROP TABLE things; \
             CREATE TABLE things (id TEXT PRIMARY KEY, size BIGINT, state TEXT)",
            Some("things has lost a rule: CHECK"),
        ),
        ("DROP TABLE others", Some("others is gone")),
        (
            "ALTER TABLE things DROP COLUMN size",
            Some("things.size is gone"),
        ),
        (
            "ALTER TABLE things RENAME COLUMN size TO bytes",
            Some("things.size is gone"),
        ),
        (
            "CREATE UNIQUE INDEX one ON things (size)",
            Some("things has a new rule"),
        ),
        (
            "DROP TABLE things; \
             CREATE TABLE things (id TEXT PRIMARY KEY, size TEXT, state TEXT CHECK (state <> ''))",
            Some("things.size is another one"),
        ),
        (
            "DROP TABLE things; CREATE TABLE things \
             (id TEXT PRIMARY KEY, size BIGINT NOT NULL, state TEXT CHECK (state <> ''))",
            Some("things.size is another one"),
        ),
        (
            "DROP TABLE things; CREATE TABLE things \
             (id TEXT PRIMARY KEY, size BIGINT, state TEXT CHECK (state <> 'x'))",
            Some("things has a new rule"),
        ),
        (
            "DROP TABLE things; CREATE TABLE things \
             (id TEXT PRIMARY KEY, size BIGINT, state TEXT CHECK (state <> ''), more TEXT NOT NULL)",
            Some("things.more is demanded"),
        ),
    ] {
        let mut conn = sqlite();
        conn.batch_execute(before).expect("tables");
        let schema = of_sqlite(&mut conn);
        conn.batch_execute(step).expect(step);
        assert_broken(&schema.incompatibilities(&of_sqlite(&mut conn)), want, step);

        let mut conn = postgres(&test_support::stores::database::fresh_database().await).await;
        conn.batch_execute(before).await.expect("tables");
        let schema = of_postgres(&mut conn).await;
        conn.batch_execute(step).await.expect(step);
        assert_broken(
            &schema.incompatibilities(&of_postgres(&mut conn).await),
            want,
            step,
        );
    }
}

fn assert_broken(broken: &[String], want: Option<&str>, step: &str) {
    match want {
        None => assert!(broken.is_empty(), "{step}: {broken:?}"),
        Some(want) => assert!(
            broken.iter().any(|it| it.contains(want)),
            "{step}: {broken:?}"
        ),
    }
}
