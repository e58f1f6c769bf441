//! `cargo xtask dist --try-out`: the package in a Debian that has nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::try_image;
use crate::abuse::Target;
use crate::server::Server;
use crate::shell::{output, root, run, say, step};
use crate::tools::debian_root::{self, apt, inside};

const SETTINGS: &str = "/etc/vidence/env";
const DATA: &str = "/var/lib/vidence";

/// Tries out what `dist` has packed.
pub fn try_out(package: &Path) -> Result<()> {
    ensure!(
        debian_root::may_enter(),
        "only root can enter another root directory"
    );
    let folder = root().join("target/tried");
    debian_root::remove(&folder)?;
    let debian = folder.join("debian");
    let enter = step("Install a clean Debian", || debian_root::create(&debian))?;
    step("Try the image", || {
        try_image::install_tools()?;
        try_image::try_image(&debian, &folder.join("image"))
    })?;
    step("Try the package", || try_package(package, &debian, &enter))?;
    debian_root::remove(&folder)
}

fn try_package(package: &Path, folder: &Path, enter: &[PathBuf]) -> Result<()> {
    let file = "/vidence.deb";
    fs::copy(package, folder.join("vidence.deb"))?;
    let install = |more: &[&str]| {
        let arguments = [&["install", "-qq", "--no-install-recommends"], more].concat();
        run(&mut apt(enter, &arguments))
    };
    let within = |path: &str| folder.join(path.trim_start_matches('/'));
    let say_inside = |name: &str, arguments: &[&str]| output(&mut inside(enter, name, arguments));
    install(&[file])?;
    let mode = fs::metadata(within(SETTINGS))?.permissions().mode() & 0o777;
    ensure!(mode == 0o600, "{SETTINGS} has the mode {mode:o}");
    for unit in ["vidence", "vidence-check.timer"] {
        let state = inside(enter, "systemctl", &["is-enabled", unit]).output()?;
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
        with_own_variables(inside(enter, "setpriv", &arguments))
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
    run(&mut apt(enter, &["remove", "-qq", "vidence"]))?;
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
    run(&mut apt(enter, &["purge", "-qq", "vidence"]))?;
    for path in [SETTINGS, DATA] {
        ensure!(!within(path).exists(), "{path} has stayed after a purge");
    }
    Ok(())
}

/// `VIDENCE_…` and `AWS_…` variables of this process are meant for another server.
pub(super) fn with_own_variables(mut command: Command) -> Command {
    command.env_clear();
    // By it the programs are found that enter the root directory.
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.env("VIDENCE_DATA_DIR", DATA);
    command
}

/// Starts a server, asks it whether it is ready by a command as its health check does, and has a video sent, watched and
/// deleted.
pub(super) fn smoke_test(serve: Command, ready: impl Fn(&str) -> Command) -> Result<()> {
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
