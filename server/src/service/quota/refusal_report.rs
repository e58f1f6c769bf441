//! The networks that limits refuse most often, as the log and the operator's listener tell them.
//!
//! Whole addresses are not told: a network is as much as an operator needs to give it other limits, or to shut it out.

use std::cmp::Reverse;

use ipnet::IpNet;
use tracing::warn;

use super::RefusalReason;
use crate::telemetry::refusal_reasons::REFUSAL_REASONS;

/// Maximum number of networks that a report names.
pub(super) const MAX_NAMED: usize = 20;

/// Refusals within some time, by network.
#[derive(Clone, Default)]
pub struct RefusalReport {
    /// Time from the first of these refusals to the report, in seconds.
    pub seconds: u64,
    /// The networks with most refusals, the busiest first.
    pub networks: Vec<(IpNet, ByReason)>,
    /// Refusals of all other networks.
    pub others: u64,
}

/// Refusals by reason, in the order of [`REFUSAL_REASONS`].
#[derive(Clone, Copy, Default)]
pub struct ByReason([u64; REFUSAL_REASONS.len()]);

impl RefusalReport {
    /// Keeps the busiest networks, and adds the refusals of the rest to `others`.
    pub(super) fn new(seconds: u64, mut networks: Vec<(IpNet, ByReason)>, others: u64) -> Self {
        networks.sort_by_key(|(network, counts)| (Reverse(counts.sum()), *network));
        let unnamed = networks.split_off(networks.len().min(MAX_NAMED));
        let unnamed: u64 = unnamed.iter().map(|it| it.1.sum()).sum();
        Self {
            seconds,
            networks,
            others: unnamed + others,
        }
    }

    /// Writes a log line for each network, and one for all others.
    pub(super) fn log(&self) {
        let seconds = self.seconds;
        for (network, counts) in &self.networks {
            let (refusals, reasons) = (counts.sum(), counts.to_text());
            warn!(
                %network,
                refusals, reasons, seconds, "refused requests beyond a limit"
            );
        }
        if self.others > 0 {
            warn!(
                refusals = self.others,
                seconds, "refused requests beyond a limit, from other networks"
            );
        }
    }
}

impl ByReason {
    pub(super) fn add(&mut self, reason: RefusalReason) {
        self.0[reason as usize] += 1;
    }

    pub(super) fn add_all(&mut self, counts: Self) {
        for (count, more) in self.0.iter_mut().zip(counts.0) {
            *count += more;
        }
    }

    /// Refusals for all reasons.
    pub fn sum(self) -> u64 {
        self.0.iter().sum()
    }

    /// The reasons that occurred, each with its number of refusals.
    pub fn counts(self) -> impl Iterator<Item = (&'static str, u64)> {
        let labels = REFUSAL_REASONS.into_iter();
        labels.zip(self.0).filter(|it| it.1 > 0)
    }

    /// As in `read_rate=120 call_rate=3`.
    fn to_text(self) -> String {
        let texts = self.counts().map(|(word, count)| format!("{word}={count}"));
        texts.collect::<Vec<_>>().join(" ")
    }
}
