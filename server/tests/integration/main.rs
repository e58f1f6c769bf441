//! Integration tests through a real server on a real port, most of them both on SQLite with a folder and on
//! PostgreSQL with S3.

mod abandoned_takes;
mod agent;
mod check;
mod clock_jumps;
mod cluster;
mod coding;
mod commands;
mod container;
mod counted;
mod creator;
mod documents;
mod dumps;
mod expiry;
mod form;
mod guide;
mod histories;
mod mcp;
mod migrations;
mod moderation;
mod operations;
mod pages;
mod quota;
mod repository;
mod requests;
mod support;
mod transport;
mod uploads;
mod videos;
