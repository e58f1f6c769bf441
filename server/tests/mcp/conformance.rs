//! What the conformance suite of those who write the protocol says of the endpoint, for each revision that
//! it has requirements of.
//!
//! It was made for servers that bring the tools, prompts and resources that it asks for by name. Ours has its
//! own, so that some scenarios fail, and are written down with why: `conformance-….txt`, next to this file.
//! Any other outcome fails, a better one too. With `UPDATE_EXPECT=1` the file is written anew; what is new in
//! it wants a reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use expect_test::{ExpectFile, expect_file};
use serde::Deserialize;

use crate::TOOLS;
use test_support::shipped::Shipped;
use test_support::tools::ended;

const SUITE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// How the folder of a scenario ends: with when it was run.
const WHEN: &str = "-2026-07-28T12-34-56-789Z";

/// What stands where a reason is missing.
const NO_REASON: &str = "WHY?";

#[tokio::test(flavor = "multi_thread")]
async fn it_conforms_to_the_revision_of_2025_as_far_as_is_written_down() {
    conforms("2025-11-25", &expect_file!["conformance-2025-11-25.txt"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_conforms_to_the_revision_of_2026_as_far_as_is_written_down() {
    conforms("2026-07-28", &expect_file!["conformance-2026-07-28.txt"]).await;
}

/// Something that a scenario looks at.
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

/// Scenarios by their names, with what each looks at.
type Scenarios = BTreeMap<String, Vec<Check>>;

async fn conforms(revision: &str, written_down: &ExpectFile) {
    let shipped = Shipped::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results");
    let mut suite = TOOLS.node("node");
    suite
        .arg(TOOLS.file(SUITE))
        .args(["server", "--url", &format!("{}/mcp", shipped.url())])
        .args(["--requirements", revision, "--output-dir"])
        .arg(&results);
    // That some fail is no news: which ones are.
    let output = ended(&mut suite, folder.path()).await;
    println!("{}", String::from_utf8_lossy(&output.stdout));
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));

    let before = written_down.data();
    let outcome = outcome(&scenarios(&results), &reasons(&before));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        written_down.assert_eq(&outcome);
    }
    let changes = changes(&written_down.data(), &outcome);
    assert!(changes.is_empty(), "{revision} has changed:\n{changes}");
    assert!(!outcome.contains(NO_REASON), "without a reason:\n{outcome}");
}

/// What the suite has left in this folder.
fn scenarios(results: &Path) -> Scenarios {
    let folders = fs::read_dir(results).expect("results");
    let scenarios = folders.map(|folder| {
        let folder = folder.expect("a folder").path();
        let name = folder.file_name().and_then(|it| it.to_str());
        let name = name.and_then(|it| it.strip_prefix("server-"));
        let name = name.and_then(|it| it.get(..it.len().checked_sub(WHEN.len())?));
        let checks = fs::read(folder.join("checks.json")).expect("checks");
        let checks = serde_json::from_slice(&checks).expect("checks");
        (name.expect("a scenario").to_owned(), checks)
    });
    scenarios.collect()
}

/// A line for each scenario, with how many checks it passes; below it a line for each other one, and why.
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

/// Why there is an exception, by its scenario.
type Reasons = BTreeMap<(String, String), String>;

/// Those that are written down.
fn reasons(written_down: &str) -> Reasons {
    let exceptions = lines(written_down)
        .into_iter()
        .filter_map(|(scenario, line)| {
            let (exception, reason) = line.strip_prefix("  ")?.split_once(": ")?;
            let exception = (scenario.to_owned(), exception.to_owned());
            Some((exception, reason.to_owned()))
        });
    exceptions.collect()
}

/// What is no longer so, and what is new.
fn changes(before: &str, after: &str) -> String {
    let (before, after) = (lines(before), lines(after));
    let but = |some: &[(&str, &str)], others: &[(&str, &str)], sign: &str| {
        let some = some.iter().filter(|line| !others.contains(line));
        some.map(|(scenario, line)| format!("{sign} {scenario} | {}\n", line.trim()))
            .collect::<String>()
    };
    but(&before, &after, "-") + &but(&after, &before, "+")
}

/// Each line with the scenario that it is about.
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
