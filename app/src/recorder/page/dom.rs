//! The server-rendered page, driven by the attributes that [`crate::recorder::bindings`] lists.

use std::cell::Cell;

use wasm_bindgen::JsCast;

use super::flags::{Condition, Flags};
use crate::browser;
use crate::browser::dom::element;
use crate::browser::dom::{HtmlElement, HtmlVideoElement};
use crate::recorder::bindings::{Element, Flag, Slot};
use crate::recorder::state::Phase;

/// Announcements within this time are joined.
const JOIN_MS: f64 = 300.0;

/// All elements with bindings. The server renders all of them, so they are queried once.
pub struct Page {
    document: HtmlElement,
    root: HtmlElement,
    conditional: Vec<(HtmlElement, Condition)>,
    slots: Vec<(Slot, HtmlElement)>,
    buttons: Vec<HtmlElement>,
    elements: Vec<(Element, HtmlElement)>,
    announced_at: Cell<f64>,
}

impl Page {
    /// `None`: this isn't the recording page.
    pub fn find() -> Option<Self> {
        let conditional = element::query_all("[data-when], [data-if]").into_iter();
        let conditional = conditional.map(|it| {
            let condition =
                Condition::parse(&element::data(&it, "when"), &element::data(&it, "if"));
            (it, condition)
        });
        let slots = element::query_all("[data-slot]").into_iter();
        let elements = element::query_all("[data-element]").into_iter();
        Some(Self {
            document: element::query("html")?,
            root: element::query("[data-request]")?,
            conditional: conditional.collect(),
            slots: slots
                .filter_map(|it| Some((Slot::from_name(&element::data(&it, "slot"))?, it)))
                .collect(),
            buttons: element::query_all("[data-action]"),
            elements: elements
                .filter_map(|it| Some((Element::from_name(&element::data(&it, "element"))?, it)))
                .collect(),
            announced_at: Cell::default(),
        })
    }

    /// Reads a `data-…` of the root, by its name in camel case.
    pub fn data(&self, name: &str) -> String {
        element::data(&self.root, name)
    }

    /// Shows what belongs to this state and these flags.
    pub fn render(&self, phase: Phase, flags: Flags) {
        let focused = element::focused();
        element::set_attribute(&self.root, "data-state", phase.name());
        // Not by `:has`: after each change of the page Chromium would compute the style of all that depends on it.
        element::toggle_class(&self.document, "camera-stage", phase.is_live());
        element::toggle_class(&self.document, "review-stage", phase.is_review());
        for (element, condition) in &self.conditional {
            element::set_visible(element, condition.holds(phase, flags));
        }
        if let Some(focused) = focused {
            element::leave_hidden(&focused);
        }
    }

    /// Fills in a slot, wherever it is shown.
    pub fn fill_slot(&self, slot: Slot, text: &str) {
        for (_, element) in self.slots.iter().filter(|(it, _)| *it == slot) {
            element::set_text(element, text);
        }
    }

    /// What a slot was filled with.
    pub fn slot_text(&self, slot: Slot) -> String {
        let mut slots = self.slots.iter().filter(|(it, _)| *it == slot);
        let text = slots.next().and_then(|(_, it)| it.text_content());
        text.unwrap_or_default()
    }

    /// Sets a meter or a progress bar, from 0 to 1.
    pub fn set_fraction(&self, name: Element, fraction: f64) {
        self.elements(name)
            .for_each(|it| element::set_fraction(it, fraction));
    }

    /// The elements of this name.
    pub fn elements(&self, name: Element) -> impl Iterator<Item = &HtmlElement> {
        self.elements
            .iter()
            .filter_map(move |(it, element)| (*it == name).then_some(element))
    }

    /// The videos of this name.
    pub fn videos(&self, name: Element) -> impl Iterator<Item = &HtmlVideoElement> {
        self.elements(name).filter_map(JsCast::dyn_ref)
    }

    /// The first video of this name.
    pub fn video(&self, name: Element) -> Option<HtmlVideoElement> {
        self.videos(name).next().cloned()
    }

    /// Enables buttons and fields, which the server renders disabled.
    pub fn enable_controls(&self) {
        for element in &self.buttons {
            element::enable(element);
        }
        for name in [
            Element::FileInput,
            Element::AudioToggle,
            Element::Cameras,
            Element::Microphones,
            Element::Lenses,
            Element::ZoomPreset,
            Element::ZoomSlider,
        ] {
            self.elements(name).for_each(element::enable);
        }
    }

    /// Sets `aria-disabled` on all buttons.
    /// With `disabled` the button under the keyboard would lose the focus.
    pub fn set_buttons_disabled(&self, disabled: bool) {
        let value = if disabled { "true" } else { "false" };
        for button in &self.buttons {
            element::set_attribute(button, "aria-disabled", value);
        }
    }

    /// Announces a state to screen readers.
    pub fn announce_state(&self, phase: Phase) {
        self.announce(phase.name(), false);
    }

    /// Announces a flag to screen readers.
    pub fn announce_flag(&self, flag: Flag) {
        self.announce(flag.name(), true);
        if flag == Flag::Loading {
            // What is loaded at once needs no mention: the next text replaces this one.
            self.announced_at.set(0.0);
        }
    }

    fn announce(&self, name: &str, is_flag: bool) {
        let mut announcements = self.elements(Element::Announcement);
        let text = announcements.find(|it| element::data(it, "announces") == name);
        let text = text.and_then(|it| it.text_content());
        let (Some(mut text), Some(region)) = (text, self.elements(Element::LiveRegion).next())
        else {
            return;
        };
        // A flag that is set together with a state is joined to it: a screen reader would drop the first of two texts.
        let now = browser::performance_now();
        let previous = region.text_content().unwrap_or_default();
        let is_recent = now - self.announced_at.replace(now) < JOIN_MS;
        if is_flag && is_recent {
            text = previous + " " + &text;
        } else if text.len() == previous.len() {
            // It may be the same, and a region that stays as it was isn't read again.
            text.push('\u{a0}');
        }
        element::set_text(region, &text);
    }
}
