//! What the kernel says of this process: proc(5), under the names that Prometheus's own clients use.

use std::fs;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};

use super::Exposition;
use super::names::{
    PROCESS_CPU, PROCESS_FDS, PROCESS_MAX_FDS, PROCESS_RESIDENT, PROCESS_START, PROCESS_THREADS,
    PROCESS_VIRTUAL,
};

/// Of `/proc/self/stat`, counted from the one behind the name in brackets: proc_pid_stat(5) calls it the third.
const USER_TICKS: usize = 14 - 3;
const KERNEL_TICKS: usize = 15 - 3;
const THREADS: usize = 20 - 3;
const START_TICKS: usize = 22 - 3;
const VIRTUAL_BYTES: usize = 23 - 3;
const RESIDENT_PAGES: usize = 24 - 3;

/// Writes it down. `None`: there is no `/proc`.
pub(super) fn look(to: &mut Exposition) -> Option<()> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name may hold anything, brackets and spaces included.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let per_second = clock_ticks_per_second();
    let seconds = |ticks: u64| ticks as f64 / per_second as f64;
    let booted: u64 = fs::read_to_string("/proc/stat")
        .ok()?
        .lines()
        .find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok())?;
    to.set(
        PROCESS_CPU,
        seconds(field(USER_TICKS)? + field(KERNEL_TICKS)?),
    );
    to.set(
        PROCESS_RESIDENT,
        field(RESIDENT_PAGES)? * page_size() as u64,
    );
    to.set(PROCESS_VIRTUAL, field(VIRTUAL_BYTES)?);
    to.set(PROCESS_THREADS, field(THREADS)?);
    to.set(PROCESS_START, booted as f64 + seconds(field(START_TICKS)?));
    to.set(PROCESS_FDS, fs::read_dir("/proc/self/fd").ok()?.count());
    if let Some(most) = getrlimit(Resource::Nofile).current {
        to.set(PROCESS_MAX_FDS, most);
    }
    Some(())
}
