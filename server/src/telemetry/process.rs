//! What the kernel says of this process: proc(5), under the names that Prometheus's own clients use.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, Timespec, clock_gettime};

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

/// Writes down what is known. Nothing of it, where there is no `/proc`.
pub(super) fn write(to: &mut Exposition) {
    look_in(Path::new("/proc/self"), to);
}

/// All of it stands in the process's own folder: of the others there may be none, as under `ProcSubset=pid`.
fn look_in(folder: &Path, to: &mut Exposition) {
    let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
    // The name may hold anything, brackets and spaces included.
    let fields = stat.rsplit_once(')').map_or("", |it| it.1);
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let seconds = |at| Some(field(at)? as f64 / clock_ticks_per_second() as f64);

    let (user, kernel) = (seconds(USER_TICKS), seconds(KERNEL_TICKS));
    let pages = field(RESIDENT_PAGES);
    let open = fs::read_dir(folder.join("fd")).ok();
    to.set_known(
        PROCESS_CPU,
        user.zip(kernel).map(|(user, kernel)| user + kernel),
    );
    to.set_known(PROCESS_RESIDENT, pages.map(|it| it * page_size() as u64));
    to.set_known(PROCESS_VIRTUAL, field(VIRTUAL_BYTES));
    to.set_known(PROCESS_THREADS, field(THREADS));
    to.set_known(PROCESS_START, seconds(START_TICKS).map(|it| booted() + it));
    to.set_known(PROCESS_FDS, open.map(Iterator::count));
    to.set_known(PROCESS_MAX_FDS, getrlimit(Resource::Nofile).current);
}

/// When the machine was, in seconds since 1970: by two clocks, as `/proc/stat` may be out of sight. Once, because a
/// start that moved with each look would look like a new one.
fn booted() -> f64 {
    static BOOTED: OnceLock<f64> = OnceLock::new();
    let seconds = |it: Timespec| it.tv_sec as f64 + it.tv_nsec as f64 / 1e9;
    *BOOTED.get_or_init(|| {
        seconds(clock_gettime(ClockId::Realtime)) - seconds(clock_gettime(ClockId::Boottime))
    })
}

#[cfg(test)]
mod tests {
    use super::super::names::ALL;
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_folder_of_the_process_is_enough() {
        let proc = tempfile::tempdir().expect("a folder");
        let folder = proc.path().join("self");
        fs::create_dir_all(folder.join("fd")).expect("a folder");
        fs::write(folder.join("fd/0"), "").expect("a file");
        let stat = fs::read("/proc/self/stat").expect("a file");
        fs::write(folder.join("stat"), stat).expect("a file");
        let mut told = Exposition::default();
        look_in(&folder, &mut told);
        let text = told.into_text();
        let of_processes = ALL.iter().filter(|it| it.name.starts_with("process_"));
        for metric in of_processes {
            let sample = format!("\n{} ", metric.name);
            assert!(text.contains(&sample), "{} in {text}", metric.name);
        }
    }

    #[test]
    fn what_is_not_known_hides_nothing_else() {
        let proc = tempfile::tempdir().expect("a folder");
        let mut told = Exposition::default();
        look_in(proc.path(), &mut told);
        let text = told.into_text();
        assert!(!text.contains(PROCESS_RESIDENT), "{text}");
        assert!(text.contains(PROCESS_MAX_FDS), "{text}");
    }
}
