//! What a cluster stands on, thrown away after the test: a database and a bucket.

mod bucket;
mod database;

pub use bucket::{Bucket, files};
pub use database::fresh_database;
