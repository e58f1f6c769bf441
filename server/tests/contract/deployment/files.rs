//! The files for operators, checked by the programs that read them. nginx and Caddy: `proxied`.

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

#[test]
fn systemd_analyze_accepts_the_unit() {
    let folder = tempfile::tempdir().expect("a folder");
    // systemd-analyze checks that the executable exists.
    let start = "ExecStart=vidence ";
    let unit = deploy_text("vidence.service");
    assert_eq!(unit.matches(start).count(), 1);
    let unit = unit.replace(
        start,
        concat!("ExecStart=", env!("CARGO_BIN_EXE_vidence"), " "),
    );
    let file = folder.path().join("vidence.service");
    std::fs::write(&file, unit).expect("a file");
    let checked = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&file)
        .output()
        .expect("systemd-analyze");
    // An unknown key is only a warning with status 0.
    let stderr = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && stderr.is_empty(), "{stderr}");
}

#[tokio::test]
async fn compose_files_match_the_specification() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut check = TOOLS.python("check-jsonschema");
    check.args(["--builtin-schema", "vendor.compose-spec"]);
    check.args(["compose.yaml", "compose.small.yaml"].map(deploy_file));
    run(&mut check, folder.path()).await;
}

/// Names of the variables that a compose file reads.
fn variables(file: &str) -> BTreeSet<String> {
    let compose = deploy_text(file);
    let used = compose.split("${").skip(1).map(|it| {
        let end = it.find(|it: char| !it.is_ascii_uppercase() && it != '_' && !it.is_ascii_digit());
        it[..end.expect("an end")].to_owned()
    });
    used.collect()
}

/// It needs one setting, which its first lines and the operations page write to `.env`.
#[test]
fn a_small_compose_setup_needs_the_host_alone() {
    let host = BTreeSet::from(["VIDENCE_HOST".to_owned()]);
    assert_eq!(variables("compose.small.yaml"), host);
}

/// A variable without a line would be empty, and a line without a variable would have no effect.
#[test]
fn env_example_lists_every_compose_variable() {
    let example = deploy_text("env.example");
    let lines = example.lines().filter(|line| !line.starts_with('#'));
    let given = lines.filter_map(|line| Some(line.split_once('=')?.0.to_owned()));
    assert_eq!(variables("compose.yaml"), given.collect());
}
