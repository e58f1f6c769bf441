//! The stills of the video, as buttons that seek to their time.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::player::PlayerHandle;
use crate::browser::blob::BlobUrl;
use crate::console::client;
use crate::console::controller::Controller;
use crate::console::state::IssuedRequest;
use crate::format::duration;
use crate::video_metadata::{Still, Stills, StillsStatus};

/// All stills, or why there are none.
#[component]
pub fn StillList(
    controller: Controller,
    request: IssuedRequest,
    video: String,
    player: PlayerHandle,
) -> impl IntoView {
    let stills = Memo::new(move |_| {
        controller
            .metadata
            .with(|it| it.as_ref().map(|it| it.stills.clone()))
    });
    let note = move || match stills.get() {
        Some(Stills {
            reason: Some(reason),
            ..
        }) => format!("There are no pictures of it: {reason}."),
        Some(stills) if stills.status == StillsStatus::Ready => String::new(),
        _ => "Pictures are being made…".to_owned(),
    };
    let stills = move || stills.get().map(|it| it.pictures).unwrap_or_default();
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

/// A still. It is fetched here, because an `<img>` can't send the token.
#[component]
fn StillButton(token: String, video: String, still: Still, player: PlayerHandle) -> impl IntoView {
    // Exact up to 2⁵³.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let at = duration(still.at_ms as f64);
    let blob_url = StoredValue::new_local(None::<BlobUrl>);
    let (src, set_src) = signal(None::<String>);
    spawn_local(async move {
        // If it fails, the button shows its time on a grey ground, and seeks all the same.
        if let Ok(fetched) = client::still(&video, still.at_ms, &token).await {
            let url = fetched.as_str().to_owned();
            if blob_url.try_set_value(Some(fetched)).is_none() {
                set_src.set(Some(url));
            }
        }
    });
    let seek = move |_| {
        player.with_value(|player| {
            if let Some(player) = player {
                player.seek(still.at_ms);
            }
        });
    };
    view! {
        <li>
            <button class="still" aria-label=format!("Go to {at} in the video") on:click=seek>
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
