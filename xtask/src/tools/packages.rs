//! Installs packages: of the compiler, of npm, pip, cargo and apt.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, iter};

use anyhow::{Result, bail};

use crate::shell::{cargo, installed, is_root, output, program, root, run, say, which};

/// Installs what a target of the compiler needs.
pub fn install_target(name: &str) -> Result<()> {
    let sysroot = output(&mut program("rustc", &["--print", "sysroot"]))?;
    let sysroot = Path::new(sysroot.trim());
    if sysroot.join("lib/rustlib").join(name).join("lib").is_dir() {
        say(format!("{name}: installed"));
    } else if which("rustup").is_some() {
        run(&mut program("rustup", &["target", "add", name]))?;
    } else {
        bail!("install the target {name} for {}", sysroot.display());
    }
    Ok(())
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

/// Whether the virtual environment of the requirements in this folder has all packages.
pub fn has_python_packages(folder: &str) -> bool {
    let environment = python_environment(folder);
    let has_all = match (
        fs::read(environment.join(REQUIREMENTS)),
        fs::read(requirements(folder)),
    ) {
        (Ok(installed), Ok(required)) => installed == required,
        _ => false,
    };
    has_all && environment.join("bin/python").is_file()
}

/// Installs the Python packages of the requirements in this folder, in a virtual environment of their own.
pub fn install_python_packages(folder: &str) -> Result<()> {
    if has_python_packages(folder) {
        return Ok(());
    }
    let environment = python_environment(folder);
    run(program("python3", &["-m", "venv", "--clear"]).arg(&environment))?;
    let mut install = program(environment.join("bin/pip"), &["install", "--quiet"]);
    run(install.arg("--requirement").arg(requirements(folder)))?;
    // Copied last, so that it marks a complete installation.
    fs::copy(requirements(folder), environment.join(REQUIREMENTS))?;
    Ok(())
}

/// The name of the file that lists Python packages.
const REQUIREMENTS: &str = "requirements.txt";

fn requirements(folder: &str) -> PathBuf {
    root().join(folder).join(REQUIREMENTS)
}

/// Where the requirements of a folder are installed: a folder of the same name in `target`.
pub fn python_environment(folder: &str) -> PathBuf {
    let name = Path::new(folder).file_name().unwrap_or_default();
    root().join("target").join(name)
}

/// Where cargo installs programs.
fn cargo_programs() -> PathBuf {
    installed().join("tools")
}

/// Whether these programs, as pairs of name and version, are installed.
pub fn has_cargo_programs(programs: &[(&str, &str)]) -> bool {
    let list = fs::read_to_string(cargo_programs().join(".crates.toml")).unwrap_or_default();
    programs
        .iter()
        .all(|(name, version)| list.contains(&format!("\"{name} {version} ")))
}

/// Installs debug builds of these programs: those are fast enough, and compile in half the time.
pub fn install_cargo_programs(programs: &[(&str, &str)]) -> Result<()> {
    if has_cargo_programs(programs) {
        return Ok(());
    }
    let mut install = cargo();
    install.args(["install", "--quiet", "--locked", "--debug", "--root"]);
    install.arg(cargo_programs());
    install.args(
        programs
            .iter()
            .map(|(name, version)| format!("{name}@{version}")),
    );
    run(&mut install)
}

/// A program that was installed by cargo.
pub fn cargo_program(name: &str) -> PathBuf {
    cargo_programs().join("bin").join(name)
}

/// The search path of programs, with those that were installed by cargo at its end.
pub fn path_with_cargo_programs() -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = iter::once(cargo_programs().join("bin"));
    Ok(env::join_paths(env::split_paths(&path).chain(own))?)
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
    // Once: it takes seconds.
    static UPDATED: AtomicBool = AtomicBool::new(false);
    if !UPDATED.load(Ordering::Relaxed) {
        run(&mut program("apt-get", &["update", "-qq"]))?;
        UPDATED.store(true, Ordering::Relaxed);
    }
    let mut install = program(
        "apt-get",
        &["install", "-qq", "--no-install-recommends", package],
    );
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}
