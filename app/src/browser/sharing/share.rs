//! The system's dialog for sharing (Web Share API).

use js_sys::Reflect;
use wasm_bindgen_futures::JsFuture;
use web_sys::ShareData;

/// Whether this browser has such a dialog.
pub fn can_share() -> bool {
    let navigator = web_sys::window().map(|window| window.navigator());
    navigator.is_some_and(|it| Reflect::has(&it, &"share".into()).unwrap_or(false))
}

/// Opens the dialog for a URL. It is called by a press, without which browsers refuse.
pub async fn share(url: &str) {
    if let Some(window) = web_sys::window() {
        let data = ShareData::new();
        data.set_url(url);
        // It fails where the person closes the dialog.
        let _ = JsFuture::from(window.navigator().share_with_data(&data)).await;
    }
}
