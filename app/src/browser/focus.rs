//! Where the keyboard is.

use web_sys::{FocusOptions, HtmlElement};

/// Moves the keyboard there, without scrolling the page.
pub fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // Fails for nothing that is in the page.
    let _ = element.focus_with_options(&options);
}
