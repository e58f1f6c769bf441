//! Who records and who asks in the tests of faults, and the ledger of what they were told: the same here.

#![expect(dead_code, reason = "the tests need more of it")]

#[path = "../../../tests/faults/agent.rs"]
pub mod agent;
#[path = "../../../tests/faults/callers.rs"]
pub mod callers;
#[path = "../../../tests/faults/content.rs"]
mod content;
#[path = "../../../tests/faults/ledger.rs"]
pub mod ledger;
#[path = "../../../tests/contract/nginx.rs"]
pub mod nginx;
#[path = "../../../tests/faults/node.rs"]
pub mod node;
#[path = "../../../tests/faults/scale.rs"]
mod scale;
#[path = "../../../tests/faults/standing.rs"]
mod standing;
#[path = "../../../tests/faults/uploader.rs"]
pub mod uploader;
