//! The clipboard.

use wasm_bindgen_futures::JsFuture;

/// Puts a text there. `false`: the browser doesn't let it, as on pages that aren't secure.
pub async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    let clipboard = window.navigator().clipboard();
    // Undefined on pages that aren't secure, whatever its type says.
    if clipboard.is_undefined() {
        return false;
    }
    JsFuture::from(clipboard.write_text(text)).await.is_ok()
}
