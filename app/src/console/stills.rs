//! Stills of the video: to look at, and to go to in it.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::client;
use super::player::Handle;
use super::session::{Given, Session};
use crate::browser::BlobUrl;
use crate::format::duration;
use crate::video_metadata::{Still, Stills, StillsStatus};

/// All of them, or why there are none.
#[component]
pub fn Pictures(session: Session, given: Given, video: String, player: Handle) -> impl IntoView {
    let stills = Memo::new(move |_| {
        session
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
    let pictures = move || stills.get().map(|it| it.pictures).unwrap_or_default();
    view! {
        <section class="pictures" aria-labelledby="pictures-heading">
            <h3 id="pictures-heading">"Pictures"</h3>
            <p class="quiet" hidden=move || note().is_empty()>
                {note}
            </p>
            <ul class="pictures__list" hidden=move || pictures().is_empty()>
                {move || {
                    let each = pictures().into_iter();
                    let (token, video) = (given.token.clone(), video.clone());
                    each.map(|still| {
                            let (token, video) = (token.clone(), video.clone());
                            view! { <Picture token video still player/> }
                        })
                        .collect_view()
                }}
            </ul>
        </section>
    }
}

/// One of them. An `<img>` can't send the token either, so it is fetched here.
#[component]
fn Picture(token: String, video: String, still: Still, player: Handle) -> impl IntoView {
    // Exact up to 2⁵³.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let at = duration(still.at_ms as f64);
    let file = StoredValue::new_local(None::<BlobUrl>);
    let (url, set_url) = signal(None::<String>);
    spawn_local(async move {
        // Without it there is a grey field with a time in it, which does the same.
        if let Ok(fetched) = client::still(&video, still.at_ms, &token).await {
            let address = fetched.as_str().to_owned();
            if file.try_set_value(Some(fetched)).is_none() {
                set_url.set(Some(address));
            }
        }
    });
    let go = move |_| {
        player.with_value(|player| {
            if let Some(player) = player {
                player.seek(still.at_ms);
            }
        });
    };
    view! {
        <li>
            <button class="picture" aria-label=format!("Go to {at} in the video") on:click=go>
                <img
                    src=url
                    alt=""
                    width=still.width.to_string()
                    height=still.height.to_string()
                />
                <span class="picture__time">{at.clone()}</span>
            </button>
        </li>
    }
}
