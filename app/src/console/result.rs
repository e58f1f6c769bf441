//! What came: the video, pictures of it, and what is known of it.

use leptos::prelude::*;

use super::copy::Copy;
use super::player::Player;
use super::session::{Given, Session};
use super::stills::Pictures;
use super::text;

/// All of it.
#[component]
pub fn Evidence(session: Session, given: Given) -> impl IntoView {
    let video = session.video().unwrap_or_default();
    let player = StoredValue::new_local(None);
    view! {
        <section class="card evidence" aria-label="The video">
            <Player session given=given.clone() video=video.clone() player/>
            <Pictures session given video player/>
            <Facts session/>
        </section>
    }
}

#[component]
fn Facts(session: Session) -> impl IntoView {
    let lines = move || {
        let metadata = session.metadata.get();
        let lines = metadata.as_ref().map(text::metadata).unwrap_or_default();
        let line = |(name, value)| {
            view! {
                <div class="fact">
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            }
        };
        lines.into_iter().map(line).collect_view()
    };
    let digest = Memo::new(move |_| {
        let metadata = session.metadata.get();
        metadata
            .and_then(|metadata| metadata.properties)
            .map(|properties| properties.sha256)
    });
    let copied = move || digest.get_untracked().unwrap_or_default();
    view! {
        <section class="metadata" aria-labelledby="metadata-heading">
            <h3 id="metadata-heading">"Facts"</h3>
            <dl>
                {lines} <div class="fact fact--wide" hidden=move || digest.get().is_none()>
                    <dt>"SHA-256"</dt>
                    <dd class="secret">
                        <code>{digest}</code>
                        <Copy label="Copy" what="the digest" text=copied/>
                    </dd>
                </div>
            </dl>
        </section>
    }
}
