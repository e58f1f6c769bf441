//! Limits of this process: more open files (`RLIMIT_NOFILE`), because each connection needs one and shells allow few, and
//! no core dumps (`RLIMIT_CORE`).

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::{info, warn};

/// File descriptors for everything but connections: database, videos being read, decoders and so on.
const OTHERS: usize = 1024;

/// Raises the limit on open files for `connections`, and returns how many connections are possible.
pub fn allow_open_files(connections: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = (connections + OTHERS) as u64;
    let most = limit.maximum.unwrap_or(u64::MAX);
    let raised = wanted.min(most);
    if limit.current.is_some_and(|it| it < raised) {
        let raised = Rlimit {
            current: Some(raised),
            maximum: limit.maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            warn!(
                error = &error as &dyn std::error::Error,
                "could not raise the limit of open files"
            );
        }
    }
    let open = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let open = usize::try_from(open).unwrap_or(usize::MAX);
    let possible = connections.min(open.saturating_sub(OTHERS).max(open / 2));
    if possible < connections {
        info!(
            possible,
            "lowered --max-connections: this process may open {open} files"
        );
    }
    possible
}

/// Keeps a crash from leaving recordings, prompts and tokens on the disk.
/// A program that the kernel pipes dumps into (`core_pattern`) is asked to heed it, as systemd-coredump does.
pub fn forbid_core_dumps() {
    let none = Rlimit {
        current: Some(0),
        maximum: getrlimit(Resource::Core).maximum,
    };
    if let Err(error) = setrlimit(Resource::Core, none) {
        warn!(
            error = &error as &dyn std::error::Error,
            "a crash may leave a core dump"
        );
    }
}
