//! The system's browsers, which tests drive.

use std::path::PathBuf;
use std::process::Command;

use super::webkit;
use crate::shell::which;

/// Tells tests and measurements the browsers' paths. Those for a missing one are skipped.
pub fn set_env(command: &mut Command) -> &mut Command {
    let paths = [
        ("VIDENCE_CHROMIUM", chromium()),
        ("VIDENCE_FIREFOX", firefox()),
        ("VIDENCE_WEBKIT", webkit::find()),
    ];
    command.envs(paths.into_iter().filter_map(|(name, it)| Some((name, it?))))
}

/// The path of Chromium or Chrome.
pub fn chromium() -> Option<PathBuf> {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
    ];
    find(
        &names,
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    )
}

/// The path of Firefox. Debian packages its extended support release.
pub fn firefox() -> Option<PathBuf> {
    find(
        &["firefox-esr", "firefox"],
        "/Applications/Firefox.app/Contents/MacOS/firefox",
    )
}

fn find(names: &[&str], macos_path: &str) -> Option<PathBuf> {
    let on_path = names.iter().find_map(|name| which(name));
    on_path.or_else(|| Some(PathBuf::from(macos_path)).filter(|file| file.is_file()))
}
