//! Installs WebKitGTK, which has Safari's engine, for the browser tests.
//!
//! The WebKitGTK of Debian 12 can't record, because its GStreamer is too old. On Debian 13 and later the packages are
//! installed directly. Elsewhere a root file system of Debian 13 is installed in the user's cache, which takes five minutes
//! and 1 GB, and needs apt and root. Where WebKitGTK is missing its tests are skipped, and `cargo xtask test`
//! says so.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::debian_root::{self, RELEASE, RELEASE_NUMBER, apt, install_packages, may_enter};
use crate::shell::{installed, is_root, program, run, say, which};

/// The first version that can record on Linux.
const MIN_VERSION: (u32, u32) = (2, 52);

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

/// The root directory of the system that has it: `/`, or the one in the cache.
/// `None`: it isn't installed.
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
    // Removed first, so that an interrupted removal leaves no marker.
    let _ = fs::remove_file(marker(folder));
    let inside = debian_root::create(folder)?;
    install_packages(&inside, &PACKAGES)?;
    // Removes downloaded packages.
    run(&mut apt(&inside, &["clean"]))?;
    fs::write(marker(folder), marker_content())?;
    Ok(())
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
