//! WebKitGTK, the engine of Safari, for the tests in a browser.
//!
//! Debian 12 has a WebKitGTK that records nothing, because its GStreamer is too old. On Debian 13 and later the
//! packages are installed as they are. Elsewhere a root of Debian 13 is made in `target/webkit`, which takes five
//! minutes and 1 GB, and needs apt and root. Where it is missing the tests in WebKit are skipped, and
//! `cargo xtask test` says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::{is_root, output, program, root, run, say, which};

/// The first that records on Linux.
const LEAST: (u32, u32) = (2, 52);

/// Debian's release that has it.
const RELEASE: &str = "trixie";

/// And its number.
const RELEASE_NUMBER: u32 = 13;

const PACKAGES: [&str; 11] = [
    "webkit2gtk-driver",
    // For a program that keeps its profile on disk.
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
];

/// The root of the system that has it: `/`, or the one made for it. `None`: it isn't installed.
pub fn find() -> Option<PathBuf> {
    if has_packages() {
        return Some(PathBuf::from("/"));
    }
    let place = place();
    (is_complete(&place) && may_enter()).then_some(place)
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

/// Whether a root can be entered: by root alone, and not in every container.
fn may_enter() -> bool {
    is_root()
        && program("unshare", &["--mount", "true"])
            .status()
            .is_ok_and(|it| it.success())
}

/// Installs it where that is possible. Where it isn't, the error says why.
pub fn install() -> Result<()> {
    if let Some(why) = obstacle() {
        bail!(why);
    }
    if has_new_packages() {
        say("WebKit: installing its packages");
        run(&mut apt(&[], &["update", "-qq"]))?;
        install_packages(&[], &PACKAGES)?;
    } else {
        let place = place();
        say(format!(
            "WebKit: installing Debian {RELEASE_NUMBER} for it in {}",
            place.display()
        ));
        install_root(&place)?;
    }
    match find() {
        Some(_) => Ok(()),
        None => bail!("WebKit is installed, and still there is none that is new enough"),
    }
}

/// The root that is made for it.
fn place() -> PathBuf {
    root().join("target/webkit/root")
}

/// Written last.
fn marker(place: &Path) -> PathBuf {
    place.join("complete")
}

/// Whether all of it was installed, with the packages that are named now.
fn is_complete(place: &Path) -> bool {
    fs::read_to_string(marker(place)).is_ok_and(|it| it == contents())
}

/// What the marker holds.
fn contents() -> String {
    format!("{RELEASE}\n{}\n", PACKAGES.join("\n"))
}

/// Whether the system itself has all of them, and WebKit is new enough.
fn has_packages() -> bool {
    let format = "--showformat=${Package} ${db:Status-Status} ${Version}\n";
    let mut ask = program("dpkg-query", &["--show", format]);
    // It complains about those that it doesn't know.
    let Ok(answer) = ask.args(PACKAGES).output() else {
        return false;
    };
    let list = String::from_utf8_lossy(&answer.stdout);
    let installed = |name: &str| {
        let mut lines = list.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(" installed "))
    };
    let newest = installed("webkit2gtk-driver").and_then(version);
    newest.is_some_and(|it| it >= LEAST) && PACKAGES.iter().all(|it| installed(it).is_some())
}

/// The first two numbers.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(['.', '-']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Whether this is a Debian whose packages are new enough.
fn has_new_packages() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let says = |name: &str| {
        let mut lines = release.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        Some(value.trim_matches('"'))
    };
    let number = says("VERSION_ID").and_then(|it| it.parse::<u32>().ok());
    says("ID") == Some("debian") && number.is_some_and(|it| it >= RELEASE_NUMBER)
}

/// Makes the root, and installs the packages in it.
fn install_root(place: &Path) -> Result<()> {
    remove(place)?;
    run(&mut apt(&[], &["update", "-qq"]))?;
    install_packages(&[], &["debootstrap", "debian-archive-keyring"])?;
    fs::create_dir_all(place)?;
    // In a mount namespace of its own: what it mounts ends with it, even where it is killed.
    let debootstrap = ["--mount", "debootstrap", "--variant=minbase", RELEASE];
    run(program("unshare", &debootstrap).arg(place).arg(mirror()?))?;
    let enter = root().join("end2end/tests/within-root.sh");
    let inside = [&*enter, place];
    install_packages(&inside, &PACKAGES)?;
    // Packages that nothing reads again.
    run(&mut apt(&inside, &["clean"]))?;
    fs::write(marker(place), contents())?;
    Ok(())
}

/// Removes a root that isn't complete.
fn remove(place: &Path) -> Result<()> {
    if !place.exists() {
        return Ok(());
    }
    for mount in mounts_in(place)?.iter().rev() {
        run(program("umount", &[]).arg(mount))?;
    }
    // A directory of the machine's own that is still mounted there would be emptied.
    if !mounts_in(place)?.is_empty() {
        bail!("something is mounted in {}", place.display());
    }
    // First, so that what is left of it after an interruption doesn't look complete.
    let _ = fs::remove_file(marker(place));
    fs::remove_dir_all(place)?;
    Ok(())
}

/// What is mounted there; what is mounted in a mount comes after it.
fn mounts_in(place: &Path) -> Result<Vec<PathBuf>> {
    let place = place.canonicalize()?;
    let list = fs::read_to_string("/proc/self/mountinfo")?;
    let points = list.lines().filter_map(|line| line.split(' ').nth(4));
    let points = points.map(|it| PathBuf::from(it.replace("\\040", " ")));
    Ok(points.filter(|it| it.starts_with(&place)).collect())
}

/// From where the system has its own packages, if it is a Debian.
fn mirror() -> Result<String> {
    let mut ask = program("apt-get", &["indextargets", "--format", "$(REPO_URI)"]);
    ask.args(["Origin: Debian", "Label: Debian", "Created-By: Packages"]);
    let targets = output(&mut ask)?;
    let first = targets.lines().next();
    Ok(first.unwrap_or("http://deb.debian.org/debian").to_owned())
}

fn install_packages(enter: &[&Path], packages: &[&str]) -> Result<()> {
    let mut install = apt(enter, &["install", "-qq", "--no-install-recommends"]);
    run(install.args(packages))
}

/// `apt-get`, in the system that `enter` leads into.
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
        for (said, want) in [
            ("2.52.6-1~deb13u1", true),
            ("2.100.0-1", true),
            ("3.0-1", true),
            ("2.50.4-1~deb12u1", false),
            ("", false),
        ] {
            let is_new = version(said).is_some_and(|it| it >= LEAST);
            assert_eq!(is_new, want, "{said}");
        }
    }
}
