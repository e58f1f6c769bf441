//! Throw-away stores: PostgreSQL databases and buckets, of this project's S3 server and of Garage.

pub mod bucket;
pub mod bucket_faults;
pub mod database;
pub mod garage;
