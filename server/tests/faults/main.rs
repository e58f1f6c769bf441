//! Fault injection: everything acknowledged survives, whatever breaks.
//!
//! The server is the release binary in a process of its own, without any hooks: it is killed, its disk fails or fills
//! up, its network breaks. Acknowledgements are recorded outside of it in a
//! [ledger](test_support::clients::ledger). After every fault nothing in the ledger may be missing, no byte may differ,
//! no video may be submitted incomplete, and the stored objects must be those that the manifest names.
//!
//! Two environments: `sqlite` is one server with SQLite and a folder; `postgres_s3` is three nodes on one PostgreSQL
//! database and one bucket. [Scale](test_support::scale) holds all counts.
//!
//! `VIDENCE_BINARY` names the server under test, the release build by default. `VIDENCE_LAST_RELEASE` names the one
//! before it, for [`nodes::releases`]; `cargo xtask test faults` builds it.

mod audit;
mod connections;
mod disks;
mod environment;
mod nodes;
mod power;
mod report;
