//! The browsers that tests drive: the system's own.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::which;
use crate::webkit;

/// Tells tests and measures where they are. Those for one that isn't here skip themselves.
pub fn name_all(command: &mut Command) -> &mut Command {
    let places = [
        ("VIDENCE_CHROMIUM", chromium()),
        ("VIDENCE_FIREFOX", firefox()),
        ("VIDENCE_WEBKIT", webkit::find()),
    ];
    command.envs(
        places
            .into_iter()
            .filter_map(|(name, it)| Some((name, it?))),
    )
}

/// Chromium or Chrome, wherever it is.
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

/// Firefox, wherever it is. Debian has its long-lived versions.
pub fn firefox() -> Option<PathBuf> {
    find(
        &["firefox-esr", "firefox"],
        "/Applications/Firefox.app/Contents/MacOS/firefox",
    )
}

fn find(names: &[&str], on_a_mac: &str) -> Option<PathBuf> {
    let named = names.iter().find_map(|name| which(name));
    named.or_else(|| Some(PathBuf::from(on_a_mac)).filter(|file| file.is_file()))
}
