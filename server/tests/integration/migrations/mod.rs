//! Migrations of the database schema.

mod compatibility;
mod dumps;
mod incompatibilities;
mod schema;
