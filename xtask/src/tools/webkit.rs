//! Installs WebKitGTK, which has Safari's engine, for the browser tests.
//!
//! The WebKitGTK of Debian 12 can't record, because its GStreamer is too old. On Debian 13 and later the packages are
//! installed directly. Elsewhere a root file system of Debian 13 is installed in the user's cache, which takes five minutes
//! and 1 GB, and needs apt and root. Where WebKitGTK is missing its tests are skipped, and `cargo xtask test`
//! says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::{installed, is_root, output, program, root, run, say, which};

/// The first version that can record on Linux.
const MIN_VERSION: (u32, u32) = (2, 52);

/// The Debian release that packages it, by code name and number.
const RELEASE: &str = "trixie";
const RELEASE_NUMBER: u32 = 13;

const PACKAGES: [&str; 12] = [
    "webkit2gtk-driver",
    // For the embedding program that the tests run with a persistent profile.
    "gir1.2-webkit2-4.1",
    "python3-gi",
    "xvfb",
    "dbus",
    "gstreamer1.0-plugins-base",
    "gstreamer1.0-plugins-good",
    "gstreamer1.0-plugins-bad",
    "gstreamer1.0-plugins-ugly",
    "gstreamer1.0-libav",
    "gstreamer1.0-gl",
    // Not for WebKit: the tests of the server's database prefer this version to that of Debian 12.
    "pgbouncer",
];

/// The root directory of the system that has it: `/`, or the one in the cache. `None`: it isn't installed.
pub fn find() -> Option<PathBuf> {
    if has_packages() {
        return Some(PathBuf::from("/"));
    }
    let folder = installed_root();
    (is_complete(&folder) && may_enter()).then_some(folder)
}

/// Why it can't be installed.
fn obstacle() -> Option<&'static str> {
    if which("apt-get").is_none() {
        Some("only apt can install it")
    } else if !is_root() {
        Some("only root can install it")
    } else if !has_new_packages() && !may_enter() {
        Some("it needs the right to mount, which this container doesn't have")
    } else {
        None
    }
}

/// Whether another root directory can be entered: only by root, and not in every container.
fn may_enter() -> bool {
    is_root()
        && program("unshare", &["--mount", "true"])
            .status()
            .is_ok_and(|it| it.success())
}

/// Installs it, or says in the error why that isn't possible.
pub fn install() -> Result<()> {
    if let Some(why) = obstacle() {
        bail!(why);
    }
    if has_new_packages() {
        say("WebKit: installing its packages");
        run(&mut apt(&[], &["update", "-qq"]))?;
        install_packages(&[], &PACKAGES)?;
    } else {
        let folder = installed_root();
        say(format!(
            "WebKit: installing Debian {RELEASE_NUMBER} for it in {}",
            folder.display()
        ));
        install_root(&folder)?;
    }
    match find() {
        Some(_) => Ok(()),
        None => bail!("the installed WebKit is too old"),
    }
}

/// The path of the root directory in the cache.
fn installed_root() -> PathBuf {
    installed().join("webkit/root")
}

/// The file that marks a complete installation, which is written last.
fn marker(folder: &Path) -> PathBuf {
    folder.join("complete")
}

/// Whether the installation is complete, with the current list of packages.
fn is_complete(folder: &Path) -> bool {
    fs::read_to_string(marker(folder)).is_ok_and(|it| it == marker_content())
}

fn marker_content() -> String {
    format!("{RELEASE}\n{}\n", PACKAGES.join("\n"))
}

/// Whether the system has all packages, and a WebKit that is new enough.
fn has_packages() -> bool {
    let format = "--showformat=${Package} ${db:Status-Status} ${Version}\n";
    let mut query = program("dpkg-query", &["--show", format]);
    // Its exit code isn't 0 if it doesn't know one of them.
    let Ok(answer) = query.args(PACKAGES).output() else {
        return false;
    };
    let list = String::from_utf8_lossy(&answer.stdout);
    let installed = |name: &str| {
        let mut lines = list.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" installed "))
    };
    let newest = installed("webkit2gtk-driver").and_then(version);
    newest.is_some_and(|it| it >= MIN_VERSION) && PACKAGES.iter().all(|it| installed(it).is_some())
}

/// The major and the minor version.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(['.', '-']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Whether this system is a Debian whose packages are new enough.
fn has_new_packages() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let field = |name: &str| {
        let mut lines = release.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        Some(value.trim_matches('"'))
    };
    let number = field("VERSION_ID").and_then(|it| it.parse::<u32>().ok());
    field("ID") == Some("debian") && number.is_some_and(|it| it >= RELEASE_NUMBER)
}

/// Installs Debian in a folder, and the packages in that.
fn install_root(folder: &Path) -> Result<()> {
    remove(folder)?;
    run(&mut apt(&[], &["update", "-qq"]))?;
    install_packages(&[], &["debootstrap", "debian-archive-keyring"])?;
    fs::create_dir_all(folder)?;
    // In a mount namespace of its own, so that its mounts end with it even if it is killed.
    let debootstrap = ["--mount", "debootstrap", "--variant=minbase", RELEASE];
    run(program("unshare", &debootstrap).arg(folder).arg(mirror()?))?;
    let enter = root().join("end2end/support/browser/within-root.sh");
    let inside = [&*enter, folder];
    install_packages(&inside, &PACKAGES)?;
    // Removes downloaded packages.
    run(&mut apt(&inside, &["clean"]))?;
    fs::write(marker(folder), marker_content())?;
    Ok(())
}

/// Removes an incomplete installation.
fn remove(folder: &Path) -> Result<()> {
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
    // Removed first, so that an interrupted removal leaves no marker.
    let _ = fs::remove_file(marker(folder));
    fs::remove_dir_all(folder)?;
    Ok(())
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

fn install_packages(enter: &[&Path], packages: &[&str]) -> Result<()> {
    let mut install = apt(enter, &["install", "-qq", "--no-install-recommends"]);
    run(install.args(packages))
}

/// The command `apt-get`, behind the command `enter` that changes the root directory.
fn apt(enter: &[&Path], arguments: &[&str]) -> Command {
    let words = [enter, &[Path::new("apt-get")]].concat();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).args(arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for (text, want) in [
            ("2.52.6-1~deb13u1", true),
            ("2.100.0-1", true),
            ("3.0-1", true),
            ("2.50.4-1~deb12u1", false),
            ("", false),
        ] {
            let is_new = version(text).is_some_and(|it| it >= MIN_VERSION);
            assert_eq!(is_new, want, "{text}");
        }
    }
}
