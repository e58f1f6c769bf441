//! Installs what is missing where it can, and otherwise says with which command to do it.
//! Looking is cheap, so every other command does it first. Not here: a compiler for C and C++, without which this tool
//! itself can't be built.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::shell::{is_root, output, program, root, run, say, step, which};
use crate::tools::{self, Missing};
use crate::webkit;

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// For building and for testing.
pub fn everything() -> Result<()> {
    step("Set up for building", for_building)?;
    step("Set up for testing", for_testing).map(drop)
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

/// What the tests run, and the Node and Python packages of those. Says what can't be had.
pub fn for_testing() -> Result<Missing> {
    let missing = Missing::after_installing()?;
    webkit::set_up()?;
    if !missing.has(tools::NODE) {
        for folder in [
            "end2end",
            "server/tests/agents",
            "server/tests/clients",
            "server/tests/contract",
            "server/tests/mcp",
        ] {
            node_packages(folder)?;
        }
    }
    if !missing.has(tools::PYTHON) {
        for tests in ["agents", "clients", "contract", "mcp"] {
            python_packages(tests)?;
        }
    }
    Ok(missing)
}

/// For measuring the recording page.
pub fn for_recordings() -> Result<()> {
    for tool in [tools::CHROMIUM, tools::FIREFOX, tools::FFMPEG, tools::NODE] {
        tool.install()?;
    }
    webkit::set_up()?;
    node_packages("end2end")?;
    node_packages("end2end/measures")
}

/// What the lock file in this folder names.
fn node_packages(folder: &str) -> Result<()> {
    let place = root().join(folder);
    // npm leaves a copy of the lock file where it has installed it.
    let installed = modified(&place.join("node_modules/.package-lock.json"));
    let wanted = modified(&place.join("package-lock.json"));
    if installed.is_some() && installed >= wanted {
        say(format!("Node packages in {folder}: here"));
        return Ok(());
    }
    run(program("npm", &["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(place))
}

/// What these tests need, in an environment of their own.
fn python_packages(tests: &str) -> Result<()> {
    let place = root().join("target").join(tests);
    let folder = root().join("server/tests").join(tests);
    let wanted = folder.join("requirements.txt");
    // Copied to where all of it has been installed.
    let installed = place.join("requirements.txt");
    let list = fs::read(&wanted)?;
    let all = fs::read(&installed).is_ok_and(|it| it == list);
    if all && place.join("bin/python").is_file() {
        say(format!("Python packages of {tests}: here"));
        return Ok(());
    }
    run(program("python3", &["-m", "venv", "--clear"]).arg(&place))?;
    let mut install = program(place.join("bin/pip"), &["install", "--quiet"]);
    run(install.arg("--requirement").arg(&wanted))?;
    fs::write(installed, list)?;
    Ok(())
}

fn modified(file: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// Has apt install this package where that is allowed. Otherwise the error says how to come by it.
pub fn install(what: &str, package: Option<&str>) -> Result<()> {
    let Some(package) = package else {
        bail!("{what} is missing");
    };
    if which("apt-get").is_none() {
        bail!("{what} is missing: install it with your system's package manager");
    }
    if !is_root() {
        bail!("{what} is missing: sudo apt-get install {package}");
    }
    say(format!("{what}: installing the package {package}"));
    run(&mut program("apt-get", &["update", "-qq"]))?;
    let mut install = program(
        "apt-get",
        &["install", "-qq", "--no-install-recommends", package],
    );
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}
