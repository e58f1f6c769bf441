//! The documents' links resolve, the files that they name exist, and the first ones to read stay short.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Folders with documents. Others would include the packages of third parties.
const FOLDERS: [&str; 5] = [".", "docs", "docs/decisions", "migrations", "server/deploy"];

/// First segments of paths from the root of the repository.
const TOP_LEVEL: [&str; 14] = [
    ".cargo",
    ".ci",
    ".config",
    "app",
    "crates",
    "docs",
    "end2end",
    "frontend",
    "fuzz",
    "migrations",
    "server",
    "style",
    "target",
    "xtask",
];

/// Files below it are made by a build.
const BUILT: &str = "target/";

/// Lines of a document, at most, so that it is read.
const MAX_LINES: [(&str, usize); 2] = [("README.md", 100), ("ARCHITECTURE.md", 300)];
const MAX_LINES_OF_A_DECISION: usize = 40;

struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    fn all() -> Vec<Self> {
        let mut found = Vec::new();
        for folder in FOLDERS {
            for entry in fs::read_dir(root().join(folder)).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.extension().is_some_and(|it| it == "md") {
                    found.push(Self::read(path));
                }
            }
        }
        assert!(found.len() > 10, "the documents have moved");
        found
    }

    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { path, text }
    }

    fn events(&self) -> impl Iterator<Item = Event<'_>> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES)
    }

    fn links(&self) -> impl Iterator<Item = String> {
        self.events().filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.into_string())
            }
            _ => None,
        })
    }

    fn code_spans(&self) -> impl Iterator<Item = String> {
        self.events().filter_map(|event| match event {
            Event::Code(code) => Some(code.into_string()),
            _ => None,
        })
    }

    /// The fragments by which its headings are addressed.
    fn anchors(&self) -> HashSet<String> {
        let (mut anchors, mut heading) = (HashSet::new(), None);
        for event in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    anchors.extend(heading.take().map(|it| slug(&it)));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        *heading += &text;
                    }
                }
                _ => {}
            }
        }
        anchors
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The anchor that code forges derive from a heading.
fn slug(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let letters = letters.chars().filter_map(|it| match it {
        ' ' => Some('-'),
        it if it.is_alphanumeric() || it == '-' || it == '_' => Some(it),
        _ => None,
    });
    letters.collect()
}

#[test]
fn every_relative_link_of_a_document_resolves() {
    let mut broken = Vec::new();
    let mut count = 0;
    for document in Document::all() {
        let folder = document.path.parent().expect("a folder");
        for link in document.links() {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => document.path.clone(),
                path => folder.join(path),
            };
            let resolves = target.exists()
                && (anchor.is_empty() || Document::read(target).anchors().contains(anchor));
            if !resolves {
                broken.push(format!("{}: {link}", document.path.display()));
            }
        }
    }
    assert!(count > 50, "{count} links");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_file_that_a_document_names_exists() {
    let mut missing = Vec::new();
    let mut count = 0;
    for document in Document::all() {
        for code in document.code_spans() {
            let first = code.split('/').next().unwrap_or_default();
            let is_path = code.contains('/')
                && TOP_LEVEL.contains(&first)
                && code
                    .chars()
                    .all(|it| it.is_ascii_alphanumeric() || "/._-".contains(it));
            if !is_path || code.starts_with(BUILT) {
                continue;
            }
            count += 1;
            if !root().join(&code).exists() {
                missing.push(format!("{}: {code}", document.path.display()));
            }
        }
    }
    assert!(count > 50, "{count} paths");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// As in "`server/src/main.rs`: `main`" and "`main` in `server/src/main.rs`".
#[test]
fn what_the_architecture_says_is_in_a_file_is_there() {
    let document = Document::read(root().join("ARCHITECTURE.md"));
    let parts: Vec<&str> = document.text.split('`').collect();
    let is_path = |text: &str| text.contains('/') && text.ends_with(".rs");
    let mut missing = Vec::new();
    let mut count = 0;
    for window in parts.windows(3) {
        let (file, name) = match window {
            [file, ": ", name] if is_path(file) => (file, name),
            [name, " in ", file] if is_path(file) => (file, name),
            _ => continue,
        };
        count += 1;
        let name = name.rsplit("::").next().unwrap_or_default();
        let source = fs::read_to_string(root().join(file)).expect(file);
        if !source.contains(name) {
            missing.push(format!("{name} in {file}"));
        }
    }
    assert!(count > 20, "{count} names");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn a_line_of_a_browser_test_that_a_document_names_begins_one() {
    let mut count = 0;
    for document in Document::all() {
        for word in document.text.split([' ', '`', '\n']) {
            let Some((name, line)) = word.split_once(".spec.ts:") else {
                continue;
            };
            let Ok(line) = line.parse::<usize>() else {
                continue;
            };
            count += 1;
            let file = format!("{name}.spec.ts");
            let tests = find_file(&root().join("end2end/tests"), &file);
            let tests = fs::read_to_string(tests.unwrap_or_else(|| panic!("{file}")));
            let tests = tests.expect("text");
            let named = tests.lines().nth(line - 1).unwrap_or_default();
            assert!(
                named.starts_with("test("),
                "{word} in {}",
                document.path.display()
            );
        }
    }
    assert!(count > 1, "{count} lines");
}

fn find_file(folder: &Path, name: &str) -> Option<PathBuf> {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let found = match path.is_dir() {
            true => find_file(&path, name),
            false => path.ends_with(name).then_some(path),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[test]
fn readme_architecture_and_decisions_are_short() {
    for (name, limit) in MAX_LINES {
        let lines = Document::read(root().join(name)).text.lines().count();
        assert!(lines <= limit, "{name} has {lines} lines");
    }
    for document in Document::all() {
        let lines = document.text.lines().count();
        let is_decision = document
            .path
            .parent()
            .is_some_and(|it| it.ends_with("decisions"));
        assert!(
            !is_decision || lines <= MAX_LINES_OF_A_DECISION,
            "{} has {lines} lines",
            document.path.display()
        );
    }
}
