//! The files for operators and the workflows, checked by the programs that read them. nginx and Caddy: `proxied`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TOOLS;
use test_support::tools::run;

pub fn deploy_file(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(file)
}

pub fn deploy_text(file: &str) -> String {
    std::fs::read_to_string(deploy_file(file)).expect("a file that we ship")
}

/// The units: of the server, and of the daily check.
const UNITS: [&str; 2] = ["vidence.service", "vidence-check.service"];

/// A unit, with the tested program in the place of the installed one: systemd-analyze checks that it exists.
fn unit(name: &str, folder: &Path) -> PathBuf {
    let start = "ExecStart=vidence ";
    let unit = deploy_text(&format!("systemd/{name}"));
    assert_eq!(unit.matches(start).count(), 1);
    let unit = unit.replace(
        start,
        concat!("ExecStart=", env!("CARGO_BIN_EXE_vidence"), " "),
    );
    let file = folder.join(name);
    std::fs::write(&file, unit).expect("a file");
    file
}

#[test]
fn systemd_analyze_accepts_the_units_and_the_timer() {
    let folder = tempfile::tempdir().expect("a folder");
    let checked = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .args(UNITS.map(|it| unit(it, folder.path())))
        .arg(deploy_file("systemd/vidence-check.timer"))
        .output()
        .expect("systemd-analyze");
    // An unknown key is only a warning with status 0.
    let stderr = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && stderr.is_empty(), "{stderr}");
}

/// Of ten, where ten is a service that may do everything.
#[test]
fn the_units_are_exposed_by_less_than_2() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in UNITS {
        let checked = Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager", "--threshold=19"])
            .arg(unit(name, folder.path()))
            .output()
            .expect("systemd-analyze");
        let said = String::from_utf8_lossy(&checked.stdout);
        assert!(
            checked.status.success() && said.contains("Overall exposure"),
            "{said}"
        );
    }
}

/// The server tells systemd that it is ready and well, and by its exit status whether a restart can help.
#[test]
fn the_systemd_unit_uses_the_notifications_of_the_server() {
    let unit = deploy_text("systemd/vidence.service");
    for line in ["Type=notify", "RestartPreventExitStatus=2"] {
        assert!(unit.lines().any(|it| it == line), "{line}");
    }
    assert!(unit.contains("\nWatchdogSec="));
}

#[tokio::test]
async fn compose_files_match_the_specification() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut check = TOOLS.python("check-jsonschema");
    check.args(["--builtin-schema", "vendor.compose-spec"]);
    check.args(["compose/compose.yaml", "compose/compose.small.yaml"].map(deploy_file));
    run(&mut check, folder.path()).await;
}

/// No run of the tests executes them.
#[tokio::test]
async fn workflows_match_the_schema_of_github() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/workflows");
    let workflows = std::fs::read_dir(&folder).expect("a folder");
    let workflows = workflows.map(|it| it.expect("an entry").file_name());
    let mut check = TOOLS.python("check-jsonschema");
    check.args(["--builtin-schema", "vendor.github-workflows"]);
    run(check.args(workflows), &folder).await;
}

/// Names of the variables that a compose file reads and has no default for.
fn variables(file: &str) -> BTreeSet<String> {
    let compose = deploy_text(file);
    let used = compose.split("${").skip(1).filter_map(|it| {
        let end = it.find(|it: char| !it.is_ascii_uppercase() && it != '_' && !it.is_ascii_digit());
        let (name, rest) = it.split_at(end.expect("an end"));
        (!rest.starts_with(":-")).then(|| name.to_owned())
    });
    used.collect()
}

/// It needs one setting, which its first lines and the operations page write to `.env`.
#[test]
fn a_small_compose_setup_needs_only_the_host_name() {
    let host = BTreeSet::from(["VIDENCE_HOST".to_owned()]);
    assert_eq!(variables("compose/compose.small.yaml"), host);
}

/// A variable without a line would be empty, and a line without a variable would have no effect.
#[test]
fn env_example_lists_every_compose_variable() {
    let example = deploy_text("compose/env.example");
    let lines = example.lines().filter(|line| !line.starts_with('#'));
    let given = lines.filter_map(|line| Some(line.split_once('=')?.0.to_owned()));
    assert_eq!(variables("compose/compose.yaml"), given.collect());
}
