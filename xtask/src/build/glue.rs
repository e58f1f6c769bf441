//! Shrinks what wasm-bindgen writes: an island with its script by five to seven per cent, compressed.
//!
//! Both sides get short names (`names`). Exported classes of dependencies are removed from both: no page uses them, but to the
//! linker an export is never dead code. So are the messages and places of panics, which nothing prints.

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Output;

use super::names::identifiers;
use super::{flags, minify, names};

/// The two halves of an island.
pub struct Glue {
    pub wasm: Vec<u8>,
    /// The script that binds the WASM to the browser.
    pub script: String,
}

/// Shrinks both halves. What is `shipped` may not name a folder of the machine that built it.
pub fn shrink(output: &mut Output, shipped: bool) -> Result<Glue> {
    let script = minify::script(output.js())?;
    // For developers who start the WASM in a way that the boot script doesn't.
    let lines = script.lines().filter(|it| !it.starts_with("console.warn("));
    let mut script: String = lines.flat_map(|line| [line, "\n"]).collect();
    let module = output.wasm_mut();
    // The boot script starts the WASM while it is still loading, and never synchronously.
    let end = "return __wbg_finalize_init(instance, module);\n}\n";
    remove_range(&mut script, "function initSync(", end)?;
    remove_range(&mut script, "initSync", ", ")?;
    remove_classes(module, &mut script)?;
    remove_panic_messages(module)?;
    blank_panic_locations(module);
    if shipped {
        ensure_no_paths(module)?;
    }
    // Only linkers read these.
    for section in ["target_features", "__wasm_split_unstable"] {
        module.customs.remove_raw(section);
    }
    walrus::passes::gc::run(module);
    let script = names::shorten(module, &script)?;
    let wasm = module.emit_wasm();
    Ok(Glue { wasm, script })
}

/// Removes every exported class, and the code that only its methods call.
fn remove_classes(module: &mut walrus::Module, script: &mut String) -> Result<()> {
    while let Some(class) = find_between(script, "export class ", " {") {
        // Up to the statement behind the class that makes it disposable; then its finalization registry.
        let end = format!(" = {class}.prototype.free;");
        remove_range(script, &format!("export class {class} {{"), &end)?;
        remove_range(script, &format!("const {class}Finalization = "), ";")?;
        let is_unused = identifiers(script).all(|(it, _)| it != class);
        ensure!(is_unused, "the WASM returns instances of {class}");

        let (methods, free) = (class.to_lowercase() + "_", format!("__wbg_{class}_free"));
        let is_of_class =
            |name: &str| name.starts_with(&methods) || name.eq_ignore_ascii_case(&free);
        let exports = module.exports.iter().filter(|it| is_of_class(&it.name));
        for export in exports.map(|it| it.id()).collect::<Vec<_>>() {
            module.exports.delete(export);
        }
    }
    Ok(())
}

/// Lets a panic trap at once, as it does anyway: before that it formats a message for the standard error, which WASM in a
/// browser doesn't have. `Debug` serves nothing else here, but is in the vtables of dependencies.
fn remove_panic_messages(module: &mut walrus::Module) -> Result<()> {
    const UNUSED: [&str; 4] = [
        "::panicking::panic_fmt",
        "fmt::Debug>::fmt",
        // Describes a bad range of a text before it panics.
        "::slice_error_fail",
        // For `{:#?}`.
        "::PadAdapter as ",
    ];
    let mut has_panics = false;
    for function in module.funcs.iter_mut() {
        let name = function.name.as_deref().unwrap_or_default();
        let is_unused = UNUSED.iter().any(|it| name.contains(it));
        if let walrus::FunctionKind::Local(local) = &mut function.kind
            && is_unused
        {
            has_panics |= name.contains(UNUSED[0]);
            let mut body = local.builder_mut().func_body();
            body.instrs_mut().clear();
            body.unreachable();
        }
    }
    ensure!(has_panics, "{} has another name", UNUSED[0]);
    Ok(())
}

/// The folders of source files: of the standard library, its dependencies, the registry's crates and this project.
const SOURCE_ROOTS: [&str; 5] = ["/rustc/", "/rust/deps/", "/cargo/", "app/src/", "frontend/"];

/// Blanks the names of source files, which only the messages of panics have: zeros compress to nothing. One in another
/// folder stays; the weight limits tell if those become many.
fn blank_panic_locations(module: &mut walrus::Module) {
    const END: &[u8] = b".rs";
    for segment in module.data.iter().map(|it| it.id()).collect::<Vec<_>>() {
        let mut rest = module.data.get_mut(segment).value.as_mut_slice();
        while let Some(root) = SOURCE_ROOTS
            .iter()
            .filter_map(|it| find(rest, it.as_bytes()))
            .min()
        {
            let name = rest.get_mut(root..).unwrap_or_default();
            // Texts follow each other without a gap.
            let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
            let length = name.iter().take_while(|it| is_path(it)).count();
            let end = name.get(..length).and_then(|it| find(it, END));
            if let Some(end) = end {
                name.iter_mut().take(end + END.len()).for_each(|it| *it = 0);
            }
            rest = name.get_mut(1..).unwrap_or_default();
        }
    }
}

/// A folder of the builder would tell the world of it, and make each builder's pages others.
fn ensure_no_paths(module: &walrus::Module) -> Result<()> {
    for folder in flags::folders()? {
        let bytes = folder.as_os_str().as_encoded_bytes();
        let is_named = module
            .data
            .iter()
            .any(|it| find(&it.value, bytes).is_some());
        ensure!(!is_named, "the WASM names {}", folder.display());
    }
    Ok(())
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|it| it == text)
}

/// The text between the first `start` and the next `end`.
fn find_between(text: &str, start: &str, end: &str) -> Option<String> {
    let (_, rest) = text.split_once(start)?;
    let (between, _) = rest.split_once(end)?;
    Some(between.to_owned())
}

/// Removes the first `start`, the next `end`, and all between them.
fn remove_range(text: &mut String, start: &str, end: &str) -> Result<()> {
    let from = text.find(start);
    let from = from.with_context(|| format!("the script has no {start}"))?;
    let rest = text.get(from..).unwrap_or_default();
    let length = rest.find(end);
    let length = length.with_context(|| format!("the script has no {end} behind {start}"))?;
    text.replace_range(from..from + length + end.len(), "");
    Ok(())
}
