//! The island, and what it shows of an open or an ended request.

use leptos::either::Either;
use leptos::html::{Div, H2};
use leptos::mount::mount_to;
use leptos::prelude::*;

use super::code_tabs::CodeTabs;
use super::controller::Controller;
use super::create_form::CreateForm;
use super::delete_dialog::DeleteDialog;
use super::issued::{LinkCard, TokenCard};
use super::result::VideoResult;
use super::state::{IssuedRequest, Phase};
use super::text;
use crate::browser;

/// Creates a request, polls it, and plays its video.
#[island]
pub fn Console(
    /// The URL of this server, without a slash at the end.
    public_url: String,
) -> impl IntoView {
    let controller = Controller::new();
    // The button is disabled until the WASM is loaded.
    let (is_hydrated, set_hydrated) = signal(false);
    Effect::new(move || {
        set_hydrated.set(true);
        controller.restore();
    });
    let is_blank = Memo::new(move |_| controller.phase.with(|phase| *phase == Phase::Blank));
    // The request is mounted and not rendered. The server never renders it, so no code to hydrate it is compiled in,
    // which is larger than the code that builds it.
    let container = NodeRef::<Div>::new();
    // The effect keeps what it has mounted. Nothing here may be bound to a thread: the server drops it on another one.
    Effect::new(move |mounted: Option<Option<_>>| {
        drop(mounted);
        let container = container.get().filter(|_| !is_blank.get());
        let base = public_url.clone();
        container.map(|container| {
            let container = (*container).clone();
            mount_to(container, move || view! { <Request controller base/> })
        })
    });
    view! {
        <section class="console" aria-label="Console">
            <p class="visually-hidden" role="status">
                {move || {
                    controller.phase.with(|phase| text::announcement(phase, controller.progress.get()))
                }}
            </p>
            <div hidden=move || !is_blank.get()>
                <CreateForm controller is_hydrated/>
            </div>
            <div class="request" node_ref=container></div>
        </section>
    }
}

/// The request, open or ended.
#[component]
fn Request(controller: Controller, base: String) -> impl IntoView {
    let is_open = Memo::new(move |_| controller.phase.with(Phase::is_open));
    move || match controller.request.get_untracked().filter(|_| is_open.get()) {
        Some(request) => {
            let base = base.clone();
            Either::Left(view! { <OpenRequest controller request base/> })
        }
        None => Either::Right(view! { <EndedRequest controller/> }),
    }
}

/// A request that isn't over.
#[component]
fn OpenRequest(controller: Controller, request: IssuedRequest, base: String) -> impl IntoView {
    let has_video = Memo::new(move |_| controller.phase.with(|it| it.video().is_some()));
    let shown = request.clone();
    let link_or_video = move || {
        let request = shown.clone();
        match has_video.get() {
            true => Either::Left(view! { <VideoResult controller request/> }),
            false => Either::Right(view! { <LinkCard request/> }),
        }
    };
    let token = request.token.clone();
    view! {
        <RequestHeader controller/>
        {link_or_video}
        <div class="request__side">
            <Steps controller/>
            <Asked request=request.clone()/>
        </div>
        <TokenCard controller token/>
        <CodeTabs controller request base/>
        <div class="console__actions">
            <DeleteDialog controller/>
            <a class="button" href="/" target="_blank" rel="noopener">
                "Ask for another, in a new tab"
            </a>
        </div>
    }
}

/// The status.
#[component]
fn RequestHeader(controller: Controller) -> impl IntoView {
    let notice = move || match text::connectivity(controller.connectivity.get()) {
        "" => controller.failure.get().unwrap_or_default(),
        notice => notice.to_owned(),
    };
    view! {
        <header class=move || text::header_class(controller.progress.get())>
            <Heading controller/>
            <p class="connectivity" role="status">
                {notice}
            </p>
        </header>
    }
}

/// The three steps of a request, and which of them it has reached.
#[component]
fn Steps(controller: Controller) -> impl IntoView {
    let steps = text::STEPS.into_iter().enumerate();
    let steps = steps.map(|(index, name)| {
        let is_done = move || index < controller.progress.get().step();
        let is_current = move || index == controller.progress.get().step();
        view! {
            <li
                class="steps__step"
                class:steps__step--done=is_done
                aria-current=move || is_current().then_some("step")
            >
                {name}
                <span class="visually-hidden">{move || if is_done() { ": done" } else { "" }}</span>
            </li>
        }
    });
    view! {
        <ol class="steps" aria-label="Progress">
            {steps.collect_view()}
        </ol>
    }
}

/// The prompt and the expiry.
#[component]
fn Asked(request: IssuedRequest) -> impl IntoView {
    let expires_at = request.expires_at;
    let until = browser::format_local_time(browser::parse_time(&expires_at), "en")
        .unwrap_or_else(|| expires_at.clone());
    view! {
        <section class="card asked" aria-labelledby="asked-heading">
            <h3 id="asked-heading">"You asked"</h3>
            <blockquote dir="auto">{request.prompt}</blockquote>
            <p class="quiet">
                "Everything is deleted on " <time datetime=expires_at>{until}</time> "."
            </p>
        </section>
    }
}

/// What is shown after a request is over.
#[component]
fn EndedRequest(controller: Controller) -> impl IntoView {
    view! {
        <div class="outcome">
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d=move || controller.phase.with(text::icon)></path>
            </svg>
            <Heading controller/>
            <p>{move || controller.phase.with(text::explanation)}</p>
            <button class="button button--primary" on:click=move |_| controller.start_over()>
                "Ask for another"
            </button>
        </div>
    }
}

/// The heading. It takes the focus, as the element that had it is gone.
#[component]
fn Heading(controller: Controller) -> impl IntoView {
    let heading = NodeRef::<H2>::new();
    Effect::new(move || {
        if let Some(heading) = heading.get() {
            browser::dom::focus(&heading);
        }
    });
    view! {
        <h2 class="request-header__heading" tabindex="-1" node_ref=heading>
            {move || controller.phase.with(|phase| text::heading(phase, controller.progress.get()))}
        </h2>
    }
}
