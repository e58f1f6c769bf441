//! The Debian package. `server/Cargo.toml` says what is in it.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::Release;
use crate::shell::{program, run};
use crate::tools::packages::{cargo_program, install_cargo_programs};

/// Installs the program that packs it.
pub fn install_tools() -> Result<()> {
    install_cargo_programs(&[("cargo-deb", "3.8.0")])
}

/// Packs the package. Returns its path.
pub fn write(release: &Release, folder: &Path) -> Result<PathBuf> {
    let (version, architecture) = (release.version, release.architecture);
    let file = folder.join(format!("vidence_{version}_{}.deb", architecture.name()));
    let mut pack = program(
        cargo_program("cargo-deb"),
        &[
            "--package",
            "server",
            "--quiet",
            "--no-build",
            "--no-strip",
            "--deb-revision",
            "",
        ],
    );
    pack.args(["--target", &architecture.target()]);
    pack.arg("--output").arg(&file);
    run(pack.env("SOURCE_DATE_EPOCH", &release.epoch))?;
    ensure!(file.exists(), "cargo-deb wrote another file");
    Ok(file)
}
