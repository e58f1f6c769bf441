//! The server as a binary that is linked to nothing, so that it runs on every Linux of its architecture.
//!
//! Zig brings musl and a compiler of C and C++ for it, which SQLite and the decoder of H.264 need.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use super::{Architecture, Release};
use crate::build;
use crate::shell::{cargo, output, program, root, run, say};
use crate::tools::packages::{install_python_packages, install_target, python_environment};

/// The folder with the versions of Zig and of the program that lets cargo call it.
const ZIG: &str = "xtask/zig";

/// The image from scratch stays below 40 MB with it, certificates of authorities and licences.
const MAX_BYTES: u64 = 39_000_000;

/// Installs compilers and libraries.
pub fn install_tools(release: &Release) -> Result<()> {
    install_python_packages(ZIG)?;
    install_target(&release.architecture.target())
}

/// Builds the binary. Returns its path.
pub fn build(release: &Release) -> Result<PathBuf> {
    let target = release.architecture.target();
    let mut command = cargo();
    command.args(["zigbuild", "--locked", "--package", "server"]);
    command.args(["--profile", "dist", "--target", &target]);
    let programs = python_environment(ZIG).join("bin");
    command.env("PATH", path_with(programs)?);
    command.env("CARGO_ENCODED_RUSTFLAGS", build::flags::without_paths()?);
    command.env("SOURCE_DATE_EPOCH", &release.epoch);
    if let Some(revision) = build::revision::find() {
        command.env(build::revision::VARIABLE, revision);
    }
    // Kernels for ARM have pages of up to 64 KiB, and the allocator has to know.
    if release.architecture == Architecture::Arm64 {
        command.env("JEMALLOC_SYS_WITH_LG_PAGE", "16");
    }
    run(&mut command)?;
    let binary = root().join("target").join(target).join("dist/vidence");
    let needed = output(program("readelf", &["--dynamic"]).arg(&binary))?;
    ensure!(
        !needed.contains("(NEEDED)"),
        "it is linked to libraries: {needed}"
    );
    let bytes = fs::metadata(&binary)?.len();
    say(format!("{}: {} MB", binary.display(), bytes / 1_000_000));
    ensure!(bytes <= MAX_BYTES, "it is larger than {MAX_BYTES} bytes");
    Ok(binary)
}

/// The folder of Zig, with the sources of what it links.
pub fn zig() -> Result<PathBuf> {
    let libraries = python_environment(ZIG).join("lib");
    for version in fs::read_dir(&libraries)? {
        let zig = version?.path().join("site-packages/ziglang");
        if zig.is_dir() {
            return Ok(zig);
        }
    }
    bail!("there is no Zig in {}", libraries.display())
}

/// The `PATH`, with this folder first.
fn path_with(folder: PathBuf) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(std::env::split_paths(&path));
    Ok(std::env::join_paths(folders)?)
}
