//! Makes smaller what wasm-bindgen writes.
//!
//! Whatever passes between WASM and script has a name on both sides, and most names end with a hash, which
//! doesn't compress. Here both sides change to short names at once. Both lose the classes that dependencies
//! export, which no page of ours imports: what is exported is never dead code to the linker. The script also
//! loses what is there for a reader.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, ensure};
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
    let mut script = bare(output.js())?;
    let module = output.wasm_mut();
    drop_classes(module, &mut script)?;
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

/// Drops every exported class, and the code that only its methods call.
fn drop_classes(module: &mut walrus::Module, script: &mut String) -> Result<()> {
    while let Some(class) = between(script, "export class ", " {") {
        // With the line behind it that makes it disposable; and what frees a lost one of it.
        let end = format!(" = {class}.prototype.free;");
        cut(script, &format!("export class {class} {{"), &end)?;
        cut(script, &format!("const {class}Finalization = "), ";")?;
        let is_gone = words(script).all(|(word, _)| word != class);
        ensure!(is_gone, "the WASM hands out instances of {class}");

        let (methods, free) = (class.to_lowercase() + "_", format!("__wbg_{class}_free"));
        let of_it = |name: &str| name.starts_with(&methods) || name.eq_ignore_ascii_case(&free);
        let exports = module.exports.iter().filter(|it| of_it(&it.name));
        for export in exports.map(|it| it.id()).collect::<Vec<_>>() {
            module.exports.delete(export);
        }
    }
    walrus::passes::gc::run(module);
    Ok(())
}

/// What stands between the first `start` and the `end` after it.
fn between(text: &str, start: &str, end: &str) -> Option<String> {
    let (_, rest) = text.split_once(start)?;
    let (between, _) = rest.split_once(end)?;
    Some(between.to_owned())
}

/// Cuts the first `start` out, the `end` after it, and all between them.
fn cut(text: &mut String, start: &str, end: &str) -> Result<()> {
    let from = text.find(start);
    let from = from.with_context(|| format!("the script has no {start}"))?;
    let rest = text.get(from..).unwrap_or_default();
    let length = rest.find(end);
    let length = length.with_context(|| format!("the script has no {end} behind {start}"))?;
    text.replace_range(from..from + length + end.len(), "");
    Ok(())
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
