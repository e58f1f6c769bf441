//! The modules of a crate, and which of them use which, as far as the text of their paths shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Name = Vec<String>;

/// The source of each module by its path; that of the crate's root is empty.
pub struct Modules(BTreeMap<Name, String>);

/// What a source names: paths that it uses, and names under which it exports those of others.
#[derive(Default)]
struct Paths {
    used: Vec<Name>,
    exported: BTreeMap<String, Name>,
}

impl Modules {
    /// Reads the modules below these roots of crates as those of one crate, without those that only tests have.
    pub fn read(roots: &[PathBuf]) -> Self {
        let mut modules = BTreeMap::new();
        let mut folders: Vec<_> = roots.iter().map(|it| (it.clone(), Name::new())).collect();
        while let Some((folder, parent)) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let Some((name, child)) = named(&path, &parent) else {
                    continue;
                };
                if path.is_dir() {
                    folders.push((path, child));
                } else if path.extension().is_some_and(|it| it == "rs") {
                    let is_root = ["mod", "lib", "main"].contains(&name.as_str());
                    let module = if is_root { &parent } else { &child };
                    let source = fs::read_to_string(&path).expect("UTF-8");
                    // A crate may have both roots, and there may be several crates.
                    modules
                        .entry(module.clone())
                        .or_insert_with(String::new)
                        .push_str(&source);
                }
            }
        }
        Self(modules)
    }

    /// Modules with these paths and sources.
    pub fn from_sources(sources: &[(&str, &str)]) -> Self {
        let name = |path: &str| {
            path.split("::")
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect()
        };
        Self(
            sources
                .iter()
                .map(|(path, source)| (name(path), (*source).to_owned()))
                .collect(),
        )
    }

    /// The modules that each module uses. One around it is none of them: that one declares it.
    pub fn uses(&self) -> BTreeMap<&Name, BTreeSet<&Name>> {
        let paths: BTreeMap<&Name, Paths> = self
            .0
            .iter()
            .map(|(module, source)| (module, self.paths(module, source)))
            .collect();
        let uses = paths.iter().map(|(module, named)| {
            let used = named.used.iter().map(|path| self.definition(path, &paths));
            (*module, used.filter(|it| !module.starts_with(it)).collect())
        });
        uses.collect()
    }

    /// Modules of which each uses the next one, and the last one the first.
    pub fn circle(&self) -> Option<Vec<String>> {
        let uses = self.uses();
        let mut done = BTreeSet::new();
        let found = uses
            .keys()
            .find_map(|it| search(it, &uses, &mut Vec::new(), &mut done));
        found.map(|circle| circle.iter().map(|it| it.join("::")).collect())
    }

    /// The module that defines what a path names.
    fn definition<'a>(&'a self, path: &Name, paths: &BTreeMap<&'a Name, Paths>) -> &'a Name {
        let module = (0..=path.len())
            .rev()
            .find_map(|end| self.0.get_key_value(&path[..end]));
        let (module, _) = module.expect("the root has the empty path");
        let exported = path
            .get(module.len())
            .and_then(|item| paths[module].exported.get(item));
        match exported.filter(|it| *it != path) {
            Some(origin) => self.definition(origin, paths),
            None => module,
        }
    }

    fn paths(&self, module: &Name, source: &str) -> Paths {
        // Not at `mod tests;`, behind which the module goes on.
        let (source, _tests) = source.split_once("\nmod tests {").unwrap_or((source, ""));
        let lines = source
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        let code = lines.collect::<Vec<_>>().join("\n");
        let mut paths = Paths::default();
        // A statement ends at a semicolon; a path never has one.
        for statement in code.split(';') {
            let tokens = tokens(statement);
            let export = tokens
                .windows(2)
                .position(|it| it[1] == "use" && (it[0] == "pub" || it[0] == ")"));
            let mut rest = export.map_or(&tokens[..], |at| &tokens[at + 2..]);
            while !rest.is_empty() {
                let before = rest.len();
                let mut found = Vec::new();
                rest = tree(rest, &Name::new(), &mut found);
                let found = found
                    .iter()
                    .filter_map(|path| Some((path.last()?, self.absolute(path, module)?)));
                for (name, path) in found {
                    if export.is_some() {
                        paths.exported.insert(name.clone(), path.clone());
                    }
                    paths.used.push(path);
                }
                if rest.len() == before {
                    rest = &rest[1..];
                }
            }
        }
        paths
    }

    /// A path from the root of the crate. `None`: it names something else.
    fn absolute(&self, path: &Name, module: &Name) -> Option<Name> {
        let supers = path.iter().take_while(|it| *it == "super").count();
        let (start, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (&module[..], &path[1..]),
            "super" => (
                &module[..module.len().checked_sub(supers)?],
                &path[supers..],
            ),
            first => {
                let child: Name = module.iter().cloned().chain([first.to_owned()]).collect();
                match self.0.contains_key(&child) {
                    true => (&module[..], &path[..]),
                    // What the server has of the crate `store` is as if it were its own, by either name.
                    false if first == "store" => (&[][..], &path[1..]),
                    false => return None,
                }
            }
        };
        Some(start.iter().chain(rest).cloned().collect())
    }
}

/// The name of a file or folder as a module, with the path that it has. `None`: only tests have it.
fn named(path: &Path, parent: &Name) -> Option<(String, Name)> {
    let name = path.file_stem()?.to_str()?.to_owned();
    let child = parent.iter().cloned().chain([name.clone()]).collect();
    (name != "tests" && !name.ends_with("_tests")).then_some((name, child))
}

/// Identifiers and the signs of paths; other signs are tokens, too.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let length = match first {
            _ if is_word(first) => rest.find(|it| !is_word(it)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Adds the paths of a tree of imports, or a single path, behind `prefix`. Returns what follows.
fn tree<'t, 'c>(mut tokens: &'t [&'c str], prefix: &Name, found: &mut Vec<Name>) -> &'t [&'c str] {
    let mut path = prefix.clone();
    loop {
        match tokens {
            ["{", rest @ ..] if !path.is_empty() => {
                tokens = rest;
                while let [first, ..] = tokens
                    && *first != "}"
                {
                    let after = tree(tokens, &path, found);
                    let skipped = after.len() == tokens.len() || after.first() == Some(&",");
                    tokens = &after[usize::from(skipped && !after.is_empty())..];
                }
                return tokens.get(1..).unwrap_or_default();
            }
            [name, "::", rest @ ..] if is_name(name) => {
                path.push((*name).to_owned());
                tokens = rest;
            }
            [name, rest @ ..] if is_name(name) && (!path.is_empty()) => {
                if *name != "self" {
                    path.push((*name).to_owned());
                }
                found.push(path);
                // An alias.
                return match rest {
                    ["as", _, rest @ ..] => rest,
                    _ => rest,
                };
            }
            _ => return tokens,
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|it: char| it.is_alphabetic() || it == '_')
}

/// The rest of a circle that begins below `module`, depth first.
fn search<'a>(
    module: &'a Name,
    uses: &BTreeMap<&'a Name, BTreeSet<&'a Name>>,
    above: &mut Vec<&'a Name>,
    done: &mut BTreeSet<&'a Name>,
) -> Option<Vec<&'a Name>> {
    if let Some(start) = above.iter().position(|it| *it == module) {
        return Some([&above[start..], &[module]].concat());
    }
    if !done.insert(module) {
        return None;
    }
    above.push(module);
    let found = uses[module]
        .iter()
        .find_map(|it| search(it, uses, above, done));
    above.pop();
    found
}
