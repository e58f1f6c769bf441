//! What the server issued for a request: the link for the person who records, and the token.

use leptos::prelude::*;

use super::controller::Controller;
use super::copy::CopyButton;
use super::state::IssuedRequest;
use crate::qr;

/// The link: to open, to copy, and as a QR code.
#[component]
pub fn LinkCard(request: IssuedRequest) -> impl IntoView {
    let link = request.link.clone();
    let code = qr::draw(&link).map(|image| {
        let size = image.size;
        view! {
            <svg
                class="qr"
                role="img"
                aria-label="The link as a QR code"
                viewBox=format!("0 0 {size} {size}")
                shape-rendering="crispEdges"
            >
                <path d=image.path></path>
            </svg>
        }
    });
    view! {
        <section class="card link-card" aria-labelledby="link-heading">
            <div class="link-card__text">
                <h3 id="link-heading">"Send this link"</h3>
                <p class="quiet">
                    "To the person who should record. It opens in any browser, and works once."
                </p>
                <p class="copy-field">
                    <a href=link.clone() target="_blank" rel="noopener">
                        {link.clone()}
                    </a>
                    <CopyButton label="Copy" what="the link" text=move || link.clone()/>
                </p>
            </div>
            {code}
        </section>
    }
}

/// The token, and for how long this tab keeps it.
#[component]
pub fn TokenCard(controller: Controller, token: String) -> impl IntoView {
    let lifetime = move || match controller.is_stored.get() {
        true => "This tab forgets it when you close it.",
        false => "This tab forgets it when you close or reload it.",
    };
    view! {
        <section class="card" aria-labelledby="token-heading">
            <h3 id="token-heading">"Keep this token"</h3>
            <p class="quiet">
                "It is the only key to the video, and shown only here and now: the server keeps no copy of it. "
                {lifetime}
            </p>
            <p class="copy-field">
                <code>{token.clone()}</code>
                <CopyButton label="Copy" what="the token" text=move || token.clone()/>
            </p>
        </section>
    }
}
