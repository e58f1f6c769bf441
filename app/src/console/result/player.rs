//! The player of the submitted video.

use leptos::html::{Div, Iframe};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::fetched::{Fetched, fetch};
use crate::browser;
use crate::console::client;
use crate::console::controller::Controller;
use crate::console::state::IssuedRequest;
use crate::console::text;
use crate::video_metadata::{TranscriptStatus, VideoMetadata};

/// The largest video to download where it can't be streamed: it is held in memory then.
const MAX_DOWNLOAD_BYTES: u64 = 200_000_000;

/// The player, for the components beside it.
pub type PlayerHandle = StoredValue<Option<browser::Player>, LocalStorage>;

/// Plays the video, with seeking.
#[component]
pub fn Player(
    controller: Controller,
    request: IssuedRequest,
    video: String,
    player: PlayerHandle,
    /// Its slider follows the player.
    timeline: NodeRef<Div>,
) -> impl IntoView {
    let frame = NodeRef::<Iframe>::new();
    let (status, set_status) = signal(String::new());
    let (has_failed, set_failed) = signal(false);
    let is_portrait = Memo::new(move |_| {
        controller.metadata.with(|metadata| {
            let properties = metadata.as_ref().and_then(|it| it.properties.as_ref());
            properties.is_some_and(|properties| properties.height > properties.width)
        })
    });
    // Where the video is saved from: the worker, or the memory that it was fetched to.
    let (source, set_source) = signal(None::<String>);
    let is_streamed = move || source.with(|it| it.as_ref().is_some_and(|it| it.starts_with('/')));
    let (captioned, token) = (video.clone(), request.token.clone());
    let has_captions = Memo::new(move |_| {
        let status = |it: &VideoMetadata| it.transcript.status;
        let status = controller.metadata.with(|it| it.as_ref().map(status));
        status == Some(TranscriptStatus::Ready) && source.with(Option::is_some)
    });
    Effect::new(move |_| {
        if has_captions.get() {
            let Fetched { url, .. } = fetch(&captioned, "/captions.vtt", &token);
            Effect::new(move |_| {
                player.with_value(|player| {
                    if let (Some(player), Some(url)) = (player, url.get()) {
                        player.show_captions(&url);
                    }
                });
            });
        }
    });
    let load = move |_| {
        set_source.set(None);
        let loaded = frame.get_untracked();
        let Some(loaded) = loaded.and_then(|frame| browser::Player::from_frame(&frame)) else {
            return;
        };
        player.set_value(Some(loaded.clone()));
        set_failed.set(false);
        set_status.set(String::new());
        loaded.on_error(move || {
            set_failed.set(true);
            set_status.set(
                "This browser can’t play the video, or the connection broke off. You can still save it."
                    .to_owned(),
            );
            spawn_local(controller.poll_metadata());
        });
        loaded.on_time(move |seconds| {
            if let Some(timeline) = timeline.get_untracked() {
                browser::dom::move_slider(&timeline, seconds);
            }
        });
        let (video, token) = (video.clone(), request.token.clone());
        spawn_local(async move {
            // In each case the player may have been removed meanwhile.
            if loaded.stream(&video, &token).await {
                let _ = set_source.try_set(Some(browser::Player::url(&video)));
                return;
            }
            let _ = set_status.try_set(
                "Fetching all of it first, because this browser can’t stream here…".to_owned(),
            );
            let status = match fetch_and_play(controller, &loaded, &video, &token).await {
                Ok(fetched) => {
                    let _ = set_source.try_set(Some(fetched));
                    "This browser can’t stream here, so all of the video was fetched first."
                        .to_owned()
                }
                Err(failure) => {
                    let _ = set_failed.try_set(true);
                    failure
                }
            };
            let _ = set_status.try_set(status);
        });
    };
    let reload = move |_| {
        if let Some(frame) = frame.get_untracked() {
            frame.set_src(browser::Player::PAGE);
        }
    };
    view! {
        <div class="player-frame" class:player-frame--portrait=is_portrait>
            <iframe
                title="The submitted video"
                src=browser::Player::PAGE
                name="player"
                allow="fullscreen; picture-in-picture"
                node_ref=frame
                on:load=load
            ></iframe>
        </div>
        <div class="player-status" hidden=move || status.get().is_empty()>
            <p class="quiet" role="status">
                {status}
            </p>
            <button class="copy-button" hidden=move || !has_failed.get() on:click=reload>
                "Try again"
            </button>
        </div>
        // The worker answers in the frame, which stays as it is. Browsers ask no worker for a link that says `download`.
        <a
            class="copy-button player-save"
            hidden=move || source.get().is_none()
            href=source
            target="player"
            download=move || (!is_streamed()).then_some("video")
        >
            "Save the video"
        </a>
    }
}

/// Plays a video where there are no service workers. Returns its URL, or why that failed.
async fn fetch_and_play(
    controller: Controller,
    player: &browser::Player,
    video: &str,
    token: &str,
) -> Result<String, String> {
    let bytes = match client::video_metadata(video, token).await {
        Ok(metadata) => metadata.bytes,
        Err(error) => return Err(text::error(&error)),
    };
    if bytes > MAX_DOWNLOAD_BYTES {
        return Err(
            "This browser can’t stream here, and the video is too large to fetch whole. The code below \
             downloads it."
                .to_owned(),
        );
    }
    match client::download_video(video, token).await {
        Ok(file) => {
            let url = file.as_str().to_owned();
            player.play_blob(file);
            Ok(url)
        }
        Err(error) => {
            spawn_local(controller.poll_metadata());
            Err(text::error(&error))
        }
    }
}
