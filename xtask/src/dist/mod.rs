//! `cargo xtask dist`: what a release consists of, in `target/packages`.
//!
//! An archive and a Debian package for one architecture, both with the licences of all that is in the binary, the list of all
//! crates and all C in it (CycloneDX), and the checksums of these. Two builds of a commit give the same bytes. The image with the same
//! binary is `server/deploy/images/Dockerfile.static`.

mod architecture;
mod archive;
mod debian;
mod licenses;
mod native_code;
mod sbom;
mod smoke_test;
mod static_binary;
mod try_image;
mod try_out;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::build;
use crate::setup::install_for_building;
use crate::shell::{output, program, root, run, say, step};

pub use architecture::Architecture;
pub use licenses::write_for_build as write_licenses;

/// Where the artefacts are, from the root of the repository.
const FOLDER: &str = "target/packages";

/// Where the files of the packages are collected. `server/Cargo.toml` names it, too.
const STAGING: &str = "target/staging";

/// What all artefacts of one release share.
struct Release {
    version: &'static str,
    architecture: Architecture,
    /// The time of the commit, in seconds since 1970: it stands in for every time that packing would note.
    epoch: String,
}

impl Release {
    /// What the names of files begin with that are for one kind of machine.
    fn name(&self) -> String {
        format!(
            "vidence-{}-linux-{}",
            self.version,
            self.architecture.name()
        )
    }
}

/// Builds everything, packs it, and tries it out if that is wanted.
/// `None`: for this machine's architecture.
pub fn dist(architecture: Option<Architecture>, is_tried: bool) -> Result<()> {
    let release = Release {
        version: env!("CARGO_PKG_VERSION"),
        architecture: architecture.map_or_else(Architecture::here, Ok)?,
        epoch: epoch()?,
    };
    step("Check the tools", || {
        install_for_building()?;
        static_binary::install_tools(&release)?;
        debian::install_tools()
    })?;
    step("Build the frontend", || {
        build::build_site(build::Profile::Release)
    })?;
    let binary = step("Build the server", || static_binary::build(&release))?;
    step("Write the manual", || stage(&release, &binary))?;
    step("Collect the licences", || {
        licenses::write_for_static_binary(&root().join(STAGING))
    })?;

    let folder = root().join(FOLDER);
    clear(&folder)?;
    let files = [
        step("List the dependencies", || sbom::write(&release, &folder))?,
        step("Pack the archive", || archive::write(&release, &folder))?,
        step("Pack the Debian package", || {
            debian::write(&release, &folder)
        })?,
    ];
    step("Write the checksums", || write_checksums(&files, &folder))?;
    let [.., package] = files;
    match is_tried {
        true => try_out::try_out(&package),
        false => Ok(()),
    }
}

/// `SOURCE_DATE_EPOCH`, or the time of the last commit.
fn epoch() -> Result<String> {
    if let Ok(epoch) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(epoch);
    }
    let time = output(&mut program("git", &["log", "-1", "--format=%ct"]))?;
    Ok(time.trim().to_owned())
}

/// Collects the binary, what it says of itself, and the files for operators.
fn stage(release: &Release, binary: &Path) -> Result<()> {
    let staging = root().join(STAGING);
    clear(&staging)?;
    fs::copy(binary, staging.join("vidence"))?;
    let man = staging.join("man");
    fs::create_dir(&man)?;
    // Without variables, which could change what it says.
    let vidence = |arguments: &[&str]| {
        let mut command = release.architecture.program(binary, arguments);
        command.env_clear();
        command
    };
    run(vidence(&["man"]).arg(&man))?;
    let completions = staging.join("completions");
    fs::create_dir(&completions)?;
    for (shell, file) in [
        ("bash", "vidence.bash"),
        ("zsh", "_vidence"),
        ("fish", "vidence.fish"),
    ] {
        let script = output(&mut vidence(&["completions", shell]))?;
        fs::write(completions.join(file), script)?;
    }
    // Those of the history alone: beside them an operator's secrets may lie.
    let tracked = output(&mut program("git", &["ls-files", "server/deploy"]))?;
    for file in tracked.lines() {
        let to = staging.join(file);
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::copy(root().join(file), to)?;
    }
    Ok(())
}

/// Makes an empty folder.
fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Writes `SHA256SUMS`, which `sha256sum --check` reads.
fn write_checksums(files: &[PathBuf], folder: &Path) -> Result<()> {
    let mut sums = String::new();
    for file in files {
        let name = file.file_name().and_then(|it| it.to_str());
        let name = name.context("a file without a name")?;
        for byte in Sha256::digest(fs::read(file)?) {
            write!(sums, "{byte:02x}")?;
        }
        writeln!(sums, "  {name}")?;
    }
    sums.lines().for_each(say);
    Ok(fs::write(folder.join("SHA256SUMS"), sums)?)
}
