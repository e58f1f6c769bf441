//! Finds, reads and changes elements that the server rendered.

use wasm_bindgen::JsCast;
use web_sys::{
    Element, Event, HtmlElement, HtmlInputElement, HtmlMeterElement, HtmlOptionElement,
    HtmlProgressElement, HtmlSelectElement,
};

use crate::browser::js::{get_field, set_field};
use crate::browser::listener::Listener;
use crate::format::integer;

/// All elements of the page that match the selector.
pub fn query_all(selector: &str) -> Vec<HtmlElement> {
    let document = web_sys::window().and_then(|window| window.document());
    let list = document.and_then(|document| document.query_selector_all(selector).ok());
    let elements = list
        .into_iter()
        .flat_map(|list| (0..list.length()).filter_map(move |at| list.item(at)?.dyn_into().ok()));
    elements.collect()
}

/// The first element that matches the selector.
pub fn query<E: JsCast>(selector: &str) -> Option<E> {
    query_all(selector)
        .into_iter()
        .find_map(|it| it.dyn_into().ok())
}

/// Reads `data-…`, by its name in camel case; empty if there is none.
pub fn data(element: &HtmlElement, name: &str) -> String {
    element.dataset().get(name).unwrap_or_default()
}

/// Shows or hides an element.
pub fn set_visible(element: &HtmlElement, visible: bool) {
    if element.hidden() == visible {
        element.set_hidden(!visible);
    }
}

/// Replaces the text of an element, unless it is the same.
pub fn set_text(element: &HtmlElement, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Sets an attribute.
pub fn set_attribute(element: &HtmlElement, name: &str, value: &str) {
    // Fails only for an invalid name.
    let _ = element.set_attribute(name, value);
}

/// Adds or removes a class.
pub fn toggle_class(element: &HtmlElement, name: &str, on: bool) {
    // Fails only for an invalid name.
    let _ = element.class_list().toggle_with_force(name, on);
}

/// Removes `disabled`.
pub fn enable(element: &HtmlElement) {
    // It fails for no name.
    let _ = element.remove_attribute("disabled");
}

/// Sets a `<meter>` or a `<progress>`, from 0 to 1.
pub fn set_fraction(element: &HtmlElement, fraction: f64) {
    if let Some(meter) = element.dyn_ref::<HtmlMeterElement>() {
        meter.set_value(fraction);
    } else if let Some(progress) = element.dyn_ref::<HtmlProgressElement>() {
        progress.set_value(fraction);
    }
}

/// Replaces the options of a `<select>`, `(value, text)`, and selects one of them.
pub fn set_options<'a>(
    select: &HtmlElement,
    options: impl Iterator<Item = (&'a str, &'a str)>,
    selected: &str,
) {
    let Some(select) = select.dyn_ref::<HtmlSelectElement>() else {
        return;
    };
    select.set_length(0);
    for (value, text) in options {
        if let Ok(option) = HtmlOptionElement::new_with_text_and_value(text, value) {
            // It fails for no option.
            let _ = select.add_with_html_option_element(&option);
        }
    }
    select.set_value(selected);
}

/// The selected value of a `<select>`.
pub fn selected_value(select: &HtmlElement) -> String {
    let select = select.dyn_ref::<HtmlSelectElement>();
    select.map(HtmlSelectElement::value).unwrap_or_default()
}

/// Shows or hides a field together with the label around it.
pub fn set_field_visible(field: &HtmlElement, visible: bool) {
    let label = field.closest("label").ok().flatten();
    if let Some(label) = label.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        set_visible(&label, visible);
    }
}

/// Whether a checkbox is checked.
pub fn is_checked(element: &HtmlElement) -> bool {
    element.dyn_ref().is_some_and(HtmlInputElement::checked)
}

/// Checks or unchecks a checkbox.
pub fn set_checked(element: &HtmlElement, checked: bool) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        input.set_checked(checked);
    }
}

/// Sets whether a button is pressed.
pub fn set_pressed(button: &HtmlElement, pressed: bool) {
    set_attribute(
        button,
        "aria-pressed",
        if pressed { "true" } else { "false" },
    );
}

/// The value of an `<input type=range>`.
pub fn range_value(slider: &HtmlElement) -> f64 {
    let slider = slider.dyn_ref::<HtmlInputElement>();
    slider.map_or(0.0, HtmlInputElement::value_as_number)
}

/// Sets the limits of an `<input type=range>`, and its value. They are whole numbers.
pub fn set_range(slider: &HtmlElement, min: f64, max: f64, value: f64) {
    if let Some(slider) = slider.dyn_ref::<HtmlInputElement>() {
        slider.set_min(&integer(min));
        slider.set_max(&integer(max));
        slider.set_value(&integer(value));
    }
}

/// Opens the `<details>` that follow an element, if there are any.
pub fn open_details_after(element: &HtmlElement) {
    let next = element.next_element_sibling();
    if let Some(details) = next.filter(|it| it.tag_name() == "DETAILS") {
        // Fails only for a name that isn't valid.
        let _ = details.set_attribute("open", "");
    }
}

/// Shows an element at this point of its container, in pixels. Its animation begins anew.
pub fn show_at(element: &HtmlElement, (x, y): (f64, f64)) {
    let style = get_field(element, "style");
    for (name, value) in [("left", x), ("top", y)] {
        set_field(&style, name, &(integer(value) + "px").into());
    }
    element.set_hidden(true);
    // Only where the layout has noticed that it was hidden.
    let _ = element.offset_width();
    element.set_hidden(false);
}

/// Calls back whenever an element with `data-action` is clicked, for the lifetime of the page.
///
/// It gets the attribute's value, and the time in [`crate::browser::performance_now`]. An element that is
/// `aria-disabled` doesn't count.
pub fn on_action(callback: impl Fn(&str, f64) + 'static) {
    let Some(body) = query::<HtmlElement>("body") else {
        return;
    };
    listen(&body, "click", move |event| {
        let target = event.target().and_then(|it| it.dyn_into::<Element>().ok());
        let button = target.and_then(|it| it.closest("[data-action]").ok().flatten());
        let Some(button) = button else { return };
        if button.get_attribute("aria-disabled").as_deref() != Some("true") {
            let action = button.get_attribute("data-action").unwrap_or_default();
            callback(&action, event.time_stamp());
        }
    });
}

/// Calls back whenever the person changes the field, for the lifetime of the page.
pub fn on_change(element: &HtmlElement, callback: impl Fn() + 'static) {
    listen(element, "change", move |_| callback());
}

/// Calls back on an event, for the lifetime of the page.
pub fn listen(element: &HtmlElement, name: &'static str, callback: impl FnMut(Event) + 'static) {
    std::mem::forget(Listener::new(element, name, callback));
}

/// Moves the focus out of what was hidden, if it is there, to the nearest ancestor.
/// `hidden` tells it: to ask for the layout would make the browser compute one that no frame shows.
pub fn leave_hidden(inner: &HtmlElement) {
    let is_hidden = |element: &Element| element.closest("[hidden]").ok().flatten();
    let mut ancestor = is_hidden(inner).and_then(|it| it.parent_element());
    while let Some(element) = ancestor {
        if let Some(hidden) = is_hidden(&element) {
            ancestor = hidden.parent_element();
            continue;
        }
        if let Some(element) = element.dyn_ref::<HtmlElement>() {
            element.set_tab_index(-1);
            super::focus_without_scroll(element);
            // The style sheet may hide it, too.
            if focused().as_ref() == Some(element) {
                return;
            }
        }
        ancestor = element.parent_element();
    }
}

/// The element with the keyboard focus.
pub fn focused() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.active_element()?.dyn_into().ok()
}
