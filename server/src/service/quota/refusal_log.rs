//! Log lines about the networks that limits refuse most often.
//!
//! Refusals are summed up by network and logged once a minute, so a client can't flood the log, whatever it sends. A
//! bounded number of networks is remembered until the next report. It then begins anew: a network with many refusals is
//! probably among the first of the next minute, however many others have filled the table of this one.
//!
//! Whole addresses are not logged: a network is as much as an operator needs to give it other limits, or to shut it out.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use parking_lot::Mutex;
use tracing::warn;

use super::RefusalReason;
use crate::clock::Clock;
use net::client_addr::ClientAddr;

/// Minimum time between two reports.
const PERIOD: Duration = Duration::from_secs(60);

/// Maximum number of networks that are counted separately between two reports: some 100 KB.
const MAX_NETWORKS: usize = 1024;

/// Maximum number of networks that a report names, each in a line.
const MAX_LINES: usize = 20;

/// The refusals since the last report, by network. Cheap to clone.
#[derive(Clone)]
pub struct RefusalLog {
    clock: Clock,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    /// Time of the first refusal by [`Clock::ticking`]. `None`: there was none since the last report.
    since: Option<Duration>,
    by_network: HashMap<IpNet, ByReason>,
    /// Refusals of further networks than can be counted separately.
    others: u64,
}

/// Refusals by reason, in the order of [`RefusalReason::ALL`].
#[derive(Clone, Copy, Default)]
struct ByReason([u64; RefusalReason::ALL.len()]);

impl RefusalLog {
    pub(super) fn new(clock: &Clock) -> Self {
        Self {
            clock: clock.clone(),
            counts: Arc::default(),
        }
    }

    /// Counts one refusal of this client, here and in the metrics.
    pub fn record(&self, client: ClientAddr, reason: RefusalReason) {
        reason.count();
        let mut counts = self.counts.lock();
        counts.since.get_or_insert_with(|| self.clock.ticking());
        counts.add(client.network_for_logs(), reason);
    }

    /// Logs what has been refused if the first refusal is a minute ago.
    pub fn report_if_due(&self) {
        let since = self.counts.lock().since;
        if since.is_some_and(|since| self.clock.ticking().saturating_sub(since) >= PERIOD) {
            self.report();
        }
    }

    /// Logs what has been refused since the last report.
    pub fn report(&self) {
        let counts = mem::take(&mut *self.counts.lock());
        if let Some(since) = counts.since {
            counts.log(self.clock.ticking().saturating_sub(since).as_secs());
        }
    }
}

impl Counts {
    fn add(&mut self, network: IpNet, reason: RefusalReason) {
        let has_room = self.by_network.len() < MAX_NETWORKS;
        match self.by_network.get_mut(&network) {
            Some(counts) => counts.add(reason),
            None if has_room => self.by_network.entry(network).or_default().add(reason),
            None => self.others += 1,
        }
    }

    fn log(self, seconds: u64) {
        let mut networks: Vec<_> = self.by_network.into_iter().collect();
        networks.sort_by_key(|(network, counts)| (Reverse(counts.sum()), *network));
        let unnamed = networks.split_off(networks.len().min(MAX_LINES));
        for (network, counts) in networks {
            let (refusals, reasons) = (counts.sum(), counts.to_text());
            warn!(
                %network,
                refusals, reasons, seconds, "refused requests beyond a limit"
            );
        }
        let unnamed: u64 = unnamed.iter().map(|it| it.1.sum()).sum();
        let refusals = unnamed + self.others;
        if refusals > 0 {
            warn!(
                refusals,
                seconds, "refused requests beyond a limit, from other networks"
            );
        }
    }
}

impl ByReason {
    fn add(&mut self, reason: RefusalReason) {
        self.0[reason as usize] += 1;
    }

    fn sum(self) -> u64 {
        self.0.iter().sum()
    }

    /// As in `read_rate=120 call_rate=3`.
    fn to_text(self) -> String {
        let counted = RefusalReason::ALL.iter().zip(self.0);
        let counted = counted.filter(|(_, count)| *count > 0);
        let texts = counted.map(|(reason, count)| format!("{}={count}", reason.word()));
        texts.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::telemetry::logging::written_during;

    fn client(address: &str) -> ClientAddr {
        ClientAddr::new(address.parse().expect("an address"))
    }

    fn log() -> (RefusalLog, Clock) {
        let clock = Clock::manual();
        (RefusalLog::new(&clock), clock)
    }

    #[test]
    fn refusals_of_a_network_are_one_line_a_minute_without_an_address() {
        let (log, clock) = log();
        let lines = written_during(|| {
            log.report_if_due();
            for address in ["192.0.2.7", "192.0.2.7", "192.0.2.8"] {
                log.record(client(address), RefusalReason::ReadRate);
            }
            log.record(client("192.0.2.7"), RefusalReason::CallRate);
            log.record(client("2001:db8:1:2::7"), RefusalReason::CreateRate);
            clock.advance(59_999);
            log.report_if_due();
        });
        assert_eq!(lines, "", "before the minute is over");
        let lines = written_during(|| {
            clock.advance(1);
            log.report_if_due();
            log.report_if_due();
        });
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), 2, "{lines:#?}");
        for (line, parts) in [
            (
                lines[0],
                [
                    "\"network\":\"192.0.2.0/24\"",
                    "\"refusals\":4",
                    "\"reasons\":\"read_rate=3 call_rate=1\"",
                ],
            ),
            (
                lines[1],
                [
                    "\"network\":\"2001:db8:1::/48\"",
                    "\"refusals\":1",
                    "\"reasons\":\"create_rate=1\"",
                ],
            ),
        ] {
            for part in parts.into_iter().chain(["\"seconds\":60", "WARN"]) {
                assert!(line.contains(part), "{part} in {line}");
            }
        }
    }

    #[test]
    fn a_minute_begins_with_the_first_refusal_after_a_report() {
        let (log, clock) = log();
        let refuse = || log.record(client("192.0.2.7"), RefusalReason::ReadRate);
        refuse();
        clock.advance(60_000);
        assert_eq!(written_during(|| log.report_if_due()).lines().count(), 1);
        clock.advance(3_600_000);
        refuse();
        clock.advance(59_000);
        refuse();
        assert_eq!(written_during(|| log.report_if_due()), "");
        clock.advance(1000);
        let line = written_during(|| log.report_if_due());
        assert!(line.contains("\"refusals\":2"), "{line}");
    }

    #[test]
    fn many_networks_are_a_few_lines_in_bounded_memory_and_the_busiest_are_named() {
        let (log, _) = log();
        let network = |number: u32| ClientAddr::new(Ipv4Addr::from_bits(number << 8).into());
        let all = 100_000;
        for number in 0..all {
            log.record(network(number), RefusalReason::CallRate);
        }
        for _ in 0..9 {
            log.record(network(1000), RefusalReason::CallRate);
        }
        assert_eq!(log.counts.lock().by_network.len(), MAX_NETWORKS);
        let lines = written_during(|| log.report());
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), MAX_LINES + 1);
        assert!(
            lines[0].contains("\"0.3.232.0/24\"") && lines[0].contains("\"refusals\":10"),
            "{}",
            lines[0]
        );
        let named = u32::try_from(MAX_LINES).expect("few");
        let rest = format!("\"refusals\":{}", all - named);
        assert!(lines[MAX_LINES].contains(&rest), "{}", lines[MAX_LINES]);
        assert_eq!(written_during(|| log.report()), "", "it has begun anew");
    }
}
