//! Sliders: `<input type=range>`.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// Moves the slider in this element, if there is one.
pub fn move_slider(container: &Element, to: f64) {
    if let Ok(Some(slider)) = container.query_selector("input") {
        slider
            .unchecked_into::<HtmlInputElement>()
            .set_value_as_number(to);
    }
}
