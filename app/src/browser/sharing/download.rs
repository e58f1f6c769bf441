//! The person's downloads.

use wasm_bindgen::JsCast;
use web_sys::HtmlAnchorElement;

/// Saves what a URL holds as a file in the person's downloads.
pub fn save_file(url: &str, name: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let anchor = document.and_then(|document| document.create_element("a").ok());
    let anchor = anchor.and_then(|anchor| anchor.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(anchor) = anchor {
        anchor.set_href(url);
        anchor.set_download(name);
        anchor.click();
    }
}
