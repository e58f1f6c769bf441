//! `cargo xtask dist --try-out`: the package in a Debian that has nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::smoke_test::{DATA, smoke_test, with_own_variables};
use super::try_image;
use crate::shell::{output, root, run, say, step};
use crate::tools::debian_root::{self, apt, inside};

const SETTINGS: &str = "/etc/vidence/env";

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
