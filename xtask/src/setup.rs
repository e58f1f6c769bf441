//! Installs what is missing, or says with which command to install it.
//!
//! Checking is cheap, so every other command does it first. Not here: a compiler for C and C++, without which this
//! program can't be built either.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::shell::{is_root, output, program, root, run, say, step, which};
use crate::tools::{self, MissingTools};

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Installs what the build needs and lists what the tests lack, or with `all`, installs that, too.
pub fn set_up(all: bool) -> Result<()> {
    step("Set up for building", install_for_building)?;
    let missing = match all {
        true => step("Set up for testing", MissingTools::install_all)?,
        false => step("Check the tools for testing", MissingTools::check)?,
    };
    missing
        .names()
        .for_each(|name| say(format!("{name}: missing")));
    Ok(())
}

/// Installs the WASM target.
pub fn install_for_building() -> Result<()> {
    let sysroot = output(&mut program("rustc", &["--print", "sysroot"]))?;
    let target = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(WASM_TARGET)
        .join("lib");
    if target.is_dir() {
        say(format!("{WASM_TARGET}: installed"));
    } else if which("rustup").is_some() {
        run(&mut program("rustup", &["target", "add", WASM_TARGET]))?;
    } else {
        bail!("install the target {WASM_TARGET} for {}", sysroot.trim());
    }
    Ok(())
}

/// Installs what the measurements of the recording page need.
pub fn install_for_recording_page() -> Result<()> {
    for tool in [tools::CHROMIUM, tools::FIREFOX, tools::FFMPEG, tools::NODE] {
        tool.install()?;
    }
    tools::WEBKIT.install()?;
    tools::PLAYWRIGHT.install()?;
    install_node_packages("end2end/measures")
}

/// Whether the packages of the lock file in this folder are installed.
pub fn has_node_packages(folder: &str) -> bool {
    let folder = root().join(folder);
    // npm copies the lock file after it has installed it.
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    installed.is_some() && installed >= modified(&folder.join("package-lock.json"))
}

/// Installs the packages of the lock file in this folder.
pub fn install_node_packages(folder: &str) -> Result<()> {
    if has_node_packages(folder) {
        return Ok(());
    }
    run(program("npm", &["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(root().join(folder)))
}

/// Whether the virtual environment of these tests has all packages.
pub fn has_python_packages(tests: &str) -> bool {
    let environment = root().join("target").join(tests);
    let has_all = match (
        fs::read(environment.join(REQUIREMENTS)),
        fs::read(requirements(tests)),
    ) {
        (Ok(installed), Ok(required)) => installed == required,
        _ => false,
    };
    has_all && environment.join("bin/python").is_file()
}

/// Installs the Python packages of these tests, in a virtual environment of their own.
pub fn install_python_packages(tests: &str) -> Result<()> {
    if has_python_packages(tests) {
        return Ok(());
    }
    let environment = root().join("target").join(tests);
    run(program("python3", &["-m", "venv", "--clear"]).arg(&environment))?;
    let mut install = program(environment.join("bin/pip"), &["install", "--quiet"]);
    run(install.arg("--requirement").arg(requirements(tests)))?;
    // Copied last, so that it marks a complete installation.
    fs::copy(requirements(tests), environment.join(REQUIREMENTS))?;
    Ok(())
}

/// The name of the file that lists Python packages.
const REQUIREMENTS: &str = "requirements.txt";

fn requirements(tests: &str) -> PathBuf {
    root().join("server/tests").join(tests).join(REQUIREMENTS)
}

fn modified(file: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// Installs a package with apt. The error says how to install it where that isn't possible.
pub fn install_apt_package(package: &str) -> Result<()> {
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
