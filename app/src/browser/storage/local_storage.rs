//! `localStorage`: texts that outlive the page. Best effort, as some browsers switch it off.

use web_sys::Storage;

/// Reads a text that an earlier visit may have stored.
pub fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Stores a text, synchronously.
pub fn set(key: &str, text: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, text);
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}
