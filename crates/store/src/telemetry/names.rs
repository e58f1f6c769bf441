//! All metrics: names, units, descriptions, and the values of their labels.
//!
//! Base units, as Prometheus recommends. No label holds an id, an address or any other value that clients choose: only
//! values from the code.
//!
//! A little more than 300 lines: one list.

use metrics::Unit;

use super::refusal_reasons::REFUSAL_REASONS;

/// One metric.
pub struct Metric {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// The unit.
    pub unit: Unit,
    /// The description.
    pub help: &'static str,
    /// The labels.
    pub labels: Labels,
}

/// The labels of a metric.
#[derive(Clone, Copy)]
pub enum Labels {
    /// No label. Exported as zero from the start, so that the first failure is visible as an increase.
    None,
    /// One label with a fixed set of values, each of which is exported as zero from the start.
    Known(&'static str, &'static [&'static str]),
    /// Labels whose values are known only when they occur.
    Open,
}

/// The type of a metric.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A value that only increases.
    Counter,
    /// A value that goes up and down.
    Gauge,
    /// A distribution, with these upper bounds of buckets.
    Histogram(&'static [f64]),
    /// A counter or a gauge that is read at each scrape, and left out if that fails.
    OnScrape(Shape),
}

/// The type of a metric that is read at a scrape.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A value that only increases.
    Counter,
    /// A value that goes up and down.
    Gauge,
}

/// Buckets for responses, in seconds.
const RESPONSE_BUCKETS: &[f64] = &[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

/// Buckets for commits, in seconds.
/// A sync takes milliseconds, and a commit is refused after five minutes.
const COMMIT_BUCKETS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0,
];

/// Buckets for sealing, in seconds: reading all bytes of a recording, decoding twelve frames, or a call of a transcriber.
const SEALING_BUCKETS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0,
];

/// The queues of the sealing worker.
pub const WORK_ON_TAKES: &[&str] = &["seal", "stills", "transcript"];

macro_rules! metrics {
    ($($ident:ident = $name:literal, $kind:expr, $unit:ident, $labels:expr, $help:literal;)*) => {
        $(#[doc = $help] pub const $ident: &str = $name;)*

        /// All metrics.
        pub const ALL: &[Metric] = &[$(Metric {
            name: $name,
            kind: $kind,
            unit: Unit::$unit,
            help: $help,
            labels: $labels,
        },)*];
    };
}

const COUNTER: Kind = Kind::Counter;
const GAUGE: Kind = Kind::Gauge;
const SCRAPED: Kind = Kind::OnScrape(Shape::Gauge);
const NONE: Labels = Labels::None;
const OPEN: Labels = Labels::Open;

const fn by(label: &'static str, values: &'static [&'static str]) -> Labels {
    Labels::Known(label, values)
}

metrics! {
    REQUESTS = "vidence_http_requests_total", COUNTER, Count, OPEN,
        "Finished HTTP requests, by method, route and status; status \"none\": the client disconnected before the response.";
    REQUEST_DURATION = "vidence_http_request_duration_seconds", Kind::Histogram(RESPONSE_BUCKETS), Seconds, OPEN,
        "Time from the head of a request to the head of its response, which for an upload includes receiving it. Without requests that asked to wait for a submission.";
    REQUESTS_IN_FLIGHT = "vidence_http_requests_in_flight", GAUGE, Count, OPEN,
        "HTTP requests whose responses haven't ended.";

    MCP_FAILURES = "vidence_mcp_failures_total", COUNTER, Count, NONE,
        "Calls of MCP tools that failed by the server's fault. Their HTTP status is 200.";

    CONNECTIONS = "vidence_connections", GAUGE, Count, NONE,
        "Open connections, with those to the operator's listener.";
    CONNECTIONS_WAITED = "vidence_connections_waited_total", COUNTER, Count, NONE,
        "Connections that waited because as many as may were open, until idle ones were closed for them.";
    CONNECTIONS_LIMIT = "vidence_connections_limit", SCRAPED, Count, NONE,
        "Limit of open connections: --max-connections, beyond which new ones wait. The operator's listener has one of its own.";
    CONNECTIONS_CLOSED = "vidence_connections_closed_total", COUNTER, Count,
        by("reason", &["idle", "stalled"]),
        "Connections that the server closed because they were idle or stalled.";

    TRANSITIONS = "vidence_request_transitions_total", COUNTER, Count,
        by("to", &["awaiting_submission", "submitted", "expired", "deleted"]),
        "Requests for video that entered a state.";
    REQUEST_COUNT = "vidence_requests", SCRAPED, Count, OPEN,
        "Requests for video whose bytes aren't removed, by state. The expired and deleted ones are the sweeper's backlog.";
    WAITS = "vidence_waits_in_flight", SCRAPED, Count, NONE,
        "Clients that wait for a change of a request.";
    TAKES_BEGUN = "vidence_takes_begun_total", COUNTER, Count, NONE,
        "Recordings begun.";
    TAKES_ENDED = "vidence_takes_ended_total", COUNTER, Count, NONE,
        "Idle recordings that were removed to make room for a new one of the same request.";
    TAKES_COMPLETED = "vidence_takes_completed_total", COUNTER, Count, NONE,
        "Recordings completely uploaded.";
    TAKES_POISONED = "vidence_takes_poisoned_total", COUNTER, Count, NONE,
        "Recordings that were abandoned because the disk failed to make bytes durable.";

    RECEIVED = "vidence_upload_received_bytes_total", COUNTER, Bytes, NONE,
        "Received bytes of recordings.";
    COMMITTED = "vidence_upload_committed_bytes_total", COUNTER, Bytes, NONE,
        "Bytes of recordings that are durable and in the manifest.";
    COMMIT_DURATION = "vidence_commit_duration_seconds", Kind::Histogram(COMMIT_BUCKETS), Seconds, NONE,
        "Time from the beginning of an object's upload to the store until its rows are committed. Without uploads with a digest.";
    COMMIT_OBJECT_DURATION = "vidence_commit_object_duration_seconds", Kind::Histogram(COMMIT_BUCKETS), Seconds, NONE,
        "Time to upload an object to the store.";
    COMMIT_ROWS_DURATION = "vidence_commit_rows_duration_seconds", Kind::Histogram(COMMIT_BUCKETS), Seconds, NONE,
        "Time to commit an object's rows, including the wait for a connection.";
    COMMIT_LAG = "vidence_commit_lag_seconds", Kind::Histogram(COMMIT_BUCKETS), Seconds, NONE,
        "Time from the arrival of a byte until its commit: how much of a recording a crash may lose. Up to two seconds by design.";
    UPLOAD_MEMORY_USED = "vidence_upload_memory_used_bytes", SCRAPED, Bytes, NONE,
        "Memory for received bytes that aren't durable yet.";
    UPLOAD_MEMORY_LIMIT = "vidence_upload_memory_limit_bytes", SCRAPED, Bytes, NONE,
        "Limit of the memory for received bytes: --upload-memory.";

    STREAMED = "vidence_streamed_bytes_total", COUNTER, Bytes, NONE,
        "Bytes of videos and pictures that were read for sending.";
    STREAMS_BROKEN = "vidence_streams_broken_total", COUNTER, Count, NONE,
        "Streams that ended early because their bytes couldn't be read.";
    STREAM_MEMORY_USED = "vidence_stream_memory_used_bytes", SCRAPED, Bytes, NONE,
        "Memory for large pieces that are being sent.";
    STREAM_MEMORY_LIMIT = "vidence_stream_memory_limit_bytes", SCRAPED, Bytes, NONE,
        "Limit of the memory for large pieces, beyond which streams send small ones.";

    SEALING_DURATION = "vidence_sealing_duration_seconds", Kind::Histogram(SEALING_BUCKETS), Seconds, by("work", WORK_ON_TAKES),
        "Time of finished sealing work, by work: sealing a recording, making its stills, or transcribing it.";
    SEALING_FAILURES = "vidence_sealing_failures_total", COUNTER, Count, by("work", WORK_ON_TAKES),
        "Failures of sealing work that will be retried, by work.";
    SEALING_GIVEN_UP = "vidence_sealing_given_up_total", COUNTER, Count, by("work", WORK_ON_TAKES),
        "Sealing work that was given up after too many failures, by work.";
    SEALING_LEASES_LOST = "vidence_sealing_leases_lost_total", COUNTER, Count, by("work", WORK_ON_TAKES),
        "Sealing work that was broken off because its lease couldn't be renewed in time, by work. Another node does it.";
    SEALING_REFUSED = "vidence_sealing_refused_total", COUNTER, Count,
        by("reason", &["unreadable", "no_video", "no_frame"]),
        "Complete recordings that can't become a video, by reason.";
    SEALING_QUEUE = "vidence_sealing_queue", SCRAPED, Count, OPEN,
        "Sealing work that waits or runs, by work.";
    SEALING_QUEUE_OLDEST = "vidence_sealing_queue_oldest_seconds", SCRAPED, Seconds, OPEN,
        "Age of the oldest sealing work, by work.";
    STILLS = "vidence_stills_total", COUNTER, Count, NONE,
        "Pictures made of videos.";
    WITHOUT_STILLS = "vidence_videos_without_stills_total", COUNTER, Count, NONE,
        "Videos of which no pictures could be made.";

    TRANSCRIPTS = "vidence_transcripts_total", COUNTER, Count, by("status", &["ready", "none", "failed"]),
        "Finished work on transcripts, by status: made, nothing to transcribe, or given up.";

    REPORTS_OPEN = "vidence_reports_open", SCRAPED, Count, NONE,
        "Abuse reports that the operator hasn't closed.";
    REPORTS_OLDEST = "vidence_reports_oldest_seconds", SCRAPED, Seconds, NONE,
        "Age of the oldest open abuse report; 0 if there is none.";
    REPORT_WEBHOOKS = "vidence_report_webhooks_total", COUNTER, Count, by("outcome", &["delivered", "failed"]),
        "Messages to --report-webhook, by outcome: delivered, or given up after four attempts.";

    ORPHANS_FOUND = "vidence_orphans_found_total", COUNTER, Count, NONE,
        "Orphaned objects found: no row names them.";
    ORPHANS_REMOVED = "vidence_orphans_removed_total", COUNTER, Count, NONE,
        "Orphaned objects removed.";
    JOB_RUNS = "vidence_job_runs_total", COUNTER, Count, OPEN,
        "Runs of periodic jobs, by work and outcome: done, failed or panicked.";
    JOB_LAST_SUCCESS = "vidence_job_last_success_timestamp_seconds", SCRAPED, Seconds, OPEN,
        "Time of a periodic job's last success, by this server's clock.";
    JOB_AGE = "vidence_job_age_seconds", SCRAPED, Seconds, OPEN,
        "Time since a periodic job's last success, or since the start if there was none.";
    SWEPT = "vidence_sweeper_removed_requests_total", COUNTER, Count, NONE,
        "Requests whose bytes the sweeper has removed.";
    ABANDONED = "vidence_sweeper_abandoned_takes_total", COUNTER, Count, NONE,
        "Abandoned recordings that the sweeper has removed.";
    SWEEP_FAILURES = "vidence_sweeper_failures_total", COUNTER, Count, NONE,
        "Requests and recordings whose bytes the sweeper failed to remove.";
    OVERDUE = "vidence_sweeper_overdue_seconds", SCRAPED, Seconds, NONE,
        "Time since the expiry of the first request whose bytes aren't removed. Up to 60 s by design. Deleted requests count in the sweeper's failures instead.";

    CLOCK_AHEAD = "vidence_clock_ahead_seconds", SCRAPED, Seconds, NONE,
        "How far the clock has jumped forward, or moved on while no server ran, until it has stayed there for ten minutes; otherwise 0. Meanwhile what expired only by that is refused, and not removed.";

    REFUSALS = "vidence_refusals_total", COUNTER, Count, by("reason", &REFUSAL_REASONS),
        "Requests and connections refused by a limit, by reason: a rate limit of creations, reads, abuse reports or all calls, too many calls or bodies at a time, the stored bytes or the connections of one address, or a full store.";
    THROTTLED = "vidence_throttled_requests_total", COUNTER, Count, NONE,
        "Requests of uploading clients that were delayed by a rate limit.";
    THROTTLED_NOW = "vidence_throttled_requests_in_flight", SCRAPED, Count, NONE,
        "Requests of uploading clients that are being delayed by a rate limit.";

    NO_ROOM = "vidence_no_room_total", COUNTER, Count, NONE,
        "Calls and jobs that failed because a disk had no space, whatever its free space and the limits said before.";
    STORED = "vidence_stored_bytes", SCRAPED, Bytes, NONE,
        "Bytes that count against --max-stored-bytes, stored or being stored, with 4096 for each object. As of the last sweep, plus what this server has added since.";
    STORED_LIMIT = "vidence_stored_limit_bytes", SCRAPED, Bytes, NONE,
        "Limit of vidence_stored_bytes. Absent if there is none.";
    DISK_FREE = "vidence_disk_free_bytes", SCRAPED, Bytes, NONE,
        "Free bytes on the disk with the videos. Absent with a bucket.";
    DISK_SIZE = "vidence_disk_size_bytes", SCRAPED, Bytes, NONE,
        "Size of the disk with the videos.";
    DISK_FLOOR = "vidence_disk_floor_bytes", SCRAPED, Bytes, NONE,
        "Bytes that must stay free on the disk: --min-free-bytes.";
    DISK_FREE_FILES = "vidence_disk_free_files", SCRAPED, Count, NONE,
        "Free inodes on the disk. Absent if their number isn't fixed.";
    DISK_FLOOR_FILES = "vidence_disk_floor_files", SCRAPED, Count, NONE,
        "Inodes that must stay free on the disk: --min-free-files.";
    POOL_USED = "vidence_database_pool_used", SCRAPED, Count, OPEN,
        "Database connections in use, by pool; for SQLite's writer, its pending transactions.";
    POOL_LIMIT = "vidence_database_pool_limit", SCRAPED, Count, OPEN,
        "Limit of database connections, by pool; for SQLite's writer, of pending transactions.";
    POOL_WAITING = "vidence_database_pool_waiting", SCRAPED, Count, OPEN,
        "Callers that wait for a database connection, by pool.";

    READY = "vidence_ready", SCRAPED, Count, OPEN,
        "Whether this part answers: 1 or 0.";
    READ_ONLY = "vidence_read_only", SCRAPED, Count, OPEN,
        "Whether the disk of this part is read-only: 1 or 0.";
    DRAINING = "vidence_draining", SCRAPED, Count, NONE,
        "Whether this server is shutting down: 1 or 0.";
    BUILD = "vidence_build_info", SCRAPED, Count, OPEN,
        "Always 1; the labels are the version, and the source revision of a release build.";
    CERTIFICATE_EXPIRY = "vidence_certificate_expiry_timestamp_seconds", SCRAPED, Seconds, NONE,
        "End of validity of the TLS certificate that new connections get. Absent without TLS.";

    LOG_LINES_DROPPED = "vidence_log_lines_dropped_total", COUNTER, Count, NONE,
        "Lines that are missing in the log, because it was read too slowly.";

    PROCESS_CPU = "process_cpu_seconds_total", Kind::OnScrape(Shape::Counter), Seconds, NONE,
        "User and system CPU time. Without child processes.";
    PROCESS_RESIDENT = "process_resident_memory_bytes", SCRAPED, Bytes, NONE,
        "Resident memory, with mapped files.";
    PROCESS_VIRTUAL = "process_virtual_memory_bytes", SCRAPED, Bytes, NONE,
        "Virtual memory.";
    PROCESS_FDS = "process_open_fds", SCRAPED, Count, NONE,
        "Open file descriptors.";
    PROCESS_MAX_FDS = "process_max_fds", SCRAPED, Count, NONE,
        "Limit of open file descriptors.";
    PROCESS_THREADS = "process_threads", SCRAPED, Count, NONE,
        "Threads.";
    PROCESS_START = "process_start_time_seconds", SCRAPED, Seconds, NONE,
        "Start time since 1970.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metric_names_state_kind_and_unit() {
        for metric in ALL {
            let Metric {
                name, kind, unit, ..
            } = metric;
            let grows = matches!(kind, Kind::Counter | Kind::OnScrape(Shape::Counter));
            assert_eq!(name.ends_with("_total"), grows, "{name}");
            let base = name.trim_end_matches("_total");
            let in_unit = match unit {
                Unit::Seconds => base.ends_with("_seconds"),
                Unit::Bytes => base.ends_with("_bytes"),
                _ => !base.ends_with("_seconds") && !base.ends_with("_bytes"),
            };
            assert!(in_unit, "{name}");
            let once = ALL.iter().filter(|it| it.name == *name).count();
            assert_eq!(once, 1, "{name}");
            if let Kind::Histogram(bounds) = kind {
                assert!(bounds.is_sorted(), "{name}");
            }
        }
    }
}
