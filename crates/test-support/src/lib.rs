//! What the tests and benches of several crates share: recordings, stores that are thrown away, the real binary in a
//! process of its own, and clients that keep a ledger of what it acknowledged.

pub mod agent;
pub mod bucket;
pub mod callers;
pub mod content;
pub mod database;
pub mod fixtures;
pub mod http2_frames;
pub mod ledger;
pub mod nginx;
pub mod node;
pub mod padding;
pub mod scale;
pub mod shipped;
pub mod standing;
pub mod three_hours;
pub mod tools;
pub mod uploader;
mod waiting;

pub use waiting::wait_until;

/// Makes tests of these, which need PostgreSQL and are left out where there is none: as all in modules called `cluster`.
#[macro_export]
macro_rules! on_a_cluster {
    ($($name:ident)*) => {
        mod on_a_cluster {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name().await;
            })*
        }
    };
}
