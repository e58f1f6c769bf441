//! Messages that contain elements, and messages of several lines.

use leptos::prelude::*;

use crate::locale::{Locale, Message, Part, parts};
use crate::recorder::bindings::Slot;

/// A time for programs and for people.
#[derive(Clone, Debug)]
pub struct DisplayTime {
    /// RFC 3339, UTC.
    pub at: String,
    /// The time in words, in UTC. The island replaces it by the person's local time.
    pub text: String,
}

/// A message whose variables the island fills in.
pub(in crate::pages) fn text_with_slots(locale: Locale, message: Message) -> impl IntoView {
    text_with_elements(locale, message, slot)
}

/// A message that contains a time.
pub(in crate::pages::record) fn text_with_time(
    locale: Locale,
    message: Message,
    until: DisplayTime,
) -> impl IntoView {
    text_with_elements(locale, message, move |_| {
        let DisplayTime { at, text } = until.clone();
        view! {
            <time data-slot=Slot::Until.name() datetime=at dir="auto">
                {text}
            </time>
        }
        .into_any()
    })
}

/// A message in which each variable becomes the element that `element` makes of its name.
pub(in crate::pages::record) fn text_with_elements(
    locale: Locale,
    message: Message,
    element: impl Fn(&str) -> AnyView,
) -> impl IntoView {
    elements(locale.template(message), element)
}

/// An element that the island fills in, or on the page of a closed link the script of [`crate::pages::Closed`]. `<bdi>` isolates numbers in right-to-left text.
pub(in crate::pages::record) fn slot(name: &str) -> AnyView {
    let slot = Slot::from_name(name);
    let initial = match slot {
        Some(Slot::Recorded | Slot::Sent) => "0:00",
        Some(Slot::Left) => "1:00",
        Some(Slot::Percent | Slot::Read) => "0 %",
        Some(Slot::Count) => "3",
        Some(Slot::Size | Slot::Name | Slot::Summary | Slot::SentAt | Slot::Until) | None => "…",
    };
    view! { <bdi data-slot=slot.map(Slot::name)>{initial}</bdi> }.into_any()
}

/// Instructions: each line of the message is a step.
pub(in crate::pages::record) fn step_list(
    locale: Locale,
    message: Message,
    browser: &'static str,
) -> impl IntoView {
    let name = |_: &str| view! { <bdi>{browser}</bdi> }.into_any();
    let steps = locale.template(message).lines().map(|line| {
        view! { <li>{elements(line, name)}</li> }
    });
    view! { <ol class="steps">{steps.collect_view()}</ol> }
}

fn elements(template: &'static str, element: impl Fn(&str) -> AnyView) -> Vec<AnyView> {
    let parts = parts(template).map(|part| match part {
        Part::Text(text) => text.into_any(),
        Part::Variable(name) => element(name),
    });
    parts.collect_view()
}
