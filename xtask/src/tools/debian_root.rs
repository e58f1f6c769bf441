//! A Debian in a folder: a root directory with the packages that every Debian has.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::{is_root, output, program, root, run};

/// The release of Debian, by code name and number.
pub const RELEASE: &str = "trixie";
pub const RELEASE_NUMBER: u32 = 13;

/// Whether another root directory can be entered: only by root, and not in every container.
pub fn may_enter() -> bool {
    is_root()
        && program("unshare", &["--mount", "true"])
            .status()
            .is_ok_and(|it| it.success())
}

/// Installs Debian in a folder, in place of what was there. Returns the command that enters it.
pub fn create(folder: &Path) -> Result<[PathBuf; 2]> {
    remove(folder)?;
    run(&mut apt(&[], &["update", "-qq"]))?;
    install_packages(&[], &["debootstrap", "debian-archive-keyring"])?;
    fs::create_dir_all(folder)?;
    // In a mount namespace of its own, so that its mounts end with it even if it is killed.
    let debootstrap = ["--mount", "debootstrap", "--variant=minbase", RELEASE];
    run(program("unshare", &debootstrap).arg(folder).arg(mirror()?))?;
    Ok(enter(folder))
}

/// The beginning of a command that runs within a root directory.
pub fn enter(folder: &Path) -> [PathBuf; 2] {
    let enter = root().join("end2end/support/browser/within-root.sh");
    [enter, folder.to_owned()]
}

/// Removes a root directory, also an incomplete one.
pub fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for mount in mounts_in(folder)?.iter().rev() {
        run(program("umount", &[]).arg(mount))?;
    }
    // The files of a bind mount would be removed, too.
    if !mounts_in(folder)?.is_empty() {
        bail!("something is mounted in {}", folder.display());
    }
    Ok(fs::remove_dir_all(folder)?)
}

/// The mount points in a folder, each before those within it.
fn mounts_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let folder = folder.canonicalize()?;
    let list = fs::read_to_string("/proc/self/mountinfo")?;
    let points = list.lines().filter_map(|line| line.split(' ').nth(4));
    let points = points.map(|it| PathBuf::from(it.replace("\\040", " ")));
    Ok(points.filter(|it| it.starts_with(&folder)).collect())
}

/// The URL of the system's own packages if it is a Debian, or of Debian's default mirror.
fn mirror() -> Result<String> {
    let mut query = program("apt-get", &["indextargets", "--format", "$(REPO_URI)"]);
    query.args(["Origin: Debian", "Label: Debian", "Created-By: Packages"]);
    let targets = output(&mut query)?;
    let first = targets.lines().next();
    Ok(first.unwrap_or("http://deb.debian.org/debian").to_owned())
}

/// Installs packages, behind the command `enter` that changes the root directory.
pub fn install_packages(enter: &[PathBuf], packages: &[&str]) -> Result<()> {
    let mut install = apt(enter, &["install", "-qq", "--no-install-recommends"]);
    run(install.args(packages))
}

/// The command `apt-get`, behind the command `enter`.
pub fn apt(enter: &[PathBuf], arguments: &[&str]) -> Command {
    let mut command = inside(enter, "apt-get", arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// A program behind the command `enter`, which may be empty.
pub fn inside(enter: &[PathBuf], name: &str, arguments: &[&str]) -> Command {
    let words = [enter, &[PathBuf::from(name)]].concat();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(arguments);
    command
}
