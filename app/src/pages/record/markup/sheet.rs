//! Sheets over the page.
//! The browser opens and closes them; one that can't shows them as part of the page.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;

/// What a button opens by its `popovertarget`.
#[component]
pub(in crate::pages::record) fn Sheet(
    locale: Locale,
    id: &'static str,
    heading: Message,
    children: Children,
) -> impl IntoView {
    let labelled_by = format!("{id}-heading");
    view! {
        <div class="sheet" id=id popover="auto" role="dialog" aria-labelledby=labelled_by.clone()>
            <CloseSheet locale sheet=id/>
            <h2 id=labelled_by.clone()>{locale.text(heading)}</h2>
            {children()}
        </div>
    }
}

/// The button in the corner of a sheet, which has the focus when the sheet opens.
#[component]
pub(in crate::pages::record) fn CloseSheet(locale: Locale, sheet: &'static str) -> impl IntoView {
    view! {
        <button
            r#type="button"
            class="corner sheet__close"
            popovertarget=sheet
            popovertargetaction="hide"
            autofocus
            aria-label=locale.text(Message::ActionClose)
        >
            {Icon::Close.view()}
        </button>
    }
}
