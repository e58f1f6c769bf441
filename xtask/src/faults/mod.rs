//! Runs the fault tests with many rounds, and checks that they fail on mutants of the server.

mod mutation;
mod results;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use self::mutation::{MUTATIONS, Mutation, RequiredBy};
use self::results::{Results, reports_loss};
use crate::build::{Profile, QUICK_BUILD};
use crate::shell::{cargo, output, program, root, run, say, step};
use crate::test::linted;
use crate::tools::postgres::Postgres;
use crate::tools::{MissingTools, browser};
use crate::{build, last_release, setup};

/// Runs the fault tests with many rounds, one at a time: those whose names contain one of these, or all.
pub fn run_long(names: &[String]) -> Result<()> {
    step("Set up for testing", MissingTools::install_all)?.ensure_none()?;
    let binary = build::build(Profile::Release)?;
    let last_release = step("Build the last release", last_release::build)?;
    let postgres = step("Start a throw-away PostgreSQL", Postgres::start)?;
    step("Run the fault tests", || {
        let mut skipped = vec![];
        if last_release.is_none() {
            skipped.extend(["--skip", "releases::"]);
        }
        for name in names {
            let mut listed = fault_tests(&binary, &postgres, &["--list"]);
            let listed = output(listed.args(&skipped).arg(name))?;
            ensure!(
                listed.contains(": test"),
                "no test is called {name}, or it needs the last release"
            );
        }
        let mut tests = fault_tests(&binary, &postgres, &["--nocapture"]);
        if let Some(last_release) = last_release {
            tests.env("VIDENCE_LAST_RELEASE", last_release);
        }
        run(tests
            .args(skipped)
            .args(names)
            .env("VIDENCE_FAULTS", "long"))
    })
}

/// Checks that the fault tests pass on the server, and that at least one fails on each mutant.
pub fn check_mutants() -> Result<()> {
    // No mutation concerns other uploaders or the last release.
    let arguments = ["--skip", "clients::", "--skip", "releases::"];
    ensure_caught(MUTATIONS.iter(), &arguments, |_| false)
}

/// Checks that power cuts lose nothing of the server, and something on at least one file system without each sync that
/// only they can ask for.
///
/// A sync without which nothing is lost isn't needed, or the cuts don't come where it matters. Of those that POSIX leaves open it is
/// only told.
pub fn check_syncs() -> Result<()> {
    let syncs = MUTATIONS.iter().filter(|it| it.sync.is_some());
    let may_survive = |it: &Mutation| it.sync == Some(RequiredBy::Posix);
    ensure_caught(syncs, &["power::"], may_survive)
}

fn ensure_caught(
    mutations: impl Iterator<Item = &'static Mutation>,
    arguments: &[&str],
    may_survive: impl Fn(&Mutation) -> bool,
) -> Result<()> {
    step("Set up for building", setup::install_for_building)?;
    step("Set up for testing", MissingTools::install_all)?.ensure_none()?;
    step("Build the frontend", || build::build_site(Profile::Release))?;
    let postgres = step("Start a throw-away PostgreSQL", Postgres::start)?;
    let copy = SourceCopy::new();
    let unmutated = step("Test the server without a mutation", || {
        copy.refresh(None)?;
        results(&copy.build()?, &postgres, arguments)
    })?;
    ensure!(
        unmutated.failed.is_empty(),
        "it fails without a mutation: {}",
        unmutated.failed_names()
    );
    let (mut count, mut spared, mut survivors) = (0, 0, Vec::new());
    for mutation in mutations {
        let is_caught = step(&format!("Mutate: {}", mutation.what), || {
            copy.refresh(Some(mutation))?;
            let results = results(&copy.build()?, &postgres, arguments)?;
            let passed = results.passed.iter().filter(|it| it.starts_with("power::"));
            for test in passed.filter(|_| mutation.sync.is_some()) {
                say(format!("lost nothing in {test}"));
            }
            let mut is_caught = false;
            for (test, why) in &results.failed {
                // On a busy machine a test may fail without any mutation.
                let is_due_to_it = mutation.sync.is_none() || reports_loss(why);
                is_caught |= is_due_to_it;
                say(match is_due_to_it {
                    true => format!("caught by {test}: {why}"),
                    false => format!("failed for another reason: {test}: {why}"),
                });
            }
            Ok(is_caught)
        })?;
        count += 1;
        if is_caught {
            continue;
        }
        match may_survive(mutation) {
            true => spared += 1,
            false => survivors.push(mutation.what),
        }
    }
    ensure!(survivors.is_empty(), "not caught: {}", survivors.join(", "));
    eprintln!("\nOf {count} mutations {spared} lost nothing and may; all others were caught.");
    Ok(())
}

/// The command that runs the fault tests on a server, one at a time.
fn fault_tests(binary: &Path, postgres: &Postgres, arguments: &[&str]) -> Command {
    let mut tests = cargo();
    linted(&mut tests)
        .args(["test", "--package", "server", "--test", "faults"])
        .args(QUICK_BUILD)
        .args(["--", "--test-threads", "1"])
        .args(arguments)
        .env("VIDENCE_BINARY", binary)
        .env("VIDENCE_CHROMIUM", browser::chromium().unwrap_or_default())
        .env("VIDENCE_TEST_POSTGRES", postgres.url())
        .env("VIDENCE_TEST_PSQL", postgres.psql());
    tests
}

fn results(binary: &Path, postgres: &Postgres, arguments: &[&str]) -> Result<Results> {
    let output = fault_tests(binary, postgres, arguments).output()?;
    let results = Results::parse(&String::from_utf8_lossy(&output.stdout));
    let nothing_ran = results.passed.is_empty() && results.failed.is_empty();
    if nothing_ran || (results.failed.is_empty() && !output.status.success()) {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!("the fault tests did not run: {}\n{error}", output.status);
    }
    Ok(results)
}

/// A copy of the work tree, in which mutations are built.
struct SourceCopy {
    source: PathBuf,
    target: PathBuf,
}

impl SourceCopy {
    fn new() -> Self {
        let folder = root().join("target/mutants");
        Self {
            source: folder.join("source"),
            target: folder.join("build"),
        }
    }

    /// Updates it to the work tree with a mutation.
    /// Unchanged files aren't touched, so that little is built again.
    fn refresh(&self, mutation: Option<&Mutation>) -> Result<()> {
        let tracked = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ];
        let tracked = output(program("git", &tracked).current_dir(root()))?;
        let tracked = tracked.split_terminator('\0').map(PathBuf::from);
        let embedded = files(root(), Path::new("target/site"))?;
        let mut current = HashSet::new();
        for file in tracked.chain(embedded) {
            let from = root().join(&file);
            // Removed from the work tree, but still in the index.
            if !from.is_file() {
                continue;
            }
            let mut content = fs::read(from)?;
            if let Some(mutation) = mutation.filter(|it| Path::new(it.file) == file) {
                content = mutation.apply(String::from_utf8(content)?)?.into_bytes();
            }
            let to = self.source.join(&file);
            if fs::read(&to).ok().as_ref() != Some(&content) {
                fs::create_dir_all(to.parent().context("a file in a folder")?)?;
                fs::write(to, content)?;
            }
            current.insert(file);
        }
        for file in files(&self.source, Path::new(""))? {
            if !current.contains(&file) {
                fs::remove_file(self.source.join(file))?;
            }
        }
        Ok(())
    }

    fn build(&self) -> Result<PathBuf> {
        let mut build = cargo();
        build.args(["build", "--quiet", "--package", "server", "--target-dir"]);
        run(build.arg(&self.target).current_dir(&self.source))?;
        Ok(self.target.join("debug/vidence"))
    }
}

/// The paths of all files below a folder of `base`, relative to `base`.
fn files(base: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(base.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => found.extend(files(base, &path)?),
            false => found.push(path),
        }
    }
    Ok(found)
}
