//! Nodes that are killed, lose their stores, race each other, or run different releases.

mod kills;
mod linearizability;
mod outages;
mod races;
mod releases;
