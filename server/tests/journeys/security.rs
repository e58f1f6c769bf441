//! `deploy/SECURITY.md` claims nothing that no test holds.

use std::fs;
use std::path::Path;

/// All sources below a folder, as one text.
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

/// What stands between two marks.
fn between(text: &str, mark: char) -> impl Iterator<Item = &str> {
    text.split(mark).skip(1).step_by(2)
}

#[test]
fn every_test_that_is_named_exists() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let claims = fs::read_to_string(here.join("deploy/SECURITY.md")).expect("the claims");
    let (rust, browsers) = (
        sources(&here.join("src"), "rs") + &sources(&here.join("tests"), "rs"),
        sources(&here.join("../end2end/tests"), "ts"),
    );
    let is_test = |it: &&str| {
        it.contains('_') && it.chars().all(|it| it == '_' || it.is_ascii_alphanumeric())
    };
    let named: Vec<_> = between(&claims, '`').filter(is_test).collect();
    assert!(named.len() > 40, "{named:?}");
    for name in named {
        assert!(rust.contains(&format!("fn {name}(")), "{name}");
    }
    let sentences: Vec<_> = between(&claims, '"').collect();
    assert!(!sentences.is_empty());
    for sentence in sentences {
        assert!(
            browsers.contains(&format!("test('{sentence}'")),
            "{sentence}"
        );
    }
}
