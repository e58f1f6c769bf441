//! Compares the names of the tests that each tool is needed for with the sources.

use crate::shell::{output, program, root};

use super::*;

/// A mistyped name would leave nothing out, and the test that needs the tool would fail.
#[test]
fn each_tool_names_existing_tests() {
    let git = |arguments: &[&str]| {
        let listed = output(program("git", arguments).current_dir(root()));
        listed.expect("a repository")
    };
    let files = git(&["ls-files", "server/tests", "crates", "app"]);
    let mut modules: Vec<&str> = files.split(['/', '\n', '.']).collect();
    let items = git(&["grep", "-h", "-o", "-w", "-E", "(fn|mod) [a-z0-9_]+"]);
    modules.extend(items.lines().filter_map(|it| it.strip_prefix("mod ")));
    let functions: Vec<&str> = items
        .lines()
        .filter_map(|it| it.strip_prefix("fn "))
        .collect();
    for tool in ALL.into_iter().chain([LAST_RELEASE]) {
        for name in tool.tests {
            let (path, function) = name.rsplit_once("::").unwrap_or(("", name));
            // The beginnings of both may be missing.
            let mut path = path.split("::");
            let is_module = path.all(|it| modules.iter().any(|module| module.ends_with(it)));
            let is_function = functions.iter().any(|it| it.contains(function));
            assert!(is_module && is_function, "{name} of {}", tool.name);
        }
    }
}
