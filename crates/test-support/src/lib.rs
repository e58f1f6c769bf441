//! Support code for the tests and benches of several crates: recordings, throw-away stores, the release binary as a
//! child process, and clients that keep a ledger of what the server acknowledged.

pub mod agent;
pub mod bucket;
pub mod content;
pub mod database;
pub mod fixtures;
pub mod http2_frames;
pub mod ledger;
pub mod nginx;
pub mod node;
pub mod padding;
mod polling;
pub mod release_server;
pub mod retrying_client;
pub mod scale;
pub mod three_hours;
pub mod tools;
pub mod upload_status;
pub mod uploader;

pub use polling::wait_until;

/// Makes a test of each function in a module `on_postgres_s3`, whose name setups without PostgreSQL skip.
#[macro_export]
macro_rules! on_postgres_s3 {
    ($($name:ident)*) => {
        mod on_postgres_s3 {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name().await;
            })*
        }
    };
}
