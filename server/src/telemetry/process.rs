//! Metrics of this process, under the standard names of Prometheus.

use std::sync::LazyLock;
use std::time::SystemTime;

use super::Exposition;
use super::names::{
    PROCESS_CPU, PROCESS_FDS, PROCESS_MAX_FDS, PROCESS_RESIDENT, PROCESS_START, PROCESS_THREADS,
    PROCESS_VIRTUAL,
};

/// The start of this process, in seconds since 1970, as of the first access.
///
/// Not the start time of `metrics_process`: that needs `/proc/stat`, which `ProcSubset=pid` hides
/// (`server/deploy/vidence.service`).
static STARTED_AT: LazyLock<f64> = LazyLock::new(|| {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since_1970.unwrap_or_default().as_secs_f64()
});

/// Takes the current time as the start of this process.
pub(super) fn mark_start() {
    LazyLock::force(&STARTED_AT);
}

/// Writes the metrics that the platform provides.
pub(super) fn write(to: &mut Exposition) {
    let process = metrics_process::collector::collect();
    to.set_known(PROCESS_CPU, process.cpu_seconds_total);
    to.set_known(PROCESS_RESIDENT, process.resident_memory_bytes);
    to.set_known(PROCESS_VIRTUAL, process.virtual_memory_bytes);
    to.set_known(PROCESS_THREADS, process.threads);
    to.set(PROCESS_START, *STARTED_AT);
    to.set_known(PROCESS_FDS, process.open_fds);
    to.set_known(PROCESS_MAX_FDS, process.max_fds);
}
