//! The system's browsers, which tests drive, and the fonts that their pages need.

use std::path::PathBuf;
use std::process::Command;

use super::webkit;
use crate::shell::{output, program, which};

/// Languages of the pages whose letters are in few fonts, by their names in fontconfig.
const FONT_LANGUAGES: [&str; 5] = ["hi", "ja", "ko", "zh-cn", "zh-tw"];

/// Tells tests and measurements the browsers' paths, and whether there are fonts.
/// Those for a missing one are skipped.
pub fn set_env(command: &mut Command) -> &mut Command {
    let paths = [
        ("VIDENCE_CHROMIUM", chromium()),
        ("VIDENCE_FIREFOX", firefox()),
        ("VIDENCE_WEBKIT", webkit::find()),
    ];
    if has_fonts() {
        command.env("VIDENCE_FONTS", "installed");
    }
    command.envs(paths.into_iter().filter_map(|(name, it)| Some((name, it?))))
}

/// Whether there is a font for each language.
/// Without one, tests of the layout would measure boxes. Other systems than Linux bring them.
pub fn has_fonts() -> bool {
    let has_font = |language: &str| {
        let fonts = output(&mut program("fc-list", &[&format!(":lang={language}")]));
        fonts.is_ok_and(|it| !it.trim().is_empty())
    };
    !cfg!(target_os = "linux") || FONT_LANGUAGES.into_iter().all(has_font)
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
