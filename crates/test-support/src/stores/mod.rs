//! Throw-away stores: PostgreSQL databases and buckets.

pub mod bucket;
pub mod bucket_faults;
pub mod database;
