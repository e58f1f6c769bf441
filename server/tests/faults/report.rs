//! One line for each test, so that a run of all of them makes a table.

use std::fmt::{Display, Write};

use super::audit::Audit;
use test_support::ledger::Ledger;
use test_support::scale::seed;

/// What was sent, and what an audit found of it; of several stages, one after the other.
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
    /// Adds those of one stage.
    pub fn add(&mut self, ledger: &Ledger, audit: &Audit) {
        self.sent += ledger.tried();
        self.acknowledged += ledger.appends().len();
        self.takes += audit.takes;
        self.bytes += audit.acknowledged;
        self.lost += audit.lost;
        self.differing += audit.differing.len();
        self.orphans += audit.orphans.len();
    }

    /// Says what was done, and what came of it.
    pub fn report(&self, scenario: &str, stage: &str, faults: &[(&str, u64)]) {
        let mut line = format!("\n{scenario:<22} {stage:<8}");
        let mut add = |value: &dyn Display, of: &str| {
            write!(line, " {value:>8} {of}").expect("a string takes everything");
        };
        for (of, count) in faults {
            add(count, of);
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

/// Says what was done on one stage, and what came of it.
pub fn report(scenario: &str, stage: &str, faults: &[(&str, u64)], ledger: &Ledger, audit: &Audit) {
    let mut totals = Totals::default();
    totals.add(ledger, audit);
    totals.report(scenario, stage, faults);
}
