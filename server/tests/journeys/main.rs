//! Journeys through a real server on a real port, each on SQLite and on PostgreSQL.

mod expiry;
mod form;
mod limits;
mod pages;
mod requests;
mod restart;
mod support;
mod takes;
mod videos;
