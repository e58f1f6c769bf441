//! What the server issued for a request: the link for the person who records, and the token.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::controller::Controller;
use super::copy::CopyButton;
use super::state::IssuedRequest;
use crate::browser;
use crate::qr;

/// The link: to open, to copy, and as a QR code.
#[component]
pub fn LinkCard(request: IssuedRequest) -> impl IntoView {
    let link = request.link.clone();
    let copied = link.clone();
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
                    <CopyButton label="Copy" what="the link" text=move || copied.clone()/>
                </p>
                <p class="share">
                    <a class="copy-button" href=format!("mailto:?subject=Please%20record%20a%20video&body={link}")>
                        "E-mail it"
                    </a>
                    <a class="copy-button" href=format!("sms:?&body={link}")>
                        "Text it"
                    </a>
                    <ShareButton link=link.clone()/>
                </p>
            </div>
            {code}
        </section>
    }
}

/// Opens the system's dialog for sharing, where there is one.
#[component]
fn ShareButton(link: String) -> impl IntoView {
    let (is_offered, set_offered) = signal(false);
    Effect::new(move |_| set_offered.set(browser::can_share()));
    let share = move |_| {
        let link = link.clone();
        spawn_local(async move { browser::share(&link).await });
    };
    view! {
        <button class="copy-button" hidden=move || !is_offered.get() on:click=share>
            "Share it"
        </button>
    }
}

/// The token, folded so that it isn't shown by accident, and for how long this tab keeps it.
#[component]
pub fn TokenCard(controller: Controller, token: String) -> impl IntoView {
    let lifetime = move || match controller.is_stored.get() {
        true => {
            "This tab forgets it when you close it, unless your browser brings closed tabs back."
        }
        false => "This tab forgets it when you close or reload it.",
    };
    let is_copied = controller.token_copied;
    let flag = move || match is_copied.get() {
        true => "Copied",
        false => "Not copied yet",
    };
    let copied = token.clone();
    // Not by the element itself, which would close again without the signal's knowledge.
    let (is_shown, set_shown) = signal(false);
    let toggle = move |event: MouseEvent| {
        event.prevent_default();
        set_shown.update(|it| *it = !*it);
    };
    let on_result = Callback::new(move |is_copied| match is_copied {
        true => controller.note_token_copied(),
        // It has to be selected by hand.
        false => set_shown.set(true),
    });
    view! {
        <section
            class="card token-card"
            class:token-card--copied=move || is_copied.get()
            aria-labelledby="token-heading"
        >
            <div class="token-card__header">
                <h3 id="token-heading">"Keep this token"</h3>
                <p class="flag">{flag}</p>
                <CopyButton
                    label="Copy"
                    what="the token"
                    text=move || copied.clone()
                    on_result
                />
            </div>
            <p class="quiet">
                "It is the only key to the video, and the server keeps no copy of it. Save it and the link: both \
                 together open the request here again. Don’t send it with the link. "
                {lifetime}
            </p>
            <details open=move || is_shown.get()>
                <summary on:click=toggle>"Show it"</summary>
                <code>{token}</code>
            </details>
        </section>
    }
}
