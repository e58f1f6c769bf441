//! The page that a person gets the link to.

use leptos::prelude::*;

use crate::recorder::Recorder;

/// The form's one field.
pub const VIDEO_FIELD: &str = "video";

/// What is asked for, until when, and the island that records it; where that can't run, a form that takes
/// a file.
#[component]
pub fn Record(
    /// The request's id.
    request: String,
    /// The instruction, shown as inert text.
    prompt: String,
    /// RFC 3339, UTC.
    expires_at: String,
    /// The same for people.
    expires_text: String,
) -> impl IntoView {
    let action = format!("/r/{request}");
    view! {
        <Recorder>
        <main class="page page--record" data-request=request data-expires-at=expires_at>
            <section class="ask" aria-labelledby="ask-heading">
                <h1 id="ask-heading">"You’re asked to record a video"</h1>
                <blockquote class="prompt" dir="auto" tabindex="0">
                    {prompt}
                </blockquote>
            </section>
            <p>{expires_text}</p>
            <div class="cannot-start" id="cannot-start" hidden>
                <p class="notice notice--bad">
                    "The recorder could not start in this browser. Reload the page, or open the link in \
                     another browser. You can also film with your camera app and send the video here."
                </p>
                <FileForm action=action.clone()/>
            </div>
            <noscript>
                <p class="hint">
                    "Recording in the page needs JavaScript, which is off in this browser. You can film \
                     with your camera app and send the video here."
                </p>
                <FileForm action/>
            </noscript>
        </main>
        </Recorder>
    }
}

/// Takes a file and sends it, without script.
#[component]
fn FileForm(
    /// Where to.
    action: String,
) -> impl IntoView {
    view! {
        <form class="file-form" method="post" enctype="multipart/form-data" action=action>
            <label class="file-form__label">
                "Your video"
                <input r#type="file" name=VIDEO_FIELD accept="video/*" required/>
            </label>
            <button class="button button--primary" r#type="submit">
                "Send this video"
            </button>
        </form>
    }
}
