//! Each connection is an open file, and shells hand out few.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::{info, warn};

/// For what isn't a connection: the database, videos that are read, decoders, and the like.
const OTHERS: usize = 1024;

/// Asks for as many open files as `connections` need, and says how many connections there can be.
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
                "can't open more files"
            );
        }
    }
    let open = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let open = usize::try_from(open).unwrap_or(usize::MAX);
    let possible = connections.min(open.saturating_sub(OTHERS).max(open / 2));
    if possible < connections {
        info!(
            possible,
            "fewer connections than asked for: this process may open {open} files"
        );
    }
    possible
}
