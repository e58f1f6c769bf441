//! What was acknowledged is there, whatever breaks.
//!
//! The server is the real binary in a process of its own, and is told nothing: it is killed, its disk
//! fails or fills up, its network breaks. What it has acknowledged is written down outside of it, in a
//! [`ledger`]. After every fault nothing in the ledger may be missing, no byte may differ, nothing may be
//! submitted short, and what is stored must be what the manifest names.
//!
//! Two set-ups: a laptop is one server with SQLite and a folder; a cluster is two nodes over one
//! PostgreSQL database and one bucket. [`scale`] says how much of everything there is.
//!
//! `VIDENCE_BINARY` names the server to try; without it, it is the release build. `VIDENCE_LAST_RELEASE` names the one
//! before it, for [`releases`]; `cargo xtask test faults` builds it.

mod audit;
mod disk;
mod proxy;
mod report;
mod stage;
mod trace;

mod clients;
mod crowd;
mod cuts;
mod eio;
mod full_disk;
mod http2_abuse;
mod kills;
mod order;
mod outages;
mod races;
mod releases;
