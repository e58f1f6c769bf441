//! The counts of each fault test, in a short and a long version.

use std::sync::LazyLock;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The counts of one run.
#[derive(Debug)]
pub struct Scale {
    /// Kills of a single node on SQLite.
    pub sqlite_kills: usize,
    /// Kills of a node of the cluster.
    pub postgres_s3_kills: usize,
    /// Power cuts of a node on SQLite, on each file system.
    pub power_cuts: usize,
    /// Power cuts of a node beside PostgreSQL.
    pub postgres_power_cuts: usize,
    /// Jumps of the system clock of one server.
    pub clock_jumps: usize,
    /// How long a day lasts by the tests' clock. It is a part of one in the short version.
    pub day: Duration,
    /// Connections cut within a request body, at least.
    pub connection_cuts: u64,
    /// Refusals because of a full disk, at least.
    pub full_disk_refusals: usize,
    /// Racing appends on SQLite, in all.
    pub sqlite_races: usize,
    /// Racing appends between the nodes of the cluster.
    pub postgres_s3_races: usize,
    /// Histories of concurrent calls on one request.
    pub histories: usize,
    /// Outages each of the database and of the bucket.
    pub outages: usize,
    /// Failovers of a replicated database.
    pub failovers: usize,
    /// Periods in which the bucket misbehaves, for each way to do so.
    pub bucket_faults: usize,
    /// Rollouts of a release, each with its rollback.
    pub rollouts: usize,
    /// Takes uploaded while syncs fail, for each kind of sync.
    pub failing_disk_takes: usize,
    /// How many of the calls that change the disk fail in turn, for each way to fail.
    pub failing_calls: usize,
    /// The same, of a report and a takedown, which takes two seconds.
    pub failing_moderation_calls: usize,
    /// The same, of a server's first start.
    pub failing_first_start_calls: usize,
    /// Concurrent slow uploads.
    pub slow_uploads: u64,
    /// Pieces that each of them sends, at ten a second.
    pub slow_upload_pieces: u64,
    /// Bytes of the recording that third-party clients upload, at least.
    pub recording_bytes: u64,
    /// Age at which their connections are cut.
    pub recording_cut_after: Duration,
}

/// Some seconds each: run before every change.
const SHORT: Scale = Scale {
    sqlite_kills: 10,
    postgres_s3_kills: 5,
    power_cuts: 4,
    postgres_power_cuts: 2,
    clock_jumps: 12,
    day: Duration::from_secs(25),
    connection_cuts: 40,
    full_disk_refusals: 8,
    sqlite_races: 600,
    postgres_s3_races: 600,
    histories: 150,
    outages: 2,
    failovers: 1,
    bucket_faults: 1,
    rollouts: 1,
    failing_disk_takes: 3,
    failing_calls: 24,
    failing_moderation_calls: 8,
    failing_first_start_calls: 12,
    slow_uploads: 60,
    slow_upload_pieces: 100,
    recording_bytes: 20_000_000,
    recording_cut_after: Duration::from_millis(500),
};

/// Run before a release.
const LONG: Scale = Scale {
    sqlite_kills: 700,
    postgres_s3_kills: 300,
    power_cuts: 250,
    postgres_power_cuts: 250,
    clock_jumps: 400,
    day: Duration::from_secs(60 * 60),
    connection_cuts: 2000,
    full_disk_refusals: 100,
    sqlite_races: 80_000,
    postgres_s3_races: 24_000,
    histories: 10_000,
    outages: 20,
    failovers: 20,
    bucket_faults: 20,
    rollouts: 10,
    failing_disk_takes: 200,
    failing_calls: usize::MAX,
    failing_moderation_calls: usize::MAX,
    failing_first_start_calls: usize::MAX,
    slow_uploads: 500,
    slow_upload_pieces: 150,
    recording_bytes: 200_000_000,
    recording_cut_after: Duration::from_secs(2),
};

/// Timeout of everything: longer than any working operation takes, even on a busy machine.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The counts of this run, by `VIDENCE_FAULTS` (`short` or `long`).
pub fn scale() -> &'static Scale {
    match std::env::var("VIDENCE_FAULTS").as_deref() {
        Ok("long") => &LONG,
        Err(_) | Ok("short") => &SHORT,
        Ok(other) => panic!("VIDENCE_FAULTS is short or long, not {other}"),
    }
}

/// Seed of this run, by `VIDENCE_FAULTS_SEED` or at random.
/// The same seed draws the same bodies and moments, but scheduling still varies.
pub fn seed() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| match std::env::var("VIDENCE_FAULTS_SEED") {
        Ok(seed) => seed.parse().expect("VIDENCE_FAULTS_SEED is a number"),
        Err(_) => rand::random(),
    });
    *SEED
}

/// A random generator for the client `number`, reproducible from the seed of the run.
pub fn seeded_rng(number: u64) -> StdRng {
    StdRng::seed_from_u64(seed().wrapping_add(number))
}
