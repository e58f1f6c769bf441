//! What a cluster stands on, thrown away after the test: a database and a bucket.

mod bucket;
mod database;

pub use bucket::{Bucket, files};
pub use database::fresh_database;

/// Makes tests of these, which need PostgreSQL and are left out where there is none: as all in modules called `cluster`.
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

pub(crate) use on_a_cluster;
