//! Support code for the tests and benches of several crates: recordings, throw-away stores, the release binary as a
//! child process, and clients that keep a ledger of what the server acknowledged.

pub mod clients;
mod polling;
pub mod recordings;
pub mod scale;
pub mod servers;
pub mod stores;
pub mod tools;

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
