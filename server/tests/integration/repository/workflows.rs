//! The workflows of GitHub, which no run of the tests executes: what they name exists, and in the same version everywhere.
//! Their form is checked by `contract`, their commands by `xtask`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// First segments of the repository's paths that a workflow may name.
const TOP_LEVEL: [&str; 3] = [".ci", ".github", "server"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The lines of all workflows, without comments.
fn lines() -> Vec<String> {
    let files = fs::read_dir(root().join(".github/workflows")).expect("a folder");
    let texts = files.map(|it| fs::read_to_string(it.expect("an entry").path()).expect("UTF-8"));
    let texts = texts.collect::<Vec<_>>().concat();
    let lines = texts.lines().map(|it| it.trim_start().to_owned());
    lines.filter(|it| !it.starts_with('#')).collect()
}

/// GitHub's own need no pinned commit, and get their fixes by the major version.
#[test]
fn every_action_is_one_of_github_by_its_major_version_and_the_same_everywhere() {
    let mut versions = BTreeMap::new();
    for line in lines() {
        let Some(used) = line.trim_start_matches("- ").strip_prefix("uses: ") else {
            continue;
        };
        if used.starts_with("./") {
            continue;
        }
        let (action, version) = used.split_once('@').expect(used);
        assert!(action.starts_with("actions/"), "{used} needs a commit");
        let major = version.strip_prefix('v').expect(used);
        assert!(major.parse::<u32>().is_ok(), "{used}");
        let first = versions
            .entry(action.to_owned())
            .or_insert_with(|| version.to_owned());
        assert_eq!(first, version, "{action}");
    }
    assert!(versions.len() > 2, "{versions:?}");
}

#[test]
fn every_file_below_the_folders_that_a_workflow_names_exists() {
    let mut count = 0;
    for line in lines() {
        for word in line.split_whitespace() {
            let path = word.trim_start_matches("./");
            let first = path.split('/').next().unwrap_or_default();
            if path.contains('/') && TOP_LEVEL.contains(&first) {
                count += 1;
                assert!(root().join(path).is_file(), "{line}");
            }
        }
    }
    assert!(count > 2, "{count} files");
}
