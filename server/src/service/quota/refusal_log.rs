//! Refusals by network, for log lines and for `vidence top`.
//!
//! Refusals are summed up by network and logged once a minute, so a client can't flood the log, whatever it sends. A
//! bounded number of networks is remembered until the next report. It then begins anew: a network with many refusals is
//! probably among the first of the next minute, however many others have filled the table of this one. Of the last
//! report the few networks that it named stay for another minute, so that an operator who looks just after it sees them.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use metrics::counter;
use parking_lot::Mutex;

use super::RefusalReason;
use super::refusal_report::{ByReason, RefusalReport};
use crate::clock::Clock;
use crate::telemetry::names::REFUSALS;
use net::client_addr::ClientAddr;

/// Minimum time between two reports.
const PERIOD: Duration = Duration::from_secs(60);

/// Maximum number of networks that are counted separately between two reports: some 100 KB.
const MAX_NETWORKS: usize = 1024;

/// The refusals since the last report, by network, and that report. Cheap to clone.
#[derive(Clone)]
pub struct RefusalLog {
    clock: Clock,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    counts: Counts,
    /// The last report, with its time by [`Clock::monotonic`].
    last: Option<(Duration, RefusalReport)>,
}

#[derive(Clone, Default)]
struct Counts {
    /// Time of the first refusal by [`Clock::monotonic`]. `None`: there was none since the last report.
    since: Option<Duration>,
    by_network: HashMap<IpNet, ByReason>,
    /// Refusals of further networks than can be counted separately.
    others: u64,
}

/// Counts one refusal in the metrics. One by a client's own limit is counted by [`RefusalLog::record`] instead.
pub(in crate::service) fn count_refusal(reason: RefusalReason) {
    counter!(REFUSALS, "reason" => reason.as_str()).increment(1);
}

impl RefusalLog {
    pub(super) fn new(clock: &Clock) -> Self {
        Self {
            clock: clock.clone(),
            state: Arc::default(),
        }
    }

    /// Counts one refusal of this client, here and in the metrics.
    pub fn record(&self, client: ClientAddr, reason: RefusalReason) {
        count_refusal(reason);
        let counts = &mut self.state.lock().counts;
        counts.since.get_or_insert_with(|| self.clock.monotonic());
        counts.add(client.network_for_logs(), reason);
    }

    /// Logs what has been refused if the first refusal is a minute ago.
    pub fn report_if_due(&self) {
        let since = self.state.lock().counts.since;
        if since.is_some_and(|since| self.clock.monotonic().saturating_sub(since) >= PERIOD) {
            self.report();
        }
    }

    /// Logs what has been refused since the last report.
    pub fn report(&self) {
        let now = self.clock.monotonic();
        let mut state = self.state.lock();
        let counts = mem::take(&mut state.counts);
        if counts.since.is_some() {
            let report = counts.into_report(now);
            state.last = Some((now, report.clone()));
            drop(state);
            report.log();
        }
    }

    /// What was refused since the last report, and in that one if it is less than a minute old.
    pub fn recent(&self) -> RefusalReport {
        let now = self.clock.monotonic();
        let state = self.state.lock();
        let (mut counts, last) = (state.counts.clone(), state.last.clone());
        drop(state);
        if let Some((at, last)) = last.filter(|it| now.saturating_sub(it.0) < PERIOD) {
            counts.add_report(at, last);
        }
        counts.into_report(now)
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

    fn add_report(&mut self, at: Duration, report: RefusalReport) {
        self.since = Some(at.saturating_sub(Duration::from_secs(report.seconds)));
        for (network, counts) in report.networks {
            self.by_network.entry(network).or_default().add_all(counts);
        }
        self.others += report.others;
    }

    fn into_report(self, now: Duration) -> RefusalReport {
        let since = self.since.unwrap_or(now);
        let seconds = now.saturating_sub(since).as_secs();
        RefusalReport::new(seconds, self.by_network.into_iter().collect(), self.others)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::super::refusal_report::MAX_NAMED;
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
        assert_eq!(log.state.lock().counts.by_network.len(), MAX_NETWORKS);
        let lines = written_during(|| log.report());
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), MAX_NAMED + 1);
        assert!(
            lines[0].contains("\"0.3.232.0/24\"") && lines[0].contains("\"refusals\":10"),
            "{}",
            lines[0]
        );
        let named = u32::try_from(MAX_NAMED).expect("few");
        let rest = format!("\"refusals\":{}", all - named);
        assert!(lines[MAX_NAMED].contains(&rest), "{}", lines[MAX_NAMED]);
        assert_eq!(written_during(|| log.report()), "", "it has begun anew");
    }

    #[test]
    fn recent_refusals_are_listed_until_a_minute_after_their_report() {
        let (log, clock) = log();
        let refuse = |address| log.record(client(address), RefusalReason::ReadRate);
        let recent = || {
            let recent = log.recent();
            let networks = recent.networks.iter();
            let networks = networks.map(|it| format!("{}: {}", it.0, it.1.sum()));
            (recent.seconds, networks.collect::<Vec<_>>())
        };
        assert_eq!(recent(), (0, vec![]));
        refuse("192.0.2.7");
        clock.advance(60_000);
        assert_eq!(recent(), (60, vec!["192.0.2.0/24: 1".to_owned()]));
        log.report_if_due();
        assert_eq!(recent(), (60, vec!["192.0.2.0/24: 1".to_owned()]));
        clock.advance(59_999);
        for address in ["198.51.100.1", "198.51.100.2", "192.0.2.8", "192.0.2.9"] {
            refuse(address);
        }
        let both = ["192.0.2.0/24: 3", "198.51.100.0/24: 2"].map(str::to_owned);
        assert_eq!(recent(), (119, both.to_vec()));
        clock.advance(1);
        let since = ["192.0.2.0/24: 2", "198.51.100.0/24: 2"].map(str::to_owned);
        assert_eq!(recent(), (0, since.to_vec()), "the report is a minute old");
    }
}
