//! Everything that is measured: names, units, what they mean, and which values their labels can have.
//!
//! Base units, as Prometheus wants them. No label ever holds an id, an address, or anything else that callers
//! choose: only what stands in the code.

use metrics::Unit;

/// One metric.
pub struct Metric {
    /// What it is called.
    pub name: &'static str,
    /// What can be done with it.
    pub kind: Kind,
    /// In what it counts.
    pub unit: Unit,
    /// What it says.
    pub help: &'static str,
    /// What it is told apart by.
    pub labels: Labels,
}

/// What a metric is told apart by.
#[derive(Clone, Copy)]
pub enum Labels {
    /// By nothing. It is there from the start, at zero, so that a first failure shows as a step.
    None,
    /// By one label, all of whose values are known: likewise.
    Known(&'static str, &'static [&'static str]),
    /// By what happens.
    Open,
}

/// What can be done with a metric.
#[derive(Clone, Copy)]
pub enum Kind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// How often which values came, by these upper bounds.
    Histogram(&'static [f64]),
    /// A counter or a gauge that is looked up when somebody asks. Where that fails it isn't there.
    OnScrape(Shape),
}

/// What Prometheus is told that a looked-up number is.
#[derive(Clone, Copy)]
pub enum Shape {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
}

/// Answers: from what is in memory to what is too long.
const ANSWERS: &[f64] = &[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

/// The disk's and the database's part: a sync takes milliseconds, a commit of more than five minutes is refused.
const COMMITS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0,
];

/// Of a film: the look at all of its bytes, the decoding of twelve frames.
const FILMS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0,
];

/// The two queues of work on a complete take.
pub const WORK_ON_TAKES: &[&str] = &["seal", "stills"];

macro_rules! metrics {
    ($($ident:ident = $name:literal, $kind:expr, $unit:ident, $labels:expr, $help:literal;)*) => {
        $(#[doc = $help] pub const $ident: &str = $name;)*

        /// All there are.
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
const LOOKED: Kind = Kind::OnScrape(Shape::Gauge);
const NONE: Labels = Labels::None;
const OPEN: Labels = Labels::Open;

const fn by(label: &'static str, values: &'static [&'static str]) -> Labels {
    Labels::Known(label, values)
}

metrics! {
    REQUESTS = "vidence_http_requests_total", COUNTER, Count, OPEN,
        "HTTP requests that are over, by method, route and status; \"none\" where the caller hung up before there was one.";
    REQUEST_DURATION = "vidence_http_request_duration_seconds", Kind::Histogram(ANSWERS), Seconds, OPEN,
        "From the head of a request to the head of its answer: of an upload that takes as long as its sender does. Without those whose callers asked to wait for a submission.";
    REQUESTS_UNDER_WAY = "vidence_http_requests_under_way", GAUGE, Count, OPEN,
        "HTTP requests whose answers haven't ended.";

    CONNECTIONS = "vidence_connections", GAUGE, Count, NONE,
        "Connections that are open.";
    CONNECTIONS_CLOSED = "vidence_connections_closed_total", COUNTER, Count,
        by("why", &["idle", "stalled", "share"]),
        "Connections that the server ended: they had nothing to do, got nowhere, or their address has its share.";

    TRANSITIONS = "vidence_request_transitions_total", COUNTER, Count,
        by("to", &["awaiting_submission", "submitted", "expired", "deleted"]),
        "Requests for video that came into a state.";
    REQUEST_COUNT = "vidence_requests", LOOKED, Count, OPEN,
        "Requests for video whose bytes aren't removed, by state. Those that are expired or deleted are the sweeper's backlog.";
    WAITS = "vidence_waits_under_way", LOOKED, Count, NONE,
        "Callers who wait for a request to move on.";
    TAKES_BEGUN = "vidence_takes_begun_total", COUNTER, Count, NONE,
        "Recordings begun.";
    TAKES_ENDED = "vidence_takes_ended_total", COUNTER, Count, NONE,
        "Recordings that no longer grew, removed to make room for a new one of the same request.";
    TAKES_COMPLETED = "vidence_takes_completed_total", COUNTER, Count, NONE,
        "Recordings completely uploaded.";
    TAKES_POISONED = "vidence_takes_poisoned_total", COUNTER, Count, NONE,
        "Recordings given up because the disk took bytes and didn't keep them.";

    RECEIVED = "vidence_upload_received_bytes_total", COUNTER, Bytes, NONE,
        "Bytes of recordings that arrived.";
    COMMITTED = "vidence_upload_committed_bytes_total", COUNTER, Bytes, NONE,
        "Bytes of recordings that are durable and in the manifest.";
    COMMIT_DURATION = "vidence_commit_duration_seconds", Kind::Histogram(COMMITS), Seconds, NONE,
        "From the first byte of an object's put to its rows. Without those that wait for a digest.";
    COMMIT_OBJECT_DURATION = "vidence_commit_object_duration_seconds", Kind::Histogram(COMMITS), Seconds, NONE,
        "The put of an object alone.";
    COMMIT_ROWS_DURATION = "vidence_commit_rows_duration_seconds", Kind::Histogram(COMMITS), Seconds, NONE,
        "The commit of its rows alone, with the wait for a connection.";
    COMMIT_LAG = "vidence_commit_lag_seconds", Kind::Histogram(COMMITS), Seconds, NONE,
        "From the arrival of the first byte of what is committed to its commit: as much of a recording as a crash would cost. Up to two seconds are meant.";
    UPLOAD_MEMORY_USED = "vidence_upload_memory_used_bytes", LOOKED, Bytes, NONE,
        "Memory for bytes that arrived and aren't durable.";
    UPLOAD_MEMORY_LIMIT = "vidence_upload_memory_limit_bytes", LOOKED, Bytes, NONE,
        "The most of it: --upload-memory.";

    STREAMED = "vidence_streamed_bytes_total", COUNTER, Bytes, NONE,
        "Bytes of videos, and of pictures of them, that were read to be sent.";
    STREAMS_BROKEN = "vidence_streams_broken_total", COUNTER, Count, NONE,
        "Streams that ended early because their bytes couldn't be read.";
    STREAM_MEMORY_USED = "vidence_stream_memory_used_bytes", LOOKED, Bytes, NONE,
        "Memory for large pieces on their way out.";
    STREAM_MEMORY_LIMIT = "vidence_stream_memory_limit_bytes", LOOKED, Bytes, NONE,
        "The most of it: what finds none goes out in small pieces.";

    SEALING_DURATION = "vidence_sealing_duration_seconds", Kind::Histogram(FILMS), Seconds, by("work", WORK_ON_TAKES),
        "Work on a complete recording that came to its end, by work: making it a video, or making stills of it.";
    SEALING_FAILURES = "vidence_sealing_failures_total", COUNTER, Count, by("work", WORK_ON_TAKES),
        "Work on a complete recording that failed and is tried again later.";
    SEALING_GIVEN_UP = "vidence_sealing_given_up_total", COUNTER, Count, by("work", WORK_ON_TAKES),
        "Work on a complete recording that failed too often.";
    SEALING_REFUSED = "vidence_sealing_refused_total", COUNTER, Count,
        by("why", &["unreadable", "no_video", "no_frame"]),
        "Complete recordings that are no video.";
    SEALING_QUEUE = "vidence_sealing_queue", LOOKED, Count, OPEN,
        "Complete recordings that wait for this work, or are worked on.";
    SEALING_QUEUE_OLDEST = "vidence_sealing_queue_oldest_seconds", LOOKED, Seconds, OPEN,
        "Since when the first of them does.";
    STILLS = "vidence_stills_total", COUNTER, Count, NONE,
        "Pictures made of videos.";
    WITHOUT_STILLS = "vidence_videos_without_stills_total", COUNTER, Count, NONE,
        "Videos of which no pictures could be made.";

    ORPHANS_FOUND = "vidence_orphans_found_total", COUNTER, Count, NONE,
        "Objects found that no row names.";
    ORPHANS_REMOVED = "vidence_orphans_removed_total", COUNTER, Count, NONE,
        "Those of them that are removed.";
    ROUNDS = "vidence_rounds_total", COUNTER, Count, OPEN,
        "Rounds of work that is done again and again, by work and outcome: done, failed or died.";
    ROUND_LAST = "vidence_round_last_success_timestamp_seconds", LOOKED, Seconds, OPEN,
        "When such work last succeeded, by this server's clock.";
    ROUND_AGE = "vidence_round_age_seconds", LOOKED, Seconds, OPEN,
        "Since then; before the first success, since the start.";
    SWEPT = "vidence_sweeper_removed_requests_total", COUNTER, Count, NONE,
        "Requests whose bytes the sweeper has removed.";
    ABANDONED = "vidence_sweeper_abandoned_takes_total", COUNTER, Count, NONE,
        "Recordings that nobody came back to, removed by the sweeper.";
    SWEEP_FAILURES = "vidence_sweeper_failures_total", COUNTER, Count, NONE,
        "Requests and recordings whose bytes the sweeper couldn't remove this time.";
    OVERDUE = "vidence_sweeper_overdue_seconds", LOOKED, Seconds, NONE,
        "How long the first of those requests has been expired whose bytes are still there. Up to 60 are meant. What was deleted and stays shows in the sweeper's failures.";

    CLOCK_AHEAD = "vidence_clock_ahead_seconds", LOOKED, Seconds, NONE,
        "How far the clock jumped forward without having stayed there for ten minutes yet. What is over only by that is refused, and isn't removed. Else 0.";

    REFUSALS = "vidence_quota_refusals_total", COUNTER, Count, by("kind", &["create", "read", "bytes", "flood"]),
        "Calls that were refused because their caller has had enough: creations, reads, bytes, anything at all.";
    SLOWED = "vidence_quota_slowed_total", COUNTER, Count, NONE,
        "Calls of senders that had to wait their turn.";
    SLOWED_NOW = "vidence_quota_slowed_under_way", LOOKED, Count, NONE,
        "Those that wait now.";
    NO_ROOM = "vidence_room_refusals_total", COUNTER, Count, NONE,
        "Bytes refused because there is no room for them.";

    STORED = "vidence_stored_bytes", LOOKED, Bytes, NONE,
        "What counts against --max-stored-bytes: bytes of everything stored and being stored, and 4096 for each object. As of the last sweep and what this server has added since.";
    STORED_LIMIT = "vidence_stored_limit_bytes", LOOKED, Bytes, NONE,
        "The most of it; absent where there is none.";
    DISK_FREE = "vidence_disk_free_bytes", LOOKED, Bytes, NONE,
        "What is free on the disk with the videos; absent with a bucket.";
    DISK_SIZE = "vidence_disk_size_bytes", LOOKED, Bytes, NONE,
        "How large that disk is.";
    DISK_FLOOR = "vidence_disk_floor_bytes", LOOKED, Bytes, NONE,
        "What must stay free on it: --min-free-bytes.";
    DISK_FREE_FILES = "vidence_disk_free_files", LOOKED, Count, NONE,
        "Files that can still be made on it; absent where there is no fixed number of them.";
    DISK_FLOOR_FILES = "vidence_disk_floor_files", LOOKED, Count, NONE,
        "How many must stay so: --min-free-files.";
    POOL_USED = "vidence_database_pool_used", LOOKED, Count, OPEN,
        "Database connections in use, by pool; of SQLite's writer, transactions that it has before it.";
    POOL_LIMIT = "vidence_database_pool_limit", LOOKED, Count, OPEN,
        "As many as there can be.";
    POOL_WAITING = "vidence_database_pool_waiting", LOOKED, Count, OPEN,
        "Callers who wait for one.";

    READY = "vidence_ready", LOOKED, Count, OPEN,
        "Whether this part answers: 1 or 0.";
    DRAINING = "vidence_draining", LOOKED, Count, NONE,
        "Whether this server was told to stop: 1 or 0.";
    BUILD = "vidence_build_info", LOOKED, Count, OPEN,
        "1; its version.";

    PROCESS_CPU = "process_cpu_seconds_total", Kind::OnScrape(Shape::Counter), Seconds, NONE,
        "Processor time of this server, in user and kernel mode. Without its children.";
    PROCESS_RESIDENT = "process_resident_memory_bytes", LOOKED, Bytes, NONE,
        "Memory of this server, with what it maps of files.";
    PROCESS_VIRTUAL = "process_virtual_memory_bytes", LOOKED, Bytes, NONE,
        "Its address space.";
    PROCESS_FDS = "process_open_fds", LOOKED, Count, NONE,
        "Files and connections that it has open.";
    PROCESS_MAX_FDS = "process_max_fds", LOOKED, Count, NONE,
        "As many as it may have.";
    PROCESS_THREADS = "process_threads", LOOKED, Count, NONE,
        "Its threads.";
    PROCESS_START = "process_start_time_seconds", LOOKED, Seconds, NONE,
        "When it was started, since 1970.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_count_and_in_what() {
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
