//! The video, playing.

use leptos::html::Iframe;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::client;
use super::session::{Given, Session};
use super::text;
use crate::browser;

/// What is fetched whole where it can't be streamed: it lies in memory then.
const MOST_WHOLE_BYTES: u64 = 200_000_000;

/// How the player is reached from beside it.
pub type Handle = StoredValue<Option<browser::Player>, LocalStorage>;

/// Plays it, with seeking.
#[component]
pub fn Player(session: Session, given: Given, video: String, player: Handle) -> impl IntoView {
    let frame = NodeRef::<Iframe>::new();
    let (trouble, set_trouble) = signal(String::new());
    let (broken, set_broken) = signal(false);
    let upright = Memo::new(move |_| {
        session.metadata.with(|metadata| {
            let properties = metadata
                .as_ref()
                .and_then(|metadata| metadata.properties.as_ref());
            properties.is_some_and(|properties| properties.height > properties.width)
        })
    });
    let load = move |_| {
        let found = frame.get_untracked();
        let Some(found) = found.and_then(|frame| browser::Player::in_frame(&frame)) else {
            return;
        };
        player.set_value(Some(found.clone()));
        set_broken.set(false);
        set_trouble.set(String::new());
        found.on_error(move || {
            set_broken.set(true);
            set_trouble.set(
                "This browser can’t play the video, or not on. You can still download it, as below."
                    .to_owned(),
            );
            spawn_local(session.look_at_video());
        });
        let (video, token) = (video.clone(), given.token.clone());
        spawn_local(async move {
            if found.stream(&video, &token).await {
                return;
            }
            set_trouble.set(
                "Fetching all of it first, because this browser can’t stream here…".to_owned(),
            );
            let said = play_whole(session, &found, &video, &token).await;
            // The page may have gone on by now.
            let _ = set_trouble.try_set(said);
        });
    };
    // Loads the player's page anew, and with it everything.
    let again = move |_| {
        if let Some(frame) = frame.get_untracked() {
            frame.set_src(browser::Player::PAGE);
        }
    };
    view! {
        <div class="player-stage" class:player-stage--upright=upright>
            <iframe
                title="The submitted video"
                src=browser::Player::PAGE
                allow="fullscreen; picture-in-picture"
                node_ref=frame
                on:load=load
            ></iframe>
        </div>
        <div class="trouble" hidden=move || trouble.get().is_empty()>
            <p class="quiet" role="status">
                {trouble}
            </p>
            <button class="copy" hidden=move || !broken.get() on:click=again>
                "Try again"
            </button>
        </div>
    }
}

/// Where there are no workers. What to say about it.
async fn play_whole(
    session: Session,
    player: &browser::Player,
    video: &str,
    token: &str,
) -> String {
    let length = match client::metadata(video, token).await {
        Ok(metadata) => metadata.bytes,
        Err(failure) => return text::failure(&failure),
    };
    if length > MOST_WHOLE_BYTES {
        return "This browser can’t stream here, and the video is too large to fetch whole. Download it, \
                as below, or open this page in another browser."
            .to_owned();
    }
    match client::whole(video, token).await {
        Ok(file) => {
            player.play_whole(file);
            "This browser can’t stream here, so all of the video was fetched first.".to_owned()
        }
        Err(failure) => {
            session.look_at_video().await;
            text::failure(&failure)
        }
    }
}
