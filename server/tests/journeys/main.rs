//! Journeys through a real server on a real port, each on SQLite and a folder, and on PostgreSQL and S3.

mod agent;
#[path = "../backends/mod.rs"]
mod backends;
mod clips;
mod cluster;
mod coding;
mod command;
mod container;
mod creator;
mod expiry;
mod facts;
mod form;
mod guide;
mod limits;
mod mcp;
mod mcp_protocol;
mod openapi;
mod pages;
mod qr;
mod quotas;
mod reports;
mod requests;
mod restart;
mod resumable;
mod seals;
mod stills;
mod submissions;
mod support;
mod take_ids;
mod takedowns;
mod takes;
mod tls;
mod tus;
mod videos;
mod visits;
mod waits;
