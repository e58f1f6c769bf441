//! What we ship for operators, as the programs read it that it is for. nginx and Caddy: `proxied`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TOOLS;
use test_support::tools::run;

pub fn shipped(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("deploy")
        .join(file)
}

pub fn text(file: &str) -> String {
    std::fs::read_to_string(shipped(file)).expect("a file that we ship")
}

#[test]
fn systemd_finds_nothing_wrong_with_the_unit() {
    let folder = tempfile::tempdir().expect("a folder");
    // It looks whether there is such a program.
    let installed = "/usr/local/bin/vidence";
    let unit = text("vidence.service");
    assert_eq!(unit.matches(installed).count(), 1);
    let unit = unit.replace(installed, env!("CARGO_BIN_EXE_vidence"));
    let file = folder.path().join("vidence.service");
    std::fs::write(&file, unit).expect("a file");
    let checked = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&file)
        .output()
        .expect("systemd-analyze");
    // A key that it doesn't know is no failure to it.
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && said.is_empty(), "{said}");
}

#[tokio::test]
async fn compose_keeps_to_the_specification() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut check = TOOLS.python("check-jsonschema");
    check.args(["--builtin-schema", "vendor.compose-spec"]);
    run(check.arg(shipped("compose.yaml")), folder.path()).await;
}

/// A variable without a line would be empty, and a line without a variable would do nothing.
#[test]
fn every_variable_of_compose_has_its_line_in_the_example() {
    let compose = text("compose.yaml");
    let used = compose.split("${").skip(1).map(|it| {
        let end = it.find(|it: char| !it.is_ascii_uppercase() && it != '_' && !it.is_ascii_digit());
        it[..end.expect("an end")].to_owned()
    });
    let example = text("env.example");
    let lines = example.lines().filter(|line| !line.starts_with('#'));
    let given = lines.filter_map(|line| Some(line.split_once('=')?.0.to_owned()));
    assert_eq!(used.collect::<BTreeSet<_>>(), given.collect());
}
