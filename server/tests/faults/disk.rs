//! A small disk for one server: a tmpfs that nobody else sees, and that goes when the server does.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Who may not mount may still do so as root of a world of their own.
const WORLDS: [&[&str]; 2] = [&["--mount"], &["--mount", "--map-root-user"]];

/// Starts a server with a disk of this size in the place of the folder `at`.
pub fn small_disk(size: &str, at: &Path) -> Vec<OsString> {
    let world = WORLDS.iter().find(|world| launches(world, size, at));
    let world = world.expect(
        "no small disk can be mounted for this test: `unshare --mount` needs root, and \
         `unshare --mount --map-root-user` a system that allows user namespaces",
    );
    launcher(world, size, at)
}

fn launches(world: &[&str], size: &str, at: &Path) -> bool {
    let mut words = launcher(world, size, at);
    words.push("true".into());
    let mut probe = Command::new(&words[0]);
    let probe = probe.args(&words[1..]).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

fn launcher(world: &[&str], size: &str, at: &Path) -> Vec<OsString> {
    let script = r#"mount -t tmpfs -o "size=$0,mode=700" vidence "$1" && shift && exec "$@""#;
    let mut words: Vec<OsString> = vec!["unshare".into()];
    words.extend(world.iter().map(OsString::from));
    words.extend(["sh", "-c", script, size].map(OsString::from));
    words.push(at.into());
    words
}
