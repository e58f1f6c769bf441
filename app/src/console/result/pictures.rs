//! What is seen at a moment: the steps that the sender ticked, all moments in one picture, and the moment that is played,
//! as large as it was recorded.

use leptos::prelude::*;

use super::fetched::{Fetched, fetch};
use super::player::PlayerHandle;
use crate::console::controller::Controller;
use crate::console::state::IssuedRequest;
use crate::format::duration;
use crate::video_metadata::{TickedStep, VideoMetadata};

/// A time of the video, for people.
pub fn time(at_ms: u64) -> String {
    // Exact up to 2⁵³.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    duration(at_ms as f64)
}

/// Seeks to a time of the video, if it is played.
pub fn seek(player: PlayerHandle, at_ms: u64) {
    player.with_value(|player| {
        if let Some(player) = player {
            player.seek(at_ms);
        }
    });
}

/// The time of the video that is played, if it is.
pub fn position_ms(player: PlayerHandle) -> Option<u64> {
    player.with_value(|player| player.as_ref().map(|it| it.position_ms()))
}

/// The steps that the sender ticked, as buttons that seek to their time.
#[component]
pub fn Ticks(controller: Controller, player: PlayerHandle) -> impl IntoView {
    // They don't change, and one of the buttons may have the focus.
    let is_known = Memo::new(move |_| controller.metadata.with(Option::is_some));
    let ticks = move || {
        let ticks = |it: &Option<VideoMetadata>| it.as_ref().map(|it| it.ticks.clone());
        let ticks = is_known
            .get()
            .then(|| controller.metadata.with_untracked(ticks));
        ticks.flatten().unwrap_or_default()
    };
    let item = move |TickedStep { line, text, at_ms }: TickedStep| {
        view! {
            <li>
                <button class="copy-button" on:click=move |_| seek(player, at_ms)>
                    {time(at_ms)}
                </button>
                <span dir="auto">{line} ". " {text}</span>
            </li>
        }
    };
    view! {
        <section class="ticks" hidden=move || ticks().is_empty()>
            <h3>"Ticked by the sender"</h3>
            <ul>{move || ticks().into_iter().map(item).collect_view()}</ul>
        </section>
    }
}

/// The contact sheet, and the moment that is played.
#[component]
pub fn Pictures(
    controller: Controller,
    request: IssuedRequest,
    video: String,
    player: PlayerHandle,
    /// The moment that is shown in full size, in milliseconds.
    shown: RwSignal<Option<u64>>,
) -> impl IntoView {
    let has_sheet = Memo::new(move |_| {
        controller
            .metadata
            .with(|it| it.as_ref().is_some_and(|it| it.contact_sheet.is_some()))
    });
    let show = move |_| shown.set(position_ms(player));
    let picture = {
        let (video, token) = (video.clone(), request.token.clone());
        move |path: &str, name: &'static str, alt: String| {
            let Fetched { url, has_failed } = fetch(&video, path, &token);
            let status = move || match has_failed.get() {
                true => "It can’t be shown now. Reload this page to try again.",
                false => "Fetching…",
            };
            view! {
                <p class="quiet" role="status" hidden=move || url.get().is_some()>
                    {status}
                </p>
                <a class="picture" download=name href=url hidden=move || url.get().is_none()>
                    <img src=url alt=alt/>
                </a>
            }
        }
    };
    let sheet = picture.clone();
    view! {
        <section class="pictures">
            <button class="copy-button" on:click=show>
                "This moment in full size"
            </button>
            {move || shown.get().map(|at_ms| picture(&format!("/stills/{at_ms}?full=true"), "moment.jpg", format!("The moment at {}", time(at_ms))))}
            <details hidden=move || !has_sheet.get()>
                <summary>"All of it in one picture"</summary>
                {move || has_sheet.get().then(|| sheet("/contact-sheet", "contact-sheet.jpg", "All of it, in small pictures".to_owned()))}
            </details>
        </section>
    }
}
