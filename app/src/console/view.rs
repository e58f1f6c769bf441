//! The island, from its props down.

use std::any::Any;

use leptos::either::Either;
use leptos::html::{Div, H2};
use leptos::mount::mount_to;
use leptos::prelude::*;

use super::code_tabs::Programs;
use super::create_form::Ask;
use super::delete_dialog::Removal;
use super::issued::{Link, Token};
use super::result::Evidence;
use super::session::{Contact, Given, Session};
use super::state::Phase;
use super::text;
use crate::browser;

/// Asks for a video, follows the request, plays what comes.
#[island]
pub fn Console(
    /// The address of this server, without a slash at the end.
    public_url: String,
) -> impl IntoView {
    let session = Session::new();
    // Buttons do nothing before the WASM is here, so until then they say so.
    let (awake, set_awake) = signal(false);
    Effect::new(move || {
        set_awake.set(true);
        session.resume();
    });
    let blank = Memo::new(move |_| session.phase.with(|phase| *phase == Phase::Blank));
    // Mounted, not rendered: the server never renders these, so no code comes along that would hydrate them,
    // which is more than the code that builds them.
    let place = NodeRef::<Div>::new();
    let rest = StoredValue::new_local(None::<Box<dyn Any>>);
    Effect::new(move || {
        let place = place.get().filter(|_| !blank.get());
        let base = public_url.clone();
        let mounted = place.map(|place| {
            let place = (*place).clone();
            Box::new(mount_to(place, move || view! { <Request session base/> })) as Box<dyn Any>
        });
        rest.set_value(mounted);
    });
    view! {
        <section class="console" aria-label="Console">
            <p class="visually-hidden" role="status">
                {move || session.phase.with(text::announcement)}
            </p>
            <div hidden=move || !blank.get()>
                <Ask session awake/>
            </div>
            <div class="request" node_ref=place></div>
        </section>
    }
}

/// The request, until it is over, and what it leaves.
#[component]
fn Request(session: Session, base: String) -> impl IntoView {
    let open = Memo::new(move |_| session.phase.with(Phase::is_open));
    move || match session.given.get_untracked().filter(|_| open.get()) {
        Some(given) => {
            let base = base.clone();
            Either::Left(view! { <Open session given base/> })
        }
        None => Either::Right(view! { <Ended session/> }),
    }
}

/// A request that isn't over.
#[component]
fn Open(session: Session, given: Given, base: String) -> impl IntoView {
    let has_video = Memo::new(move |_| session.phase.with(|it| it.video().is_some()));
    let shown = given.clone();
    let came = move || {
        let given = shown.clone();
        match has_video.get() {
            true => Either::Left(view! { <Evidence session given/> }),
            false => Either::Right(view! { <Link given/> }),
        }
    };
    let token = given.token.clone();
    view! {
        <Standing session given=given.clone()/>
        {came}
        <Token session token/>
        <Programs session given base/>
        <div class="console__end">
            <Removal session/>
            <a class="button" href="/" target="_blank" rel="noopener">
                "Ask for another, in a new tab"
            </a>
        </div>
    }
}

/// Where it stands.
#[component]
fn Standing(session: Session, given: Given) -> impl IntoView {
    let until =
        browser::local_time(&given.expires_at, "en").unwrap_or_else(|| given.expires_at.clone());
    let has_video = move || session.phase.with(|it| it.video().is_some());
    view! {
        <header class="standing" class:standing--good=has_video>
            <Heading session/>
            <blockquote class="asked" dir="auto">
                {given.prompt}
            </blockquote>
            <p class="quiet">
                "Everything is deleted on " <time datetime=given.expires_at>{until}</time> "."
            </p>
            <p
                class="contact"
                role="status"
                class:contact--bad=move || session.contact.get() != Contact::Good
            >
                {move || text::contact(session.contact.get())}
            </p>
        </header>
    }
}

/// What an ended request leaves.
#[component]
fn Ended(session: Session) -> impl IntoView {
    view! {
        <div class="card standing">
            <Heading session/>
            <p class="quiet">{move || session.phase.with(text::ending)}</p>
            <button class="button button--primary" on:click=move |_| session.start_over()>
                "Ask for another"
            </button>
        </div>
    }
}

/// Where the keyboard goes on when what it was on is gone.
#[component]
fn Heading(session: Session) -> impl IntoView {
    let heading = NodeRef::<H2>::new();
    Effect::new(move || {
        if let Some(heading) = heading.get() {
            browser::go_to(&heading);
        }
    });
    view! {
        <h2 class="standing__heading" tabindex="-1" node_ref=heading>
            {move || session.phase.with(text::heading)}
        </h2>
    }
}
