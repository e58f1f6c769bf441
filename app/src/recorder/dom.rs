//! The page as the server rendered it, driven by its marks: see [`super::marks`].

use std::cell::Cell;

use wasm_bindgen::JsCast;

use super::bindings::{Element, Flag, Slot};
use super::flags::{Condition, Flags};
use super::state::Phase;
use crate::browser::{self, HtmlElement, HtmlVideoElement, element};

/// Announcements that come so close belong together.
const AT_ONCE_MS: f64 = 300.0;

/// All elements with marks, found once: the server renders them all, and none comes or goes.
pub struct Page {
    root: HtmlElement,
    conditional: Vec<(HtmlElement, Condition)>,
    figures: Vec<(Slot, HtmlElement)>,
    buttons: Vec<HtmlElement>,
    parts: Vec<(Element, HtmlElement)>,
    announced_at: Cell<f64>,
}

impl Page {
    /// `None`: this isn't the recording page.
    pub fn find() -> Option<Self> {
        let conditional = element::all("[data-when], [data-if]").into_iter();
        let conditional = conditional.map(|it| {
            let condition =
                Condition::parse(&element::data(&it, "when"), &element::data(&it, "if"));
            (it, condition)
        });
        let figures = element::all("[data-show]").into_iter();
        let parts = element::all("[data-part]").into_iter();
        Some(Self {
            root: element::first("[data-request]")?,
            conditional: conditional.collect(),
            figures: figures
                .filter_map(|it| Some((Slot::named(&element::data(&it, "show"))?, it)))
                .collect(),
            buttons: element::all("[data-do]"),
            parts: parts
                .filter_map(|it| Some((Element::named(&element::data(&it, "part"))?, it)))
                .collect(),
            announced_at: Cell::default(),
        })
    }

    /// What the server says in a `data-…` of the root.
    pub fn fact(&self, name: &str) -> String {
        element::data(&self.root, name)
    }

    /// Shows what belongs to this state and these flags.
    pub fn show(&self, phase: Phase, flags: Flags) {
        let before = element::focused();
        element::mark(&self.root, "data-state", phase.name());
        for (element, condition) in &self.conditional {
            element::show(element, condition.holds(phase, flags));
        }
        if let Some(lost) = before.filter(|it| !element::is_shown(it)) {
            element::rescue_focus(&lost);
        }
    }

    /// Fills a figure in.
    pub fn fill_in(&self, figure: Slot, text: &str) {
        for (_, element) in self.figures.iter().filter(|(it, _)| *it == figure) {
            element::write(element, text);
        }
    }

    /// Fills a bar.
    pub fn fill(&self, part: Element, share: f64) {
        self.parts(part).for_each(|it| element::fill(it, share));
    }

    /// Elements that are this part.
    pub fn parts(&self, part: Element) -> impl Iterator<Item = &HtmlElement> {
        self.parts
            .iter()
            .filter_map(move |(it, element)| (*it == part).then_some(element))
    }

    /// The one that is this part.
    pub fn part<E: JsCast + Clone>(&self, part: Element) -> Option<E> {
        self.parts(part).find_map(|it| it.dyn_ref::<E>().cloned())
    }

    /// One of the two videos.
    pub fn video(&self, part: Element) -> Option<HtmlVideoElement> {
        self.part(part)
    }

    /// All places where it is shown.
    pub fn videos(&self, part: Element) -> impl Iterator<Item = &HtmlVideoElement> {
        self.parts(part).filter_map(JsCast::dyn_ref)
    }

    /// Buttons that were rendered can be pressed from now on.
    pub fn wake_up(&self) {
        for element in &self.buttons {
            element::enable(element);
        }
        for part in [
            Element::File,
            Element::Sound,
            Element::Cameras,
            Element::Microphones,
        ] {
            self.parts(part).for_each(element::enable);
        }
    }

    /// Whether presses count. Not `disabled`, which would take the keyboard off a button.
    pub fn rest(&self, resting: bool) {
        for button in &self.buttons {
            element::mark(
                button,
                "aria-disabled",
                if resting { "true" } else { "false" },
            );
        }
    }

    /// Announces a state to those who don't see it.
    pub fn announce_state(&self, phase: Phase) {
        self.announce(phase.name(), false);
    }

    /// Announces a flag.
    pub fn announce_flag(&self, flag: Flag) {
        self.announce(flag.name(), true);
    }

    fn announce(&self, name: &str, beside: bool) {
        let mut said = self.parts(Element::Said);
        let text = said.find(|it| element::data(it, "said") == name);
        let text = text.and_then(|it| it.text_content());
        let (Some(text), Some(announcer)) = (text, self.parts(Element::Announcer).next()) else {
            return;
        };
        // A flag that comes with a state is said with it: the one would swallow the other.
        let now = browser::page_time();
        let before = announcer.text_content().unwrap_or_default();
        let soon = now - self.announced_at.replace(now) < AT_ONCE_MS;
        let both = beside && soon && !before.is_empty();
        let text = if both {
            format!("{before} {text}")
        } else {
            text
        };
        element::write(announcer, &text);
    }
}
