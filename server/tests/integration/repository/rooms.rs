//! The order of the source: small folders, files of a readable length, and no files that use each other in a circle.

use std::fs;
use std::path::{Path, PathBuf};

use super::modules::Modules;

/// Folders with source code.
const ROOMS: [&str; 11] = [
    "app/src",
    "crates",
    "end2end/support",
    "end2end/tests",
    "frontend",
    "fuzz/fuzz_targets",
    "server/benches",
    "server/src",
    "server/tests",
    "style",
    "xtask/src",
];

/// Entries of a folder, at most, besides the file that declares the others.
const MAX_ENTRIES: usize = 15;

/// Lines of a file, at most, unless its header says why it has more.
const MAX_LINES: usize = 300;

/// The words of such a reason.
const REASON: &str = "300 lines";

/// Lines of a header that are searched for the reason.
const HEADER: usize = 15;

#[test]
fn no_source_folder_has_more_than_fifteen_entries() {
    for folder in folders() {
        let mut entries = entries(&folder);
        entries.retain(|it| !is_root_of_module(it));
        // Data, such as fixtures and certificates.
        if entries.iter().any(|it| is_source(it)) {
            let count = entries.len();
            assert!(
                count <= MAX_ENTRIES,
                "{}: {count} entries",
                folder.display()
            );
        }
    }
}

#[test]
fn a_file_of_more_than_300_lines_says_why() {
    for file in folders().iter().flat_map(|it| entries(it)) {
        if !is_source(&file) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("UTF-8");
        let lines = text.lines().count();
        let has_reason = text.lines().take(HEADER).any(|it| it.contains(REASON));
        assert!(
            lines <= MAX_LINES || has_reason,
            "{}: {lines} lines",
            file.display()
        );
    }
}

/// A child may use its parent, which declares it; every other use goes one way.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut crates: Vec<_> = entries(&root().join("crates"));
    crates.extend(["app", "server", "xtask"].map(|it| root().join(it)));
    for folder in crates {
        if let Some(circle) = Modules::read(&[folder.join("src")]).circle() {
            panic!("{}: {}", folder.display(), circle.join(" → "));
        }
    }
}

#[test]
fn circles_are_found_through_every_form_of_import() {
    let modules = |second: &str| {
        let sources = [
            ("", "mod a; mod b; mod c;"),
            ("a", "use crate::b::{self, One as Two};"),
            ("b", "mod child; use super::c::Three;"),
            ("b::child", "use super::Four;"),
            ("c", second),
        ];
        Modules::from_sources(&sources)
    };
    assert_eq!(modules("fn five() {}").circle(), None);
    assert_eq!(
        modules("// crate::a\n#[cfg(test)]\nmod tests {\n    use crate::a::Five;\n}").circle(),
        None
    );
    for second in [
        "use crate::{a::Five, b};",
        "use super::{c, a::{Five}};",
        "fn five() { crate::a::five() }",
        "pub use crate::a::Five;",
        "#[cfg(test)]\nmod tests;\n\nuse crate::a::Five;",
    ] {
        let circle = modules(second).circle().expect(second);
        assert!(circle.len() == 3 || circle.len() == 4, "{circle:?}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The source folders with all that are in them.
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<_> = ROOMS.iter().map(|it| root().join(it)).collect();
    let mut next = 0;
    while let Some(folder) = folders.get(next) {
        folders.extend(entries(folder).into_iter().filter(|it| it.is_dir()));
        next += 1;
    }
    folders
}

/// Files and folders, without those that a tool has made.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let made = ["node_modules", "target", "test-results", "__pycache__"];
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let entries = entries.map(|it| it.expect("an entry").path());
    let is_made = |it: &PathBuf| made.iter().any(|name| it.ends_with(name));
    entries.filter(|it| !is_made(it)).collect()
}

fn is_source(file: &Path) -> bool {
    let extension = file.extension().and_then(|it| it.to_str());
    file.is_file() && matches!(extension, Some("rs" | "ts" | "css" | "c" | "py"))
}

/// Whether a file declares the others of its folder.
fn is_root_of_module(file: &Path) -> bool {
    ["mod.rs", "lib.rs", "main.rs"]
        .iter()
        .any(|it| file.ends_with(it))
}
