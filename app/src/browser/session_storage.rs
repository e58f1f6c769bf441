//! What this tab remembers, and nobody else: `sessionStorage`.

use web_sys::Storage;

/// Remembers. `false`: the browser doesn't let it.
pub fn set(key: &str, text: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, text).is_ok())
}

/// What is remembered.
pub fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Forgets.
pub fn remove(key: &str) {
    if let Some(storage) = storage() {
        // Throws for no key that there is.
        let _ = storage.remove_item(key);
    }
}

/// `None`: switched off.
fn storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}
