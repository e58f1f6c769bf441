//! What a creation gave: the link for the human, the token for whoever asks.

use leptos::prelude::*;

use super::copy::Copy;
use super::session::{Given, Session};
use crate::qr;

/// The link: to open, to copy, to read off the screen.
#[component]
pub fn Link(given: Given) -> impl IntoView {
    let link = given.link.clone();
    let code = qr::draw(&link).map(|picture| {
        let size = picture.size;
        view! {
            <svg
                class="qr"
                role="img"
                aria-label="The link as a QR code"
                viewBox=format!("0 0 {size} {size}")
                shape-rendering="crispEdges"
            >
                <path d=picture.path></path>
            </svg>
        }
    });
    view! {
        <section class="card hand-out" aria-labelledby="link-heading">
            <div class="hand-out__words">
                <h3 id="link-heading">"Send this link"</h3>
                <p class="quiet">
                    "To the person who should record. It opens in any browser, and works once."
                </p>
                <p class="secret">
                    <a href=link.clone() target="_blank" rel="noopener">
                        {link.clone()}
                    </a>
                    <Copy label="Copy" what="the link" text=move || link.clone()/>
                </p>
            </div>
            {code}
        </section>
    }
}

/// The token, and what losing it means.
#[component]
pub fn Token(session: Session, token: String) -> impl IntoView {
    let memory = move || match session.remembered.get() {
        true => "This tab forgets it when you close it.",
        false => "This tab forgets it when you close or reload it.",
    };
    view! {
        <section class="card" aria-labelledby="token-heading">
            <h3 id="token-heading">"Keep this token"</h3>
            <p class="quiet">
                "It is the only key to the video, and shown only here and now: the server keeps no copy of it. "
                {memory}
            </p>
            <p class="secret">
                <code>{token.clone()}</code>
                <Copy label="Copy" what="the token" text=move || token.clone()/>
            </p>
        </section>
    }
}
