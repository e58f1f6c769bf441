//! Makes smaller what wasm-bindgen writes. Whatever passes between WASM and script has a name on both sides,
//! and most names end with a hash, which doesn't compress. Here both sides change to short names at once. The
//! script also loses what is there for a reader.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, ensure};
use wasm_bindgen_cli_support::Output;

/// An island's two halves.
pub struct Glue {
    /// The island.
    pub wasm: Vec<u8>,
    /// Binds it to the browser.
    pub script: String,
}

/// Of what was written.
pub fn shorten(output: &mut Output) -> Result<Glue> {
    let script = bare(output.js())?;
    let module = output.wasm_mut();
    let imported = module.imports.iter().map(|it| it.name.clone());
    let mut hashed: Vec<String> = imported.filter(|name| is_hashed(name)).collect();
    let imported: HashSet<String> = hashed.iter().cloned().collect();
    let exported = module.exports.iter().map(|it| it.name.clone());
    // What the boot script calls stays: an island's own name has a hash, too.
    let is_ours = |name: &String| script.contains(&format!("export function {name}("));
    hashed.extend(exported.filter(|name| is_hashed(name) && !is_ours(name)));

    let short = hashed.into_iter().enumerate();
    let short: HashMap<String, String> = short.map(|(n, it)| (it, format!("_{n}"))).collect();
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
    let wasm = module.emit_wasm();

    let words: HashSet<&str> = words(&script).map(|(word, _)| word).collect();
    for (long, short) in &short {
        ensure!(!words.contains(short.as_str()), "{short} has a meaning");
        let is_there = !imported.contains(long) || words.contains(long.as_str());
        ensure!(is_there, "the script doesn't have {long}");
    }
    let script = rename(&script, &short);
    Ok(Glue { wasm, script })
}

/// Whether a name holds the 16 hexadecimal digits of a hash.
fn is_hashed(name: &str) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let mut windows = name.as_bytes().windows(16);
    windows.any(|window| window.iter().all(is_digit))
}

/// Without indentation and comments that have a line of their own.
fn bare(script: &str) -> Result<String> {
    let mut bare = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        let templates = line.matches('`').count();
        ensure!(templates % 2 == 0, "a text over several lines: {line}");
        let is_comment = ["/*", "*", "//"].iter().any(|it| line.starts_with(it));
        if !is_comment && !line.is_empty() {
            bare.push_str(line);
            bare.push('\n');
        }
    }
    Ok(bare)
}

/// The script's words, each with what stands behind it.
fn words(script: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '$';
    let mut rest = script;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|it| !is_letter(it)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let end = behind.find(is_letter).unwrap_or(behind.len());
        let (between, next) = behind.split_at(end);
        rest = next;
        Some((word, between))
    })
}

fn rename(script: &str, short: &HashMap<String, String>) -> String {
    let mut renamed = String::with_capacity(script.len());
    for (word, between) in words(script) {
        renamed.push_str(short.get(word).map_or(word, String::as_str));
        renamed.push_str(between);
    }
    renamed
}
