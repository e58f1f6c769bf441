//! Disks that are full, read-only or fail to sync, and the order of syncs.

mod each_call;
mod failed_syncs;
mod full_disk;
mod read_only_disk;
mod sync_order;
