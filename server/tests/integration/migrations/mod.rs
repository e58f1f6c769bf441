//! Migrations of the database schema.

pub mod compatibility;
mod dumps;
mod incompatibilities;
mod schema;
