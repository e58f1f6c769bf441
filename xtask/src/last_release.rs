//! The server of the last release, which nodes are rolled from and back to under load.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell::{cargo, output, program, root, run, say};

/// Compiled where all dependencies lie already, as they are in a release; its own crates are quick to compile. Cargo
/// tells what it compiles apart by package and profile, and no other build has this one: nothing of today's is replaced.
const BUILD: [&str; 7] = [
    "--config=profile.release.package.app.opt-level=0",
    "--config=profile.release.package.server.opt-level=0",
    "--config=profile.release.package.app.codegen-units=256",
    "--config=profile.release.package.server.codegen-units=256",
    "--release",
    "--package=server",
    "--bin=vidence",
];

/// Builds it, once for each commit. `None`: there was no release, and nothing is known of what was before.
pub fn build() -> Result<Option<PathBuf>> {
    let Some(commit) = find()? else {
        return Ok(None);
    };
    let folder = root().join("target/last_release");
    let binary = folder.join(format!("vidence-{commit}"));
    if binary.is_file() {
        say(format!("{}: built already", binary.display()));
        return Ok(Some(binary));
    }
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let source = folder.join("source");
    unpack(&commit, &source)?;
    let config = format!("build.build-dir='{}'", root().join("target").display());
    run(cargo()
        .args(["build", "--locked", "--config", &config])
        .args(BUILD)
        .arg("--target-dir")
        .arg(&folder)
        .current_dir(&source))?;
    // Renamed last: what is there by its name is whole.
    fs::rename(folder.join("release/vidence"), &binary)?;
    Ok(Some(binary))
}

/// The commit to build: of the newest tag before this one, or, until there is a tag, the last one that knew less of the
/// tables than this one does.
fn find() -> Result<Option<String>> {
    if !root().join(".git").exists() {
        return nowhere("there is no history here");
    }
    let is_cut_off = ["rev-parse", "--is-shallow-repository"];
    let is_cut_off = git(&is_cut_off).context("git can't read the history that is here")?;
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
    if is_cut_off == "true" {
        return nowhere(
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
                "no release has a tag: {commit} stands for one, before the newest migration"
            ));
            Ok(Some(commit))
        }
        None => nowhere("there is nothing before the newest migration"),
    }
}

/// Says why there is none.
fn nowhere(why: &str) -> Result<Option<String>> {
    say(format!("{why}: no node is rolled from the last release"));
    Ok(None)
}

/// What git prints, if it knows.
fn git(words: &[&str]) -> Option<String> {
    let ran = program("git", words).current_dir(root()).output().ok()?;
    let printed = String::from_utf8(ran.stdout).ok()?;
    ran.status.success().then(|| printed.trim().to_owned())
}

/// The files of a commit. Its pages are today's: they would take minutes to build, and nobody opens one here.
fn unpack(commit: &str, folder: &Path) -> Result<()> {
    let site = folder.join("target/site");
    fs::create_dir_all(&site)?;
    let archive = folder.join("target/source.tar");
    run(
        program("git", &["archive", "--format=tar", commit, "--output"])
            .arg(&archive)
            .current_dir(root()),
    )?;
    run(program("tar", &["--extract", "--directory"])
        .arg(folder)
        .arg("--file")
        .arg(&archive))?;
    for file in fs::read_dir(root().join("target/site"))? {
        let file = file?;
        fs::copy(file.path(), site.join(file.file_name()))?;
    }
    Ok(())
}
