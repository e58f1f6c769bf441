//! A button that copies a text to the clipboard.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;

/// How long the button shows the result.
const STATUS_DURATION: Duration = Duration::from_secs(2);

/// The result of a press.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CopyStatus {
    None,
    Copied,
    Blocked,
}

/// Copies a text, and shows whether that succeeded.
#[component]
pub fn CopyButton(
    /// The visible label.
    label: &'static str,
    /// What is copied, for screen readers.
    #[prop(into)]
    what: String,
    /// The text, computed on each press.
    text: impl Fn() -> String + Send + 'static,
    /// Called after each press: whether the text is copied.
    #[prop(optional, into)]
    on_result: Option<Callback<bool>>,
) -> impl IntoView {
    let (status, set_status) = signal(CopyStatus::None);
    let copy = move |_| {
        let text = text();
        spawn_local(async move {
            let is_copied = browser::copy_to_clipboard(&text).await;
            set_status.set(match is_copied {
                true => CopyStatus::Copied,
                false => CopyStatus::Blocked,
            });
            if let Some(on_result) = on_result {
                on_result.run(is_copied);
            }
            browser::sleep(STATUS_DURATION).await;
            // The button may have been removed.
            let _ = set_status.try_set(CopyStatus::None);
        });
    };
    let status_text = move || match status.get() {
        CopyStatus::None => "",
        CopyStatus::Copied => "Copied",
        CopyStatus::Blocked => "Select it, please",
    };
    view! {
        <button
            class="copy-button"
            class:copy-button--done=move || status.get() != CopyStatus::None
            on:click=copy
        >
            <span class="copy-button__label">
                {label} <span class="visually-hidden">" " {what}</span>
            </span>
            <span class="copy-button__status" role="status">
                {status_text}
            </span>
        </button>
    }
}
