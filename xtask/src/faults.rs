//! The fault tests: many rounds of them, and the proof that they would notice.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::postgres::Postgres;
use crate::shell::{cargo, output, program, root, run, say, step};
use crate::test::{TEST_BUILD, linted};
use crate::tools::Missing;
use crate::{browser, build, last_release, setup, site};

/// A mistake that somebody might make in the server, as a change of its text.
struct Mutation {
    what: &'static str,
    file: &'static str,
    /// What stands there exactly once, and what would stand there instead.
    changes: &'static [(&'static str, &'static str)],
}

const MUTATIONS: &[Mutation] = &[
    Mutation {
        what: "objects are not synced",
        file: "server/src/blobs/local.rs",
        changes: &[(".with_fsync(true)", ".with_fsync(false)")],
    },
    Mutation {
        what: "the folders of a take are not synced",
        file: "server/src/blobs/local.rs",
        changes: &[(
            "fs::create_dir_all(&take)?;\n        sync(&request)?;\n        sync(&self.root)\n",
            "fs::create_dir_all(&take)\n",
        )],
    },
    Mutation {
        what: "rows are not synced",
        file: "server/src/db/open.rs",
        changes: &[("PRAGMA synchronous = FULL;", "PRAGMA synchronous = OFF;")],
    },
    Mutation {
        what: "any writer may commit, wherever the take stands",
        file: "server/src/db/takes.rs",
        changes: &[
            (".filter(takes::epoch.eq(take.epoch))\n", "\n"),
            (".filter(takes::committed.eq(from))\n", "\n"),
        ],
    },
    Mutation {
        what: "the bytes of a deleted request stay until it would have expired",
        file: "server/src/service/requests/lifecycle.rs",
        changes: &[(
            "let removed = sweeper::remove_bytes(&store, id).await;",
            "let removed = if true { Ok(()) } else { sweeper::remove_bytes(&store, id).await };",
        )],
    },
    Mutation {
        what: "bytes are acknowledged before their rows are written",
        file: "server/src/service/uploads/append/writer.rs",
        changes: &[(
            "match db.take_commit(&self.claim, addition, &self.app.clock).await {",
            "let (db, claim, clock) = (db.clone(), self.claim.clone(), self.app.clock.clone());
             tokio::spawn(async move { db.take_commit(&claim, addition, &clock).await });
             match Ok::<bool, crate::db::DbError>(true) {",
        )],
    },
];

/// All fault tests with large counts, one after the other.
pub fn long() -> Result<()> {
    step("Set up for testing", Missing::after_installing)?.none()?;
    let binary = build::release()?;
    let last_release = step("Build the last release", last_release::build)?;
    let postgres = step("Start a throw-away PostgreSQL", Postgres::start)?;
    step("Break everything, often", || {
        let mut tests = harness(&binary, &postgres, &["--nocapture"]);
        match last_release {
            Some(last_release) => tests.env("VIDENCE_LAST_RELEASE", last_release),
            None => tests.args(["--skip", "releases::"]),
        };
        run(tests.env("VIDENCE_FAULTS", "long"))
    })
}

/// Shows that the fault tests pass on the server as it is, and that one of them fails on every mutation.
pub fn bite() -> Result<()> {
    step("Set up for building", setup::for_building)?;
    step("Set up for testing", Missing::after_installing)?.none()?;
    step("Build the browser's half", site::build)?;
    let postgres = step("Start a throw-away PostgreSQL", Postgres::start)?;
    let copy = Copy::new();
    let whole = step("Test the server as it is", || {
        copy.refresh(None)?;
        failures(&copy.build()?, &postgres)
    })?;
    ensure!(whole.is_empty(), "it fails already: {}", whole.join(", "));
    let mut survivors = Vec::new();
    for mutation in MUTATIONS {
        let caught = step(&format!("Mutate: {}", mutation.what), || {
            copy.refresh(Some(mutation))?;
            let caught = failures(&copy.build()?, &postgres)?;
            caught
                .iter()
                .for_each(|test| say(format!("caught by {test}")));
            Ok(caught)
        })?;
        if caught.is_empty() {
            survivors.push(mutation.what);
        }
    }
    ensure!(
        survivors.is_empty(),
        "not noticed: {}",
        survivors.join(", ")
    );
    eprintln!("\nAll {} mutations were caught.", MUTATIONS.len());
    Ok(())
}

/// The tests, to be run on this server, one at a time.
fn harness(binary: &Path, postgres: &Postgres, arguments: &[&str]) -> Command {
    let mut tests = cargo();
    linted(&mut tests)
        .args(["test", "--package", "server", "--test", "faults"])
        .args(TEST_BUILD)
        .args(["--", "--test-threads", "1"])
        .args(arguments)
        .env("VIDENCE_BINARY", binary)
        .env("VIDENCE_CHROMIUM", browser::chromium().unwrap_or_default())
        .env("VIDENCE_TEST_POSTGRES", postgres.url());
    tests
}

/// Which tests fail on this server.
fn failures(binary: &Path, postgres: &Postgres) -> Result<Vec<String>> {
    // What other people's uploaders do has nothing to do with disks, nor has the last release.
    let skips = ["--skip", "clients::", "--skip", "releases::"];
    let done = harness(binary, postgres, &skips).output()?;
    let printed = String::from_utf8_lossy(&done.stdout);
    let failed = printed.lines().filter_map(|line| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
        Some(name.to_owned())
    });
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() && !done.status.success() {
        let error = String::from_utf8_lossy(&done.stderr);
        bail!("the fault tests did not run: {}\n{error}", done.status);
    }
    Ok(failed)
}

/// The work tree as it is now, in a place of its own, where mistakes do no harm.
struct Copy {
    source: PathBuf,
    target: PathBuf,
}

impl Copy {
    fn new() -> Self {
        let place = root().join("target/bite");
        Self {
            source: place.join("source"),
            target: place.join("build"),
        }
    }

    /// Makes it equal to the work tree, but for the mutation. What is equal already isn't touched, so that
    /// little has to be built.
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
        let mut wanted = HashSet::new();
        for file in tracked.chain(embedded) {
            let from = root().join(&file);
            // Removed from the work tree, and not yet from the index.
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
            wanted.insert(file);
        }
        for file in files(&self.source, Path::new(""))? {
            if !wanted.contains(&file) {
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

impl Mutation {
    fn apply(&self, mut text: String) -> Result<String> {
        for (from, to) in self.changes {
            let found = text.matches(from).count();
            let (file, what) = (self.file, self.what);
            ensure!(
                found == 1,
                "{file} has {found} times what \"{what}\" changes: {from}"
            );
            text = text.replace(from, to);
        }
        Ok(text)
    }
}

/// Every file below a folder of `base`, named from `base` on.
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
