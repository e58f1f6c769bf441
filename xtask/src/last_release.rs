//! Builds the server of the last release, for the tests that update a cluster from it and roll back under load.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell::{cargo, installed, output, program, root, run, say};

/// Builds it once for each commit, and returns the binary. `None`: there is no release in the history.
pub fn build() -> Result<Option<PathBuf>> {
    let Some(commit) = find_commit()? else {
        return Ok(None);
    };
    let built = installed().join("last_release");
    let binary = built.join(format!("vidence-{commit}"));
    if binary.is_file() {
        say(format!("{}: built already", binary.display()));
        return Ok(Some(binary));
    }
    let folder = root().join("target/last_release");
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let source = folder.join("source");
    unpack(&commit, &source)?;
    let config = format!("build.build-dir='{}'", root().join("target").display());
    run(cargo()
        .args(["build", "--locked", "--config", &config])
        .args(profile_of_own_packages(&source)?)
        .args(["--release", "--package=server", "--bin=vidence"])
        .arg("--target-dir")
        .arg(&folder)
        .current_dir(&source))?;
    fs::create_dir_all(&built)?;
    let copy = built.join(format!("incomplete-{}", std::process::id()));
    fs::copy(folder.join("release/vidence"), &copy)?;
    // Renamed last, so that a file of this name is complete.
    fs::rename(copy, &binary)?;
    fs::remove_dir_all(&folder)?;
    Ok(Some(binary))
}

/// The settings of its build: dependencies as in a release, which are compiled already, and own packages quick to
/// compile.
///
/// Cargo keeps artifacts apart by a package's path in its workspace and its profile. No other build has this profile,
/// so nothing that is compiled from today's sources is taken for the release's, or the other way round.
fn profile_of_own_packages(source: &Path) -> Result<Vec<String>> {
    let mut packages = vec!["app".to_owned(), "server".to_owned()];
    for folder in fs::read_dir(source.join("crates"))? {
        packages.push(folder?.file_name().to_string_lossy().into_owned());
    }
    let settings = ["opt-level=0", "codegen-units=256"];
    let settings = packages.iter().flat_map(|package| {
        settings.map(|setting| format!("--config=profile.release.package.{package}.{setting}"))
    });
    Ok(settings.collect())
}

/// The commit of the newest tag before this one.
/// Until there is a tag, the commit before the newest migration.
fn find_commit() -> Result<Option<String>> {
    if !root().join(".git").exists() {
        return not_found("there is no history here");
    }
    let is_shallow = ["rev-parse", "--is-shallow-repository"];
    let is_shallow = git(&is_shallow).context("git can't read the history")?;
    let tag = [
        "describe",
        "--tags",
        "--abbrev=0",
        "--match=v[0-9]*",
        "HEAD^",
    ];
    if let Some(tag) = git(&tag) {
        say(format!("the last release is {tag}"));
        return Ok(git(&["rev-parse", &format!("{tag}^{{commit}}")]));
    }
    if is_shallow == "true" {
        return not_found(
            "the history is cut off before the last release: git fetch --unshallow --tags",
        );
    }
    let migrations = root().join("migrations/sqlite");
    let names = fs::read_dir(&migrations)?.filter_map(|it| Some(it.ok()?.file_name()));
    let newest = migrations.join(names.max().context("a migration")?);
    let added = ["log", "--diff-filter=A", "--format=%H", "--"];
    let added = output(program("git", &added).arg(newest).current_dir(root()))?;
    let before = match added.lines().last() {
        Some(added) => format!("{added}^"),
        None => "HEAD".to_owned(),
    };
    match git(&["rev-parse", "--verify", &format!("{before}^{{commit}}")]) {
        Some(commit) => {
            say(format!(
                "no release has a tag: {commit}, before the newest migration, is used instead"
            ));
            Ok(Some(commit))
        }
        None => not_found("there is nothing before the newest migration"),
    }
}

/// Prints why there is none.
fn not_found(why: &str) -> Result<Option<String>> {
    say(format!(
        "{why}: updates from the last release are not tested"
    ));
    Ok(None)
}

/// The output of a git command. `None`: it failed.
fn git(arguments: &[&str]) -> Option<String> {
    let command = program("git", arguments)
        .current_dir(root())
        .output()
        .ok()?;
    let output = String::from_utf8(command.stdout).ok()?;
    command.status.success().then(|| output.trim().to_owned())
}

/// Extracts the files of a commit.
///
/// The frontend is that of the current build: another one would take minutes, and the tests open no page.
fn unpack(commit: &str, folder: &Path) -> Result<()> {
    let site = folder.join("target/site");
    fs::create_dir_all(&site)?;
    let archive = folder.join("target/source.tar");
    run(
        program("git", &["archive", "--format=tar", commit, "--output"])
            .arg(&archive)
            .current_dir(root()),
    )?;
    // Files of a release before the one that was built here last would seem unchanged by their age.
    run(program("tar", &["--extract", "--touch", "--directory"])
        .arg(folder)
        .arg("--file")
        .arg(&archive))?;
    for file in fs::read_dir(root().join("target/site"))? {
        let file = file?;
        fs::copy(file.path(), site.join(file.file_name()))?;
    }
    Ok(())
}
