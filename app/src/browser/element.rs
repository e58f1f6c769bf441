//! Elements of the page, as the server rendered them.

use wasm_bindgen::JsCast;
use web_sys::{
    Element, Event, HtmlElement, HtmlInputElement, HtmlMeterElement, HtmlOptionElement,
    HtmlProgressElement, HtmlSelectElement,
};

use super::listener::Listener;

/// All elements in the page that match. Looked for once: what is found stays.
pub fn all(selector: &str) -> Vec<HtmlElement> {
    let document = web_sys::window().and_then(|window| window.document());
    let found = document.and_then(|document| document.query_selector_all(selector).ok());
    let found = found
        .into_iter()
        .flat_map(|list| (0..list.length()).filter_map(move |at| list.item(at)?.dyn_into().ok()));
    found.collect()
}

/// The first of them.
pub fn first<E: JsCast>(selector: &str) -> Option<E> {
    all(selector).into_iter().find_map(|it| it.dyn_into().ok())
}

/// Of `data-…`; empty where there is none.
pub fn data(element: &HtmlElement, name: &str) -> String {
    element.dataset().get(name).unwrap_or_default()
}

/// Shows or hides it.
pub fn show(element: &HtmlElement, shown: bool) {
    if element.hidden() == shown {
        element.set_hidden(!shown);
    }
}

/// Writes into it.
pub fn write(element: &HtmlElement, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Marks it, or takes the mark away.
pub fn mark(element: &HtmlElement, attribute: &str, value: &str) {
    // Fails for names that aren't.
    let _ = element.set_attribute(attribute, value);
}

/// With this class or without.
pub fn class(element: &HtmlElement, name: &str, on: bool) {
    // As above.
    let _ = element.class_list().toggle_with_force(name, on);
}

/// Lets it be used.
pub fn enable(element: &HtmlElement) {
    // As above.
    let _ = element.remove_attribute("disabled");
}

/// A meter or a progress bar, from 0 to 1.
pub fn fill(element: &HtmlElement, share: f64) {
    if let Some(meter) = element.dyn_ref::<HtmlMeterElement>() {
        meter.set_value(share);
    } else if let Some(progress) = element.dyn_ref::<HtmlProgressElement>() {
        progress.set_value(share);
    }
}

/// Offers these choices, `(value, text)`, and the one that is chosen.
pub fn offer<'a>(
    select: &HtmlElement,
    choices: impl Iterator<Item = (&'a str, &'a str)>,
    chosen: &str,
) {
    let Some(select) = select.dyn_ref::<HtmlSelectElement>() else {
        return;
    };
    select.set_length(0);
    for (value, text) in choices {
        if let Ok(option) = HtmlOptionElement::new_with_text_and_value(text, value) {
            // Fails for nothing that can be an option.
            let _ = select.add_with_html_option_element(&option);
        }
    }
    select.set_value(chosen);
}

/// What is chosen.
pub fn value(select: &HtmlElement) -> String {
    let select = select.dyn_ref::<HtmlSelectElement>();
    select.map(HtmlSelectElement::value).unwrap_or_default()
}

/// Shows or hides a field with its label.
pub fn show_around(field: &HtmlElement, shown: bool) {
    let label = field.closest("label").ok().flatten();
    if let Some(label) = label.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        show(&label, shown);
    }
}

/// What a box says.
pub fn is_checked(element: &HtmlElement) -> bool {
    element.dyn_ref().is_some_and(HtmlInputElement::checked)
}

/// Lets it say this.
pub fn check(element: &HtmlElement, on: bool) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        input.set_checked(on);
    }
}

/// Calls this with the value of `data-do` whenever something that has one is pressed, and with when that
/// was in [`super::page_time`], for as long as the page lives.
pub fn on_press(hear: impl Fn(&str, f64) + 'static) {
    let Some(body) = first::<HtmlElement>("body") else {
        return;
    };
    listen(&body, "click", move |event| {
        let target = event.target().and_then(|it| it.dyn_into::<Element>().ok());
        let button = target.and_then(|it| it.closest("[data-do]").ok().flatten());
        let Some(button) = button else { return };
        if button.get_attribute("aria-disabled").as_deref() != Some("true") {
            let name = button.get_attribute("data-do").unwrap_or_default();
            hear(&name, event.time_stamp());
        }
    });
}

/// Calls this whenever somebody changes the field, for as long as the page lives.
pub fn on_change(element: &HtmlElement, hear: impl Fn() + 'static) {
    listen(element, "change", move |_| hear());
}

/// Calls this on this event, for as long as the page lives.
pub fn listen(element: &HtmlElement, name: &'static str, hear: impl FnMut(Event) + 'static) {
    std::mem::forget(Listener::new(element, name, hear));
}

/// Moves the keyboard on from an element that has vanished under it: to what is left around it.
pub fn rescue_focus(lost: &HtmlElement) {
    let mut around = lost.parent_element();
    while let Some(element) = around {
        let Some(element) = element.dyn_ref::<HtmlElement>().cloned() else {
            return;
        };
        if element.offset_parent().is_some() {
            element.set_tab_index(-1);
            super::focus(&element);
            return;
        }
        around = element.parent_element();
    }
}

/// What has the keyboard.
pub fn focused() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.active_element()?.dyn_into().ok()
}

/// Whether it is to be seen.
pub fn is_shown(element: &HtmlElement) -> bool {
    element.offset_parent().is_some()
}
