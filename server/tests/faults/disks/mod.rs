//! Disks that are full or fail to sync, and the order of syncs.

mod failed_syncs;
mod full_disk;
mod sync_order;
