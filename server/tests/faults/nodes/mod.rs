//! Nodes that are killed, lose their stores, race each other, run different releases, or whose clock jumps.

mod clock_jumps;
mod kills;
mod linearizability;
mod outages;
mod races;
mod releases;
