//! What the storage limits leave of a disk.

use crate::blobs::DiskSpace;
use crate::config::LimitArgs;

/// Maximum of stored bytes. `None`: no limit.
pub(in crate::service) fn max_stored_bytes(
    limits: &LimitArgs,
    space: Option<DiskSpace>,
) -> Option<u64> {
    let share = space.map(|space| space.total / 10 * 8);
    limits.max_stored_bytes.or(share)
}

/// The required number of free files is at most this fraction of all files: one twentieth.
///
/// A small file system would otherwise never reach it.
const FREE_FILES_DIVISOR: u64 = 20;

/// Number of files that the file system must still be able to hold. `None`: it has no fixed number.
pub(in crate::service) fn min_free_files(limits: &LimitArgs, space: DiskSpace) -> Option<u64> {
    let files = space.inodes?;
    Some(limits.min_free_files.min(files.total / FREE_FILES_DIVISOR))
}

/// Whether enough bytes and files stay free after a file of `bytes` is written.
pub(super) fn has_free_space(limits: &LimitArgs, space: Option<DiskSpace>, bytes: u64) -> bool {
    let Some(space) = space else {
        return true;
    };
    let files = space.inodes.map(|it| it.available.saturating_sub(1));
    let has_files = files.zip(min_free_files(limits, space));
    space.available.saturating_sub(bytes) >= limits.min_free_bytes
        && has_files.is_none_or(|(left, floor)| left >= floor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::Inodes;

    const LIMITS: LimitArgs = LimitArgs {
        max_video_bytes: 1,
        max_takes: 1,
        max_request_bytes: 1,
        max_stored_bytes: None,
        min_free_bytes: 100,
        min_free_files: 10,
        upload_memory: 0,
    };

    fn disk(available: u64) -> Option<DiskSpace> {
        Some(DiskSpace {
            total: 1000,
            available,
            inodes: None,
        })
    }

    #[test]
    fn so_many_files_can_still_be_made_on_a_disk() {
        for (total, available, want) in [
            (1000, 11, true),
            (1000, 10, false),
            (1000, 0, false),
            // On a small file system, a twentieth of its files must stay free.
            (100, 6, true),
            (100, 5, false),
        ] {
            let space = disk(1000).map(|it| DiskSpace {
                inodes: Some(Inodes { total, available }),
                ..it
            });
            let room = has_free_space(&LIMITS, space, 1);
            assert_eq!(room, want, "{available} of {total} files");
        }
    }

    #[test]
    fn the_stored_bytes_limit_is_configured_or_a_share_of_the_disk() {
        assert_eq!(max_stored_bytes(&LIMITS, disk(1000)), Some(800));
        assert_eq!(max_stored_bytes(&LIMITS, None), None, "a bucket has no end");
        let limits = LimitArgs {
            max_stored_bytes: Some(50),
            ..LIMITS
        };
        assert_eq!(max_stored_bytes(&limits, disk(1000)), Some(50));
        assert_eq!(max_stored_bytes(&limits, None), Some(50));
    }

    #[test]
    fn the_minimum_of_free_bytes_is_enforced() {
        for (available, bytes, want) in [
            (1000, 800, true),
            (150, 50, true),
            (150, 51, false),
            (20, 0, false),
        ] {
            let room = has_free_space(&LIMITS, disk(available), bytes);
            assert_eq!(room, want, "{bytes} of {available}");
        }
        assert!(
            has_free_space(&LIMITS, None, u64::MAX),
            "a bucket has no floor"
        );
    }
}
