//! For browsers in which the recorder can't run: a plain form.

use leptos::prelude::*;

use crate::locale::{Locale, Message};

/// The form's one field.
pub const VIDEO_FIELD: &str = "video";

/// Shown by the browser when it runs no script, by `boot.js` when the island can't start, and by the style when
/// `boot.js` itself doesn't come.
#[component]
pub(super) fn Fallback(
    locale: Locale,
    /// Where the form goes.
    action: String,
) -> impl IntoView {
    view! {
        <div class="cannot-start cannot-start--waiting card" id="cannot-start">
            <p>{locale.text(Message::FormCannotStart)}</p>
            <FileForm locale action=action.clone()/>
        </div>
        <noscript>
            <div class="card">
                <p>{locale.text(Message::FormNoScript)}</p>
                <FileForm locale action/>
            </div>
        </noscript>
    }
    .into_any()
}

/// Takes a file and sends it, without script.
#[component]
fn FileForm(locale: Locale, action: String) -> impl IntoView {
    view! {
        <form class="file-form" method="post" enctype="multipart/form-data" action=action>
            <label class="file-form__label">
                {locale.text(Message::FormVideo)}
                <input r#type="file" name=VIDEO_FIELD accept="video/*" required/>
            </label>
            <button class="button button--primary" r#type="submit">
                {locale.text(Message::ReviewSend)}
            </button>
        </form>
    }
}
