//! Integration tests through a real server on a real port, most of them both on SQLite with a folder and on
//! PostgreSQL with S3.

mod histories;
mod mcp;
mod migrations;
mod moderation;
mod monitoring;
mod operations;
mod pages;
mod quota;
mod repository;
mod requests;
mod support;
mod transcripts;
mod transport;
mod uploads;
mod videos;
