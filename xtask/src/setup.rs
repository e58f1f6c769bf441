//! Installs what is missing where it can, and otherwise says with which command to do it.
//! Looking is cheap, so every other command does it first. Not here: a compiler for C and C++, without which this tool
//! itself can't be built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::shell::{is_root, output, program, root, run, say, step, which};
use crate::{browser, postgres};

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// For building and for testing.
pub fn everything() -> Result<()> {
    step("Set up for building", for_building)?;
    step("Set up for testing", for_testing)
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

/// Two browsers, PostgreSQL, strace, ffmpeg, nginx, promtool, and the Node and Python packages of the tests.
pub fn for_testing() -> Result<()> {
    package("Chromium", "chromium", browser::chromium)?;
    package("Firefox", "firefox-esr", browser::firefox)?;
    postgres()?;
    package("strace", "strace", || which("strace"))?;
    ffmpeg()?;
    nginx()?;
    promtool()?;
    let npm = package("npm", "npm", || which("npm"))?;
    for folder in [
        "end2end",
        "server/tests/clients",
        "server/tests/contract",
        "server/tests/mcp",
    ] {
        node_packages(&npm, folder)?;
    }
    let python = package("Python", "python3", || which("python3"))?;
    package("venv", "python3-venv", || {
        output(&mut program(&python, &["-c", "import ensurepip, venv"])).ok()
    })?;
    for tests in ["clients", "contract", "mcp"] {
        python_packages(&python, tests)?;
    }
    Ok(())
}

/// For measuring the recording page.
pub fn for_recordings() -> Result<()> {
    package("Chromium", "chromium", browser::chromium)?;
    ffmpeg()?;
    let npm = package("npm", "npm", || which("npm"))?;
    node_packages(&npm, "end2end")?;
    node_packages(&npm, "end2end/measures")
}

/// What makes films.
pub fn ffmpeg() -> Result<()> {
    package("ffmpeg", "ffmpeg", || which("ffmpeg")).map(drop)
}

/// For clusters.
pub fn postgres() -> Result<()> {
    package("PostgreSQL", "postgresql", postgres::find).map(drop)
}

/// Beside which streams are measured, and which stands in front of nodes. Debian starts what it installs, where there is
/// something that starts services; nothing here needs that one.
pub fn nginx() -> Result<()> {
    let in_path = || which("nginx");
    let packaged = || Some(PathBuf::from("/usr/sbin/nginx")).filter(|it| it.is_file());
    package("nginx", "nginx", || in_path().or_else(packaged)).map(drop)
}

/// What plays the alerts. It comes with all of Prometheus, which Debian starts likewise.
fn promtool() -> Result<()> {
    package("promtool", "prometheus", || which("promtool")).map(drop)
}

/// What the lock file in this folder names.
fn node_packages(npm: &Path, folder: &str) -> Result<()> {
    let place = root().join(folder);
    // npm leaves a copy of the lock file where it has installed it.
    let installed = modified(&place.join("node_modules/.package-lock.json"));
    let wanted = modified(&place.join("package-lock.json"));
    if installed.is_some() && installed >= wanted {
        say(format!("Node packages in {folder}: here"));
        return Ok(());
    }
    run(program(npm, &["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(place))
}

/// What these tests need, in an environment of their own.
fn python_packages(python: &Path, tests: &str) -> Result<()> {
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
    run(program(python, &["-m", "venv", "--clear"]).arg(&place))?;
    let mut install = program(place.join("bin/pip"), &["install", "--quiet"]);
    run(install.arg("--requirement").arg(&wanted))?;
    fs::write(installed, list)?;
    Ok(())
}

fn modified(file: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// Finds a program, or has apt install its package where that is allowed.
fn package<T>(what: &str, name: &str, find: impl Fn() -> Option<T>) -> Result<T> {
    if let Some(found) = find() {
        say(format!("{what}: here"));
        return Ok(found);
    }
    if which("apt-get").is_none() {
        bail!("{what} is missing: install it with your system's package manager");
    }
    if !is_root() {
        bail!("{what} is missing: sudo apt-get install {name}");
    }
    say(format!("{what}: installing the package {name}"));
    run(&mut program("apt-get", &["update", "-qq"]))?;
    let mut install = program(
        "apt-get",
        &["install", "-qq", "--no-install-recommends", name],
    );
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
    match find() {
        Some(found) => Ok(found),
        None => bail!("the package {name} is installed, and still there is no {what}"),
    }
}
