//! The official MCP conformance suite, for each protocol revision that it covers.
//!
//! The suite expects a server with the tools, prompts and resources that its scenarios name. Ours has others, so some
//! scenarios fail; `conformance-….txt` records each with its reason. Any other outcome is a failure, even a better
//! one. `UPDATE_EXPECT=1` rewrites the file; new lines need a reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use expect_test::{ExpectFile, expect_file};
use serde::Deserialize;

use crate::TOOLS;
use test_support::servers::release_server::ReleaseServer;
use test_support::tools::output_of;

const SUITE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// Suffix of a scenario's folder: the time of the run.
const TIME_SUFFIX: &str = "-2026-07-28T12-34-56-789Z";

/// Placeholder of a missing reason.
const NO_REASON: &str = "WHY?";

#[tokio::test(flavor = "multi_thread")]
async fn conformance_results_of_revision_2025_are_as_recorded() {
    assert_conformance("2025-11-25", &expect_file!["conformance-2025-11-25.txt"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn conformance_results_of_revision_2026_are_as_recorded() {
    assert_conformance("2026-07-28", &expect_file!["conformance-2026-07-28.txt"]).await;
}

/// One check of a scenario.
#[derive(Deserialize)]
struct Check {
    id: String,
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Status {
    Success,
    Info,
    Failure,
    Warning,
    Skipped,
}

/// Checks by the name of their scenario.
type Scenarios = BTreeMap<String, Vec<Check>>;

async fn assert_conformance(revision: &str, recorded: &ExpectFile) {
    let server = ReleaseServer::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results");
    let mut suite = TOOLS.node("node");
    suite
        .arg(TOOLS.file(SUITE))
        .args(["server", "--url", &format!("{}/mcp", server.url())])
        .args(["--requirements", revision, "--output-dir"])
        .arg(&results);
    // Its status alone says nothing: some scenarios always fail.
    let output = output_of(&mut suite, folder.path()).await;
    println!("{}", String::from_utf8_lossy(&output.stdout));
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));

    let before = recorded.data();
    let outcome = outcome(&scenarios(&results), &reasons(&before));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        recorded.assert_eq(&outcome);
    }
    let changes = changes(&recorded.data(), &outcome);
    assert!(changes.is_empty(), "{revision} has changed:\n{changes}");
    assert!(!outcome.contains(NO_REASON), "without a reason:\n{outcome}");
}

/// Reads the results in this folder.
fn scenarios(results: &Path) -> Scenarios {
    let folders = fs::read_dir(results).expect("results");
    let scenarios = folders.map(|folder| {
        let folder = folder.expect("a folder").path();
        let name = folder.file_name().and_then(|it| it.to_str());
        let name = name.and_then(|it| it.strip_prefix("server-"));
        let name = name.and_then(|it| it.get(..it.len().checked_sub(TIME_SUFFIX.len())?));
        let checks = fs::read(folder.join("checks.json")).expect("checks");
        let checks = serde_json::from_slice(&checks).expect("checks");
        (name.expect("a scenario").to_owned(), checks)
    });
    scenarios.collect()
}

/// A line for each scenario with the number of passed checks, and below it a line for each other check with its
/// reason.
fn outcome(scenarios: &Scenarios, reasons: &Reasons) -> String {
    let mut lines = Vec::new();
    for (scenario, checks) in scenarios {
        let passed = checks.iter().filter(|it| it.status == Status::Success);
        lines.push(format!("{scenario}: {} passed", passed.count()));
        let mut others = BTreeMap::<_, usize>::new();
        for check in checks {
            if check.status != Status::Success {
                *others.entry((check.status, &check.id)).or_default() += 1;
            }
        }
        for ((status, id), count) in others {
            let exception = format!("{count} {status:?} {id}").to_lowercase();
            let reason = reasons.get(&(scenario.clone(), exception.clone()));
            let reason = reason.map_or(NO_REASON, String::as_str);
            lines.push(format!("  {exception}: {reason}"));
        }
    }
    lines.join("\n") + "\n"
}

/// Reasons by scenario and exception.
type Reasons = BTreeMap<(String, String), String>;

/// The recorded reasons.
fn reasons(recorded: &str) -> Reasons {
    let exceptions = lines(recorded).into_iter().filter_map(|(scenario, line)| {
        let (exception, reason) = line.strip_prefix("  ")?.split_once(": ")?;
        let exception = (scenario.to_owned(), exception.to_owned());
        Some((exception, reason.to_owned()))
    });
    exceptions.collect()
}

/// Removed and added lines.
fn changes(before: &str, after: &str) -> String {
    let (before, after) = (lines(before), lines(after));
    let difference = |some: &[(&str, &str)], others: &[(&str, &str)], sign: &str| {
        let some = some.iter().filter(|line| !others.contains(line));
        some.map(|(scenario, line)| format!("{sign} {scenario} | {}\n", line.trim()))
            .collect::<String>()
    };
    difference(&before, &after, "-") + &difference(&after, &before, "+")
}

/// Each line with its scenario.
fn lines(outcome: &str) -> Vec<(&str, &str)> {
    let mut scenario = "";
    let lines = outcome.lines().map(|line| {
        if let Some((name, _)) = line.split_once(": ")
            && !name.starts_with(' ')
        {
            scenario = name;
        }
        (scenario, line)
    });
    lines.collect()
}
