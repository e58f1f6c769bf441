//! Short names on both sides of an island, because what compresses worst is names: those with a hash, those that WASM and
//! script share, and those that the script declares for itself.

use std::collections::{BTreeSet, HashMap};
use std::iter;

use anyhow::{Result, bail, ensure};

/// Renames both sides, and returns the script.
pub fn shorten(module: &mut walrus::Module, script: &str) -> Result<String> {
    sort_imports(module, script)?;
    let short = short_names(module, script)?;
    for import in module.imports.iter_mut() {
        if let Some(name) = short.get(&import.name) {
            import.name.clone_from(name);
        }
    }
    for export in module.exports.iter_mut() {
        if let Some(name) = short.get(&export.name) {
            export.name.clone_from(name);
        }
    }
    Ok(rename(script, &short))
}

/// Puts the imports into the order in which the script has them, so that the short names count up on both sides.
fn sort_imports(module: &mut walrus::Module, script: &str) -> Result<()> {
    let places = first_places(script);
    let mut imports: Vec<walrus::Import> = module.imports.iter().cloned().collect();
    imports.sort_by_key(|it| places.get(it.name.as_str()).copied());
    for import in imports {
        let sorted = module
            .imports
            .add(&import.module, &import.name, import.kind.clone());
        module.imports.delete(import.id());
        let walrus::ImportKind::Function(function) = import.kind else {
            bail!("{} is imported, and is no function", import.name);
        };
        if let walrus::FunctionKind::Import(function) = &mut module.funcs.get_mut(function).kind {
            function.import = sorted;
        }
    }
    Ok(())
}

/// The short names of what both sides share, of parameters, and of what the script declares for itself.
fn short_names(module: &walrus::Module, script: &str) -> Result<HashMap<String, String>> {
    let places = first_places(script);
    let imports: Vec<&str> = module.imports.iter().map(|it| it.name.as_str()).collect();
    let missing = imports.iter().find(|it| !places.contains_key(*it));
    ensure!(missing.is_none(), "the script doesn't have {missing:?}");
    let exports = module.exports.iter().map(|it| it.name.as_str());
    // The boot script calls some exports: the name of an island has a hash, too.
    let is_public = |name: &&str| script.contains(&format!("export function {name}("));
    let shared = imports
        .into_iter()
        .chain(exports.filter(|it| !is_public(it)));
    let mut shared: Vec<&str> = shared.filter(|it| has_hash(it)).collect();

    // Numbers that count up compress best. Exports that the script doesn't have come last.
    shared.sort_by_key(|it| (places.get(it).copied().unwrap_or(usize::MAX), *it));
    let numbered = shared.iter().enumerate();
    let numbered = numbered.map(|(n, name)| ((*name).to_owned(), format!("_{n}")));
    let letters = ('a'..='z').map(String::from);
    let letters = letters.filter(|it| !places.contains_key(it.as_str()));
    // As wasm-bindgen calls them; those beyond the tenth keep their names.
    let parameters = (0..10).map(|n| format!("arg{n}")).zip(letters);
    let own = own_names(script).into_iter().enumerate();
    let own = own.map(|(n, name)| (name.to_owned(), format!("${n}")));
    let short: HashMap<_, _> = numbered.chain(parameters).chain(own).collect();
    let taken = short.values().find(|it| places.contains_key(it.as_str()));
    ensure!(taken.is_none(), "{taken:?} is used already");
    Ok(short)
}

/// Where each identifier of the script is for the first time.
fn first_places(script: &str) -> HashMap<&str, usize> {
    let mut places = HashMap::new();
    for (at, (name, _)) in identifiers(script).enumerate() {
        places.entry(name).or_insert(at);
    }
    places
}

/// The names of functions and variables that the script declares for itself, and that surely are no field's. A name stays if it
/// is exported, if it stands behind a dot or a quote or before a colon, and if it is all lower case: such names occur in shorthand
/// fields, as in `{ instance, module }`.
fn own_names(script: &str) -> BTreeSet<&str> {
    let tokens: Vec<(&str, &str)> = iter::once(("", "")).chain(identifiers(script)).collect();
    let own = tokens.windows(3).filter_map(|tokens| {
        let [(previous, _), (keyword, " "), (name, _)] = tokens else {
            return None;
        };
        let is_declared = ["function", "let", "const"].contains(keyword)
            && !["export", "async"].contains(previous);
        let is_no_word = name.contains(|it: char| it.is_ascii_uppercase() || it.is_ascii_digit());
        (is_declared && is_no_word && !has_hash(name)).then_some(*name)
    });
    let fields = tokens.windows(2).filter_map(|tokens| {
        let [(_, before), (name, after)] = tokens else {
            return None;
        };
        (before.ends_with(['.', '"', '\'']) || after.starts_with(':')).then_some(*name)
    });
    let fields: BTreeSet<&str> = fields.collect();
    own.filter(|it| !fields.contains(it)).collect()
}

/// Whether a name contains the 16 hexadecimal digits of a hash.
fn has_hash(name: &str) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let mut windows = name.as_bytes().windows(16);
    windows.any(|window| window.iter().all(is_digit))
}

/// The identifiers of a script, each with the text up to the next one.
pub fn identifiers(script: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '$';
    let mut rest = script;
    iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|it| !is_letter(it)).unwrap_or(rest.len());
        let (identifier, behind) = rest.split_at(end);
        let end = behind.find(is_letter).unwrap_or(behind.len());
        let (between, next) = behind.split_at(end);
        rest = next;
        Some((identifier, between))
    })
}

fn rename(script: &str, short: &HashMap<String, String>) -> String {
    let mut renamed = String::with_capacity(script.len());
    for (identifier, between) in identifiers(script) {
        renamed.push_str(short.get(identifier).map_or(identifier, String::as_str));
        renamed.push_str(between);
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_field_may_have_stays() {
        let script = "let cachedView0 = null;\nfunction getView0() { return cachedView0; }\n\
            export function startPage0() {}\nconst instance = getView0();\nconst wasmModule = 1;\n\
            const made = { wasmModule: instance.byteLength };\nconst byteLength = 2;\n";
        let own = own_names(script);
        assert_eq!(Vec::from_iter(own), ["cachedView0", "getView0"]);
    }

    #[test]
    fn only_whole_names_are_replaced() {
        let short = HashMap::from([("arg0".to_owned(), "a".to_owned())]);
        assert_eq!(
            rename("f(arg0, arg01, $arg0, _arg0)", &short),
            "f(a, arg01, $arg0, _arg0)"
        );
    }
}
