//! `cargo xtask dist --try-out`: the package in a Debian that has nothing else, and the files of the image from scratch in a
//! root directory that has nothing at all.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::STAGING;
use crate::abuse::Target;
use crate::server::Server;
use crate::shell::{output, program, root, run, say, step};
use crate::tools::debian_root::{self, apt, inside};

const SETTINGS: &str = "/etc/vidence/env";
const DATA: &str = "/var/lib/vidence";

/// The user of the image.
const IMAGE_USER: u32 = 10001;

/// Bytes of the image.
const MAX_IMAGE: u64 = 40_000_000;

/// Runs a program in a root directory, as the image's user. As with `docker run --read-only --tmpfs /tmp --volume …`, only
/// the data, /tmp and /dev/shm can be written. All mounts end with the process.
const RUN_IMAGE: &str = "
    root=$0
    mount --bind \"$root\" \"$root\"
    mount --rbind /proc \"$root/proc\"
    mount --rbind /dev \"$root/dev\"
    mount --bind \"$root/var/lib/vidence\" \"$root/var/lib/vidence\"
    mount -t tmpfs none \"$root/tmp\"
    mount -o remount,bind,ro \"$root\"
    exec chroot --userspec=10001:10001 \"$root\" \"$@\"";

/// Tries out what `dist` has packed.
pub fn try_out(package: &Path) -> Result<()> {
    ensure!(
        debian_root::may_enter(),
        "only root can enter another root directory"
    );
    let folder = root().join("target/tried");
    step("Try the package in a clean Debian", || {
        try_package(package, &folder.join("debian"))
    })?;
    step("Try the files of the image", || {
        try_image(&folder.join("image"))
    })?;
    debian_root::remove(&folder)
}

fn try_package(package: &Path, folder: &Path) -> Result<()> {
    let enter = debian_root::create(folder)?;
    let file = "/vidence.deb";
    fs::copy(package, folder.join("vidence.deb"))?;
    let install = |more: &[&str]| {
        let arguments = [&["install", "-qq", "--no-install-recommends"], more].concat();
        run(&mut apt(&enter, &arguments))
    };
    let within = |path: &str| folder.join(path.trim_start_matches('/'));
    let say_inside = |name: &str, arguments: &[&str]| output(&mut inside(&enter, name, arguments));
    install(&[file])?;
    let mode = fs::metadata(within(SETTINGS))?.permissions().mode() & 0o777;
    ensure!(mode == 0o600, "{SETTINGS} has the mode {mode:o}");
    for unit in ["vidence", "vidence-check.timer"] {
        let state = inside(&enter, "systemctl", &["is-enabled", unit]).output()?;
        ensure!(
            state.stdout.starts_with(b"disabled"),
            "{unit} isn't there, or is already enabled"
        );
    }
    say(say_inside("vidence", &["--version"])?);

    // What the unit does: a folder for the state, and its user.
    let owned = ["-d", "-m", "700", "-o", "vidence", "-g", "vidence", DATA];
    say_inside("install", &owned)?;
    let user = ["--reuid=vidence", "--regid=vidence", "--init-groups"];
    let as_user = |arguments: &[&str]| {
        let arguments = [&user[..], &["vidence"], arguments].concat();
        with_own_variables(inside(&enter, "setpriv", &arguments))
    };
    smoke_test(as_user(&["serve"]), |address| {
        let mut ready = as_user(&["ready"]);
        ready.env("VIDENCE_LISTEN", address);
        ready
    })?;

    // The settings are the operator's: an upgrade leaves them alone, as a removal does with the data.
    fs::write(
        within(SETTINGS),
        "VIDENCE_CONTACT=mailto:mine@example.org\n",
    )?;
    install(&["--reinstall", file])?;
    let kept = fs::read_to_string(within(SETTINGS))?;
    ensure!(kept.contains("mine"), "an upgrade has changed {SETTINGS}");
    let database = within(DATA).join("vidence.db");
    say_inside("systemctl", &["enable", "--quiet", "vidence-check.timer"])?;
    run(&mut apt(&enter, &["remove", "-qq", "vidence"]))?;
    let enabled = within("/etc/systemd/system/timers.target.wants/vidence-check.timer");
    ensure!(
        !enabled.is_symlink(),
        "a removal has left the timer enabled"
    );
    ensure!(
        !within("/usr/bin/vidence").exists(),
        "the binary has stayed"
    );
    ensure!(database.exists(), "a removal has deleted the data");
    run(&mut apt(&enter, &["purge", "-qq", "vidence"]))?;
    for path in [SETTINGS, DATA] {
        ensure!(!within(path).exists(), "{path} has stayed after a purge");
    }
    Ok(())
}

fn try_image(folder: &Path) -> Result<()> {
    debian_root::remove(folder)?;
    // What Dockerfile.static copies.
    let staging = root().join(STAGING);
    for (from, to) in [
        (staging.join("vidence"), "usr/bin/vidence"),
        (
            staging.join("THIRD-PARTY-LICENSES"),
            "usr/share/doc/vidence/THIRD-PARTY-LICENSES",
        ),
        (
            PathBuf::from("/etc/ssl/certs/ca-certificates.crt"),
            "etc/ssl/certs/ca-certificates.crt",
        ),
    ] {
        let to = folder.join(to);
        fs::create_dir_all(to.parent().context("a folder")?)?;
        fs::copy(&from, to).with_context(|| format!("no {}", from.display()))?;
    }
    let size = output(program("du", &["--summarize", "--bytes"]).arg(folder))?;
    let bytes: u64 = size.split('\t').next().unwrap_or_default().parse()?;
    say(format!("the image has {} MB", bytes / 1_000_000));
    ensure!(
        bytes < MAX_IMAGE,
        "it should have less than {MAX_IMAGE} bytes"
    );
    let data = folder.join("var/lib/vidence");
    for place in ["proc", "dev", "tmp", "var/lib/vidence"] {
        fs::create_dir_all(folder.join(place))?;
    }
    fs::set_permissions(&data, Permissions::from_mode(0o700))?;
    chown(&data, Some(IMAGE_USER), Some(IMAGE_USER))?;

    let image = |command: &str, address: &str| {
        let mut within = program("unshare", &["--mount", "sh", "-euc", RUN_IMAGE]);
        within.arg(folder).args(["/usr/bin/vidence", command]);
        let mut within = with_own_variables(within);
        within.env("VIDENCE_LISTEN", address);
        within
    };
    smoke_test(image("serve", "127.0.0.1:0"), |address| {
        image("ready", address)
    })
}

/// `VIDENCE_…` and `AWS_…` variables of this process are meant for another server.
fn with_own_variables(mut command: Command) -> Command {
    command.env_clear();
    // By it the programs are found that enter the root directory.
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.env("VIDENCE_DATA_DIR", DATA);
    command
}

/// Starts a server, asks it whether it is ready by a command as its health check does, and has a video sent, watched and
/// deleted.
fn smoke_test(serve: Command, ready: impl Fn(&str) -> Command) -> Result<()> {
    let server = Server::start_by(serve)?;
    run(&mut ready(&server.address.to_string()))?;
    let target = Target::prepare(server.address)?;
    let (video, authorization) = &target.video;
    let mut connection = target.connect()?;
    let watched = connection.ask("GET", video, authorization, b"")?;
    ensure!(watched.status == 200, "the video: {}", watched.status);
    let deleted = connection.ask("DELETE", &target.request, authorization, b"")?;
    ensure!(deleted.status == 204, "the deletion: {}", deleted.status);
    say(format!(
        "a video of {} bytes was sent, watched and deleted",
        watched.body.len()
    ));
    Ok(())
}
