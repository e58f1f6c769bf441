//! An empty PostgreSQL database on the test server.

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use rand::distr::{Alphanumeric, SampleString};

/// Creates a database with a random name and returns its URL.
pub async fn fresh_database() -> String {
    let url = std::env::var("VIDENCE_TEST_POSTGRES")
        .expect("VIDENCE_TEST_POSTGRES names a server: `cargo xtask test` brings one");
    let name = format!("test_{}", Alphanumeric.sample_string(&mut rand::rng(), 22)).to_lowercase();
    let mut admin = AsyncPgConnection::establish(&url)
        .await
        .expect("PostgreSQL");
    let create = format!("CREATE DATABASE {name}");
    admin.batch_execute(&create).await.expect("a database");
    let (server, _) = url.rsplit_once('/').expect("a URL with a database");
    format!("{server}/{name}")
}
