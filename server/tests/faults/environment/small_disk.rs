//! A small disk for one server: a tmpfs in a mount namespace, which ends with the server.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Arguments of `unshare`: as root, or as root of a user namespace.
const NAMESPACES: [&[&str]; 2] = [&["--mount"], &["--mount", "--map-root-user"]];

/// A launcher that mounts a disk of this size at the folder `mount_point`.
pub fn small_disk(size: &str, mount_point: &Path) -> Vec<OsString> {
    let namespace = NAMESPACES
        .iter()
        .find(|namespace| can_mount(namespace, size, mount_point));
    let namespace = namespace.expect(
        "no small disk can be mounted for this test: `unshare --mount` needs root, and \
         `unshare --mount --map-root-user` a system that allows user namespaces",
    );
    launcher(namespace, size, mount_point)
}

fn can_mount(namespace: &[&str], size: &str, mount_point: &Path) -> bool {
    let mut arguments = launcher(namespace, size, mount_point);
    arguments.push("true".into());
    let mut probe = Command::new(&arguments[0]);
    let probe = probe.args(&arguments[1..]).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

fn launcher(namespace: &[&str], size: &str, mount_point: &Path) -> Vec<OsString> {
    let script = r#"mount -t tmpfs -o "size=$0,mode=700" vidence "$1" && shift && exec "$@""#;
    let mut arguments: Vec<OsString> = vec!["unshare".into()];
    arguments.extend(namespace.iter().map(OsString::from));
    arguments.extend(["sh", "-c", script, size].map(OsString::from));
    arguments.push(mount_point.into());
    arguments
}
