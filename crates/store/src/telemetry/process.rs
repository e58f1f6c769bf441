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
/// (`server/deploy/systemd/vidence.service`).
static STARTED_AT: LazyLock<f64> = LazyLock::new(|| {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since_1970.unwrap_or_default().as_secs_f64()
});

/// Takes the current time as the start of this process.
pub(super) fn mark_start() {
    LazyLock::force(&STARTED_AT);
}

/// The metrics that the platform provides.
pub fn process_metrics() -> Exposition {
    let mut metrics = Exposition::default();
    let process = metrics_process::collector::collect();
    metrics.set_known(PROCESS_CPU, process.cpu_seconds_total);
    metrics.set_known(PROCESS_RESIDENT, process.resident_memory_bytes);
    metrics.set_known(PROCESS_VIRTUAL, process.virtual_memory_bytes);
    metrics.set_known(PROCESS_THREADS, process.threads);
    metrics.set(PROCESS_START, *STARTED_AT);
    metrics.set_known(PROCESS_FDS, process.open_fds);
    metrics.set_known(PROCESS_MAX_FDS, process.max_fds);
    metrics
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn process_metrics_describe_this_process() {
        let text = process_metrics().into_text();
        let value = |name: &str| {
            let line = text.lines().find_map(|it| it.strip_prefix(name));
            let value = line.and_then(|it| it.trim().parse::<f64>().ok());
            value.unwrap_or_else(|| panic!("{name} in {text}"))
        };
        assert!(value("process_resident_memory_bytes ") > 1e6);
        assert!(value("process_open_fds ") >= 3.0);
        assert!(value("process_max_fds ") >= value("process_open_fds "));
        assert!(value("process_threads ") >= 1.0);
        assert!(value("process_cpu_seconds_total ") >= 0.0);
        let now = crate::clock::Clock::System.now() / 1000;
        let age = f64::from(i32::try_from(now).expect("before 2038"))
            - value("process_start_time_seconds ");
        // `now` is rounded down.
        assert!((-1.0..3600.0).contains(&age), "{age}");
    }
}
