//! A button that copies, and says so.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;

/// How long it says so.
const CONFIRMS: Duration = Duration::from_secs(2);

/// How it went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copied {
    NotYet,
    Done,
    Blocked,
}

/// Puts a text on the clipboard.
#[component]
pub fn Copy(
    /// On the button.
    label: &'static str,
    /// What it is that is copied, for who doesn't see where the button stands.
    #[prop(into)]
    what: String,
    /// Asked when it is pressed.
    text: impl Fn() -> String + Send + 'static,
) -> impl IntoView {
    let (copied, set_copied) = signal(Copied::NotYet);
    let press = move |_| {
        let text = text();
        spawn_local(async move {
            let done = browser::copy(&text).await;
            set_copied.set(if done { Copied::Done } else { Copied::Blocked });
            browser::wait(CONFIRMS).await;
            // The button may be gone by now.
            let _ = set_copied.try_set(Copied::NotYet);
        });
    };
    let said = move || match copied.get() {
        Copied::NotYet => "",
        Copied::Done => "Copied",
        Copied::Blocked => "Select it, please",
    };
    view! {
        <button class="copy" class:copy--said=move || copied.get() != Copied::NotYet on:click=press>
            <span class="copy__label">
                {label} <span class="visually-hidden">" " {what}</span>
            </span>
            <span class="copy__said" role="status">
                {said}
            </span>
        </button>
    }
}
