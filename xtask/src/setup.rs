//! Installs what is missing where it can, and otherwise says with which command to do it.
//! Looking is cheap, so every other command does it first. Not here: a compiler for C and C++, without which this tool
//! itself can't be built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::shell::{is_root, output, program, root, run, say, step, which};
use crate::tools::{self, Missing};

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// For building and for testing: with `all` what takes hundreds of megabytes, too.
pub fn everything(all: bool) -> Result<()> {
    step("Set up for building", for_building)?;
    let missing = match all {
        true => step("Set up for testing", Missing::after_installing)?,
        false => step("Look what there is for testing", Missing::here)?,
    };
    missing
        .names()
        .for_each(|name| say(format!("{name}: missing")));
    Ok(())
}

/// The WASM target.
pub fn for_building() -> Result<()> {
    let sysroot = output(&mut program("rustc", &["--print", "sysroot"]))?;
    let target = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(WASM_TARGET)
        .join("lib");
    if target.is_dir() {
        say(format!("{WASM_TARGET}: here"));
    } else if which("rustup").is_some() {
        run(&mut program("rustup", &["target", "add", WASM_TARGET]))?;
    } else {
        bail!("install the target {WASM_TARGET} for {}", sysroot.trim());
    }
    Ok(())
}

/// For measuring the recording page.
pub fn for_recordings() -> Result<()> {
    for tool in [tools::CHROMIUM, tools::FIREFOX, tools::FFMPEG, tools::NODE] {
        tool.install()?;
    }
    tools::WEBKIT.install()?;
    tools::PLAYWRIGHT.install()?;
    node_packages("end2end/measures")
}

/// Whether what the lock file in this folder names is there.
pub fn has_node_packages(folder: &str) -> bool {
    let place = root().join(folder);
    // npm leaves a copy of the lock file where it has installed it.
    let installed = modified(&place.join("node_modules/.package-lock.json"));
    installed.is_some() && installed >= modified(&place.join("package-lock.json"))
}

/// Installs what the lock file in this folder names.
pub fn node_packages(folder: &str) -> Result<()> {
    if has_node_packages(folder) {
        return Ok(());
    }
    run(program("npm", &["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(root().join(folder)))
}

/// Whether all that these tests need is in their environment.
pub fn has_python_packages(tests: &str) -> bool {
    let place = root().join("target").join(tests);
    let all = match (fs::read(place.join(LIST)), fs::read(wanted(tests))) {
        (Ok(installed), Ok(wanted)) => installed == wanted,
        _ => false,
    };
    all && place.join("bin/python").is_file()
}

/// Installs what these tests need, in an environment of their own.
pub fn python_packages(tests: &str) -> Result<()> {
    if has_python_packages(tests) {
        return Ok(());
    }
    let place = root().join("target").join(tests);
    run(program("python3", &["-m", "venv", "--clear"]).arg(&place))?;
    let mut install = program(place.join("bin/pip"), &["install", "--quiet"]);
    run(install.arg("--requirement").arg(wanted(tests)))?;
    // Written last: then all of it is installed.
    fs::copy(wanted(tests), place.join(LIST))?;
    Ok(())
}

/// What pip reads.
const LIST: &str = "requirements.txt";

fn wanted(tests: &str) -> PathBuf {
    root().join("server/tests").join(tests).join(LIST)
}

fn modified(file: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// Has apt install this package where that is allowed. Otherwise the error says how to come by it.
pub fn apt(package: &str) -> Result<()> {
    if which("apt-get").is_none() {
        bail!("install it with your system's package manager");
    }
    if !is_root() {
        bail!("sudo apt-get install {package}");
    }
    say(format!("installing the package {package}"));
    run(&mut program("apt-get", &["update", "-qq"]))?;
    let mut install = program(
        "apt-get",
        &["install", "-qq", "--no-install-recommends", package],
    );
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}
