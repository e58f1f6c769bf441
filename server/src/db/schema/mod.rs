//! The tables, and what is stored in their columns.

pub(super) mod client_addr;
mod ids;
pub(super) mod migrations;
pub(super) mod states;
pub(super) mod unsigned;

pub(in crate::db) use tables::{
    blob_folder, chunks, clock, codings, contact_sheets, damaged_takes, quotas, receipt_keys,
    reports, requests, seal_checksums, sealings, seals, stills, takes, transcripts,
};
