//! One line for each test, so that a run of all of them makes a table.

use std::fmt::Display;

use super::audit::Audit;
use super::ledger::Ledger;
use super::scale::seed;

/// Says what was done, and what came of it.
pub fn report(scenario: &str, stage: &str, faults: &[(&str, u64)], ledger: &Ledger, audit: &Audit) {
    let mut line = format!("\n{scenario:<22} {stage:<8}");
    let mut add = |value: &dyn Display, of: &str| line.push_str(&format!(" {value:>8} {of}"));
    for (of, count) in faults {
        add(count, of);
    }
    add(&ledger.tried(), "appends sent");
    add(&ledger.appends().len(), "acknowledged");
    add(&audit.takes, "takes");
    add(&audit.acknowledged, "bytes safe");
    add(&audit.lost, "lost");
    add(&audit.differing.len(), "differ");
    add(&audit.orphans.len(), "orphans");
    println!("{line}  (seed {})", seed());
}
