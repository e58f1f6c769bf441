//! Settings of a server under test.

use std::ffi::OsString;
use std::path::Path;

use test_support::servers::node::Settings;

/// Settings without limits that a test could reach.
pub fn settings(data_dir: &Path) -> Settings {
    let unlimited = OsString::from((1_u64 << 50).to_string());
    let flags = [
        ("--data-dir", data_dir.into()),
        ("--max-stored-bytes", unlimited.clone()),
        ("--min-free-bytes", "0".into()),
        ("--min-free-files", "0".into()),
        ("--max-takes", "1000".into()),
        // All clients share one address here.
        ("--create-limit", "off".into()),
        ("--read-limit", "off".into()),
        ("--max-creator-bytes", unlimited),
    ];
    let flags = flags.into_iter();
    Settings {
        flags: flags
            .flat_map(|(flag, value)| [flag.into(), value])
            .collect(),
        ..Settings::default()
    }
}
