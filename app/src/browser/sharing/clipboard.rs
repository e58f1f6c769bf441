//! The clipboard.

use wasm_bindgen_futures::JsFuture;

/// Copies a text. `false`: the browser refuses, as it does outside of secure contexts.
pub async fn copy_to_clipboard(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    let clipboard = window.navigator().clipboard();
    // Undefined outside of secure contexts, although its type doesn't allow that.
    if clipboard.is_undefined() {
        return false;
    }
    JsFuture::from(clipboard.write_text(text)).await.is_ok()
}
