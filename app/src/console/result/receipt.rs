//! The button that saves the signed receipt of the video.

use std::mem;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;
use crate::console::client;
use crate::console::state::IssuedRequest;
use crate::console::text;

const LABEL: &str = "Save the signed receipt";

/// Fetches the receipt when it is wanted: it says when it was signed.
/// If that fails the button says why, and can be pressed again.
#[component]
pub fn SaveReceipt(request: IssuedRequest, video: String) -> impl IntoView {
    let (label, set_label) = signal(LABEL.to_owned());
    let save = move |_| {
        let (path, token) = (format!("/videos/{video}/receipt"), request.token.clone());
        spawn_local(async move {
            let label = match client::content(&path, &token).await {
                Ok(receipt) => {
                    browser::save_file(receipt.as_str(), "receipt.jws");
                    // Not revoked: browsers read it at some later moment, and it is small.
                    mem::forget(receipt);
                    LABEL.to_owned()
                }
                Err(error) => text::error(&error),
            };
            // The button may have been removed.
            let _ = set_label.try_set(label);
        });
    };
    view! {
        <button class="copy-button" aria-live="polite" on:click=save>
            {label}
        </button>
    }
}
