//! The page that a person gets the link to.

use leptos::prelude::*;

use crate::recorder::Recorder;

/// What is asked for, until when, and the island that records it.
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
    view! {
        <main class="page page--record">
            <section class="ask" aria-labelledby="ask-heading">
                <h1 id="ask-heading">"You’re asked to record a video"</h1>
                <blockquote class="prompt" dir="auto" tabindex="0">
                    {prompt}
                </blockquote>
            </section>
            <Recorder request expires_at expires_text/>
            <p class="notice notice--bad" id="cannot-start" hidden>
                "The recorder could not start in this browser. Please reload the page, or open the link in \
                 another browser."
            </p>
            <noscript>
                <p class="notice notice--bad">
                    "Recording needs JavaScript, and it is switched off in this browser. Please switch \
                     it on for this page, or open the link in another browser."
                </p>
            </noscript>
        </main>
    }
}
