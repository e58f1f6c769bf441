//! Moves the keyboard focus.

#[cfg(feature = "console")]
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement};

/// Focuses an element without scrolling the page.
pub fn focus_without_scroll(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // It fails for no element of the page.
    let _ = element.focus_with_options(&options);
}

/// Focuses an element and scrolls it into view.
#[cfg(feature = "console")]
pub fn focus(element: &HtmlElement) {
    // It fails for no element of the page.
    let _ = element.focus();
}

/// Focuses the descendant with this id, without scrolling the page.
#[cfg(feature = "console")]
pub fn focus_within(ancestor: &HtmlElement, id: &str) {
    let element = ancestor.query_selector(&format!("#{id}")).ok().flatten();
    if let Some(element) = element.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        focus_without_scroll(&element);
    }
}
