//! How much of everything: the one place for counts.

use std::sync::LazyLock;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The counts of one run.
#[derive(Debug)]
pub struct Scale {
    /// How often the laptop's server is killed.
    pub laptop_kills: usize,
    /// How often a node of the cluster is killed.
    pub cluster_kills: usize,
    /// Connections to be cut in mid-body, at least.
    pub cuts: u64,
    /// Refusals by a full disk, at least.
    pub full_disk_refusals: usize,
    /// Appends that race on the laptop, in all.
    pub laptop_races: usize,
    /// Appends that race between the nodes of the cluster.
    pub cluster_races: usize,
    /// How often the database and the bucket go, each.
    pub outages: usize,
    /// How often a release is rolled out, and back.
    pub rollouts: usize,
    /// Takes that are uploaded while syncs fail, for each kind of sync.
    pub takes_on_a_failing_disk: usize,
    /// Slow uploads at once.
    pub crowd: u64,
    /// Pieces that each of them sends, ten a second.
    pub crowd_pieces: u64,
    /// Bytes of a film that other people's clients send, at least.
    pub film_bytes: u64,
    /// The age at which their connections are cut.
    pub film_cut_after: Duration,
}

/// Some seconds for each test: what is run before every change.
const SHORT: Scale = Scale {
    laptop_kills: 10,
    cluster_kills: 5,
    cuts: 40,
    full_disk_refusals: 8,
    laptop_races: 600,
    cluster_races: 600,
    outages: 2,
    rollouts: 1,
    takes_on_a_failing_disk: 3,
    crowd: 60,
    crowd_pieces: 100,
    film_bytes: 20_000_000,
    film_cut_after: Duration::from_millis(500),
};

/// What is run before a release.
const LONG: Scale = Scale {
    laptop_kills: 700,
    cluster_kills: 300,
    cuts: 2000,
    full_disk_refusals: 100,
    laptop_races: 80_000,
    cluster_races: 24_000,
    outages: 20,
    rollouts: 10,
    takes_on_a_failing_disk: 200,
    crowd: 500,
    crowd_pieces: 150,
    film_bytes: 200_000_000,
    film_cut_after: Duration::from_secs(2),
};

/// Nothing that works takes so long: a caller who waited this long has found a server that is stuck.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The counts of this run: `VIDENCE_FAULTS=long` for many.
pub fn scale() -> &'static Scale {
    match std::env::var("VIDENCE_FAULTS").as_deref() {
        Ok("long") => &LONG,
        Err(_) | Ok("short") => &SHORT,
        Ok(other) => panic!("VIDENCE_FAULTS is short or long, not {other}"),
    }
}

/// What this run's dice begin with. Given again as `VIDENCE_FAULTS_SEED`, the same bodies and moments
/// are drawn; what the machine makes of them is its own affair.
pub fn seed() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| match std::env::var("VIDENCE_FAULTS_SEED") {
        Ok(seed) => seed.parse().expect("VIDENCE_FAULTS_SEED is a number"),
        Err(_) => rand::random(),
    });
    *SEED
}

/// Dice of one's own: the same run throws the same for the same `player`.
pub fn dice(player: u64) -> StdRng {
    StdRng::seed_from_u64(seed().wrapping_add(player))
}
