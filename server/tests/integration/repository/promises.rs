//! Each claim of `docs/promises.md` and `docs/security.md` names tests that exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A path in the repository.
fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(relative)
}

fn read(relative: &str) -> String {
    fs::read_to_string(path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
}

/// Concatenated source files below a folder.
fn sources(folder: &Path, extension: &str) -> String {
    let mut found = String::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_ours = path.file_name().is_none_or(|it| it != "node_modules");
        if path.is_dir() && is_ours {
            found += &sources(&path, extension);
        } else if path.extension().is_some_and(|it| it == extension) {
            found += &fs::read_to_string(&path).expect("UTF-8");
        }
    }
    found
}

/// All Rust sources with tests.
fn rust() -> String {
    let folders = [
        "app/src",
        "crates",
        "server/src",
        "server/tests",
        "fuzz/tests",
        "xtask/src",
    ];
    folders.map(|it| sources(&path(it), "rs")).concat()
}

/// Texts between pairs of a mark.
fn between(text: &str, mark: char) -> impl Iterator<Item = &str> {
    text.split(mark).skip(1).step_by(2)
}

fn is_function(name: &str) -> bool {
    name.contains('_')
        && name
            .chars()
            .all(|it| it == '_' || it.is_ascii_alphanumeric())
}

/// Names of functions with a test attribute, and of those that a macro lists to make tests of: a line of its own each.
fn tests(rust: &str) -> HashSet<&str> {
    let (mut names, mut listed, mut declared) = <(HashSet<_>, HashSet<_>, HashSet<_>)>::default();
    let mut is_test = false;
    for line in rust.lines().map(str::trim) {
        if is_function(line) {
            listed.insert(line);
        } else if line.starts_with("#[") {
            is_test |= line.contains("test");
        } else if !line.starts_with("//") {
            let function = line.split_once("fn ").and_then(|it| it.1.split_once('('));
            let function = function.map(|it| it.0);
            declared.extend(function);
            names.extend(function.filter(|_| is_test));
            is_test = false;
        }
    }
    // Not a variable on a line of its own.
    names.extend(listed.intersection(&declared));
    names
}

fn has_browser_test(file: &str, title: &str) -> bool {
    ['\'', '`']
        .iter()
        .any(|quote| file.contains(&format!("test({quote}{title}{quote}")))
}

#[test]
fn every_test_named_in_security_md_exists() {
    let claims = read("docs/security.md");
    let rust = rust();
    let tests = tests(&rust);
    let named: Vec<_> = between(&claims, '`').filter(|it| is_function(it)).collect();
    assert!(named.len() > 40, "{named:?}");
    for name in named {
        assert!(tests.contains(name), "{name}");
    }
    let browsers = sources(&path("end2end/tests"), "ts");
    let titles: Vec<_> = between(&claims, '"').collect();
    assert!(!titles.is_empty());
    for title in titles {
        assert!(has_browser_test(&browsers, title), "{title}");
    }
}

/// The files of the documents, by the names that the column "Where" has for them.
const DOCUMENTS: [(&str, &str); 7] = [
    ("ARCHITECTURE", "ARCHITECTURE.md"),
    ("CONTRIBUTING", "CONTRIBUTING.md"),
    ("README", "README.md"),
    ("benchmarks", "docs/benchmarks.md"),
    ("operations", "docs/operations.md"),
    ("recording page", "docs/recording-page.md"),
    ("security", "docs/security.md"),
];

#[test]
fn every_section_named_in_promises_md_exists() {
    let promises = read("docs/promises.md");
    let places = promises.lines().filter_map(|it| it.split(" | ").nth(1));
    let sections: HashSet<_> = places.filter_map(|it| it.split_once(", ")).collect();
    assert!(sections.len() > 20, "{sections:?}");
    for (document, section) in sections {
        let file = DOCUMENTS.iter().find(|it| it.0 == document);
        let (_, file) = file.unwrap_or_else(|| panic!("{document} is no document"));
        let text = read(file);
        let headings = text.lines().filter(|it| it.starts_with(['#', '*']));
        let mut headings = headings.map(|it| it.trim_start_matches(['#', '*', ' ']));
        assert!(
            headings.any(|it| it.starts_with(section)),
            "{document} has no section {section}"
        );
    }
}

#[test]
fn every_test_named_in_promises_md_exists() {
    let (promises, rust) = (read("docs/promises.md"), rust());
    let held = tests(&rust);
    let mut count = 0;
    for row in promises.lines().filter(|it| it.starts_with("| ")) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, place, held_by] = cells[..] else {
            panic!("not three cells: {row}");
        };
        if place == "Where" {
            continue;
        }
        count += 1;
        let mut tests = between(held_by, '`').peekable();
        assert!(tests.peek().is_some(), "no test: {row}");
        while let Some(name) = tests.next() {
            if name.ends_with(".spec.ts") {
                let title = tests.next().unwrap_or_else(|| panic!("no title: {row}"));
                let file = read(&format!("end2end/tests/{name}"));
                assert!(has_browser_test(&file, title), "{name}: {title}");
            } else {
                assert!(held.contains(name), "{name}");
            }
        }
    }
    assert!(count > 80, "{count} promises");
}

/// A new key needs a sentence in the privacy page.
#[test]
fn the_privacy_page_covers_every_browser_storage_key() {
    let summaries = [
        ("choice", "which devices you chose"),
        ("line", "how fast your connection"),
        ("receipts", "what you sent and when"),
        ("rejected", "threw away"),
        ("request", "the request that you made in it"),
        ("ticks", "which steps you ticked in it last, and when"),
        ("wanted", "for which recording you pressed Send last"),
    ];
    let source = sources(&path("app/src"), "rs") + &sources(&path("frontend"), "js");
    let keys = source.split("\"vidence.").skip(1);
    let mut keys: Vec<_> = keys.filter_map(|it| it.split('"').next()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys, summaries.map(|it| it.0));
    let privacy = read("server/src/http/pages/privacy.md");
    let privacy = privacy.replace("\n  ", " ");
    for (key, words) in summaries {
        assert!(privacy.contains(words), "{key}: {words}");
    }
}
