//! `sessionStorage`: texts that live as long as the tab.

use web_sys::Storage;

/// Stores a text. `false`: the browser doesn't allow it.
pub fn set(key: &str, text: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, text).is_ok())
}

/// Reads a text.
pub fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Removes a text.
pub fn remove(key: &str) {
    if let Some(storage) = storage() {
        // It throws for no key.
        let _ = storage.remove_item(key);
    }
}

/// `None`: it is switched off.
fn storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}
