//! The receipt of a submission.
//! The recorder fills it in, and after a reload the script of the closed link's page.

use leptos::prelude::*;

use super::button::ActionButton;
use super::template::{slot, text_with_slots};
use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Action, Element, Slot};

/// What was sent, when, and until when it exists; and a button that saves that as a file.
#[component]
pub(in crate::pages) fn Receipt(
    locale: Locale,
    /// Until when it exists.
    retention: AnyView,
) -> impl IntoView {
    view! {
        <div class="receipt">
            <div data-element=Element::Receipt.name()>
                <p class="receipt__summary">{slot(Slot::Summary.name())}</p>
                <p>{text_with_slots(locale, Message::ReceiptSent)}</p>
                <p>{retention}</p>
            </div>
            <ActionButton
                action=Action::SaveReceipt
                class="button"
                label=locale.text(Message::ReceiptSave)
            />
        </div>
    }
}
