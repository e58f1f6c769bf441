//! Where the keyboard is.

#[cfg(feature = "console")]
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement};

/// Moves the keyboard there, without scrolling the page.
pub fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // Fails for nothing that is in the page.
    let _ = element.focus_with_options(&options);
}

/// Moves the keyboard there, and the page so that it can be seen.
#[cfg(feature = "console")]
pub fn go_to(element: &HtmlElement) {
    // As above.
    let _ = element.focus();
}

/// Moves the keyboard to the element of this id, if it is within this one.
#[cfg(feature = "console")]
pub fn focus_within(whole: &HtmlElement, id: &str) {
    let found = whole.query_selector(&format!("#{id}")).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        focus(&found);
    }
}
