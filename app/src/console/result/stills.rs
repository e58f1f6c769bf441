//! The stills of the video, as buttons that seek to their time.

use leptos::prelude::*;

use super::fetched::fetch;
use super::pictures::{seek, time};
use super::player::PlayerHandle;
use crate::console::controller::Controller;
use crate::console::state::IssuedRequest;
use crate::video_metadata::{Still, Stills, StillsStatus, VideoMetadata};

/// All stills, or why there are none.
#[component]
pub fn StillList(
    controller: Controller,
    request: IssuedRequest,
    video: String,
    player: PlayerHandle,
    /// Whether they are made or missing.
    are_stills_settled: Memo<bool>,
) -> impl IntoView {
    let stills = move || {
        let stills = |it: &Option<VideoMetadata>| it.as_ref().map(|it| it.stills.clone());
        are_stills_settled
            .get()
            .then(|| controller.metadata.with_untracked(stills))?
    };
    let note = move || match stills() {
        Some(Stills {
            reason: Some(reason),
            ..
        }) => format!("There are no pictures of it: {reason}."),
        Some(stills) if stills.status == StillsStatus::Ready => String::new(),
        _ => "Pictures are being made…".to_owned(),
    };
    let stills = move || stills().map(|it| it.pictures).unwrap_or_default();
    view! {
        <section class="stills" aria-labelledby="stills-heading">
            <h3 id="stills-heading">"Pictures"</h3>
            <p class="quiet" hidden=move || note().is_empty()>
                {note}
            </p>
            <ul class="stills__list" hidden=move || stills().is_empty()>
                {move || {
                    let (token, video) = (request.token.clone(), video.clone());
                    stills()
                        .into_iter()
                        .map(|still| {
                            let (token, video) = (token.clone(), video.clone());
                            view! { <StillButton token video still player/> }
                        })
                        .collect_view()
                }}
            </ul>
        </section>
    }
}

/// A still.
#[component]
fn StillButton(token: String, video: String, still: Still, player: PlayerHandle) -> impl IntoView {
    let at = time(still.at_ms);
    // If it fails, the button shows its time on a grey ground, and seeks all the same.
    let src = fetch(&video, &format!("/stills/{}", still.at_ms), &token).url;
    view! {
        <li>
            <button class="still" aria-label=format!("Go to {at} in the video") on:click=move |_| seek(player, still.at_ms)>
                <img
                    src=src
                    alt=""
                    width=still.width.to_string()
                    height=still.height.to_string()
                />
                <span class="still__time">{at.clone()}</span>
            </button>
        </li>
    }
}
