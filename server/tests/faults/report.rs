//! One line of results for each test, so that a whole run prints a table.

use std::fmt::{Display, Write};

use crate::audit::Audit;
use test_support::clients::ledger::Ledger;
use test_support::scale::seed;

/// Results of one or several environments.
#[derive(Debug, Default)]
pub struct Totals {
    sent: u64,
    acknowledged: usize,
    takes: usize,
    bytes: u64,
    lost: u64,
    differing: usize,
    orphans: usize,
}

impl Totals {
    /// Adds the results of one environment.
    pub fn add(&mut self, ledger: &Ledger, audit: &Audit) {
        self.sent += ledger.attempts();
        self.acknowledged += ledger.appends().len();
        self.takes += audit.takes;
        self.bytes += audit.acknowledged;
        self.lost += audit.lost;
        self.differing += audit.differing.len();
        self.orphans += audit.orphans.len();
    }

    /// Prints one line of results.
    pub fn report(&self, scenario: &str, environment: &str, faults: &[(&str, u64)]) {
        let mut line = format!("\n{scenario:<22} {environment:<11}");
        let mut add = |value: &dyn Display, what: &str| {
            write!(line, " {value:>8} {what}").expect("a string takes everything");
        };
        for (what, count) in faults {
            add(count, what);
        }
        add(&self.sent, "appends sent");
        add(&self.acknowledged, "acknowledged");
        add(&self.takes, "takes");
        add(&self.bytes, "bytes safe");
        add(&self.lost, "lost");
        add(&self.differing, "objects differ");
        add(&self.orphans, "orphans");
        println!("{line}  (seed {})", seed());
    }
}

/// Prints the results of one environment.
pub fn report(
    scenario: &str,
    environment: &str,
    faults: &[(&str, u64)],
    ledger: &Ledger,
    audit: &Audit,
) {
    let mut totals = Totals::default();
    totals.add(ledger, audit);
    totals.report(scenario, environment, faults);
}
