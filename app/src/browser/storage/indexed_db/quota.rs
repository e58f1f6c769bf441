//! The Storage API: room, and its persistence.

use js_sys::Array;

use crate::browser::js::{call_method, get_field};

/// Asks the browser not to evict what this site stores when the disk fills up.
pub async fn persist() {
    if let Some(window) = web_sys::window() {
        let storage = get_field(&window.navigator(), "storage");
        call_method(&storage, "persist", &Array::new()).await;
    }
}

/// Bytes that this site may still store. `None`: the browser doesn't say.
pub async fn available_bytes() -> Option<f64> {
    let storage = get_field(&web_sys::window()?.navigator(), "storage");
    let estimate = call_method(&storage, "estimate", &Array::new()).await?;
    let field = |name| get_field(&estimate, name).as_f64();
    Some(field("quota")? - field("usage")?)
}
