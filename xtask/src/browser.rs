//! The browser that tests drive: the system's own.

use std::path::PathBuf;

use crate::shell::which;

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Chromium or Chrome, wherever it is.
pub fn find() -> Option<PathBuf> {
    let named = NAMES.iter().find_map(|name| which(name));
    named.or_else(|| Some(PathBuf::from(MAC)).filter(|file| file.is_file()))
}
