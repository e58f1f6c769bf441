//! Installs what is missing where it can, and otherwise says with which command to do it.
//! Looking is cheap, so every other command does it first. Not here: a C compiler, without which this tool
//! itself can't be built.

use std::fs;
use std::path::Path;

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

/// A browser, PostgreSQL, and the Node packages of the browser tests.
pub fn for_testing() -> Result<()> {
    package("Chromium", "chromium", browser::find)?;
    package("PostgreSQL", "postgresql", postgres::find)?;
    let npm = package("npm", "npm", || which("npm"))?;
    let end2end = root().join("end2end");
    // npm leaves a copy of the lock file where it has installed it.
    let installed = modified(&end2end.join("node_modules/.package-lock.json"));
    let wanted = modified(&end2end.join("package-lock.json"));
    if installed.is_some() && installed >= wanted {
        say("Node packages: here");
    } else {
        run(program(npm, &["ci", "--no-audit", "--no-fund"])
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .current_dir(end2end))?;
    }
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
