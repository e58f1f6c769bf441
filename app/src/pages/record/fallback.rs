//! A plain form for browsers in which the recorder can't run.

use leptos::prelude::*;

use crate::locale::{Locale, Message};

/// The name of the form's field.
pub const VIDEO_FIELD: &str = "video";

/// In the query of the form's URL: the person was told that what is said may be turned into text.
pub const MAY_TRANSCRIBE: &str = "may_transcribe=true";

/// The form.
/// It is shown by `<noscript>` without scripts, by `boot.js` if the island can't start, and by the style sheet if
/// `boot.js` doesn't load.
#[component]
pub(super) fn Fallback(
    locale: Locale,
    /// The URL that takes the form.
    action: String,
) -> impl IntoView {
    view! {
        <div class="cannot-start cannot-start--waiting card" id="cannot-start" role="alert">
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

/// Uploads a file without scripts.
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
