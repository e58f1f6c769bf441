//! What this binary was built from.

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of a release build, which `cargo xtask build` names in the environment; otherwise "unknown".
///
/// Other builds aren't told it: each commit would compile this crate again.
pub const REVISION: &str = match option_env!("SOURCE_REVISION") {
    Some(revision) if !revision.is_empty() => revision,
    _ => "unknown",
};
