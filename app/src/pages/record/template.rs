//! Messages with elements in them, and messages of several lines.

use leptos::prelude::*;

use crate::locale::{Locale, Message, Part, parts};
use crate::recorder::bindings::Slot;

/// A moment, for machines and for people.
#[derive(Clone, Debug)]
pub struct Until {
    /// RFC 3339, UTC.
    pub at: String,
    /// In words, in UTC: until the island says it in the person's own time.
    pub text: String,
}

/// A message whose variables the island fills in.
pub(super) fn sentence(locale: Locale, message: Message) -> impl IntoView {
    filled(locale, message, figure)
}

/// A message that names a moment.
pub(super) fn sentence_until(locale: Locale, message: Message, until: Until) -> impl IntoView {
    filled(locale, message, move |_| {
        let Until { at, text } = until.clone();
        view! {
            <time data-show=Slot::Until.name() datetime=at dir="auto">
                {text}
            </time>
        }
        .into_any()
    })
}

/// A message in which each variable becomes the element that `fill` makes of its name.
pub(super) fn filled(
    locale: Locale,
    message: Message,
    fill: impl Fn(&str) -> AnyView,
) -> impl IntoView {
    elements(locale.template(message), fill)
}

/// A place that the island fills. By itself in direction: numbers in a text from right to left.
pub(super) fn figure(name: &str) -> AnyView {
    let figure = Slot::named(name);
    let at_first = match figure {
        Some(Slot::Recorded | Slot::Sent) => "0:00",
        Some(Slot::Left) => "1:00",
        Some(Slot::Percent) => "0 %",
        Some(Slot::Count) => "3",
        Some(Slot::Size | Slot::Until) | None => "…",
    };
    view! { <bdi data-show=figure.map(Slot::name)>{at_first}</bdi> }.into_any()
}

/// What to do, step by step: one a line.
pub(super) fn steps(locale: Locale, message: Message, browser: &'static str) -> impl IntoView {
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
