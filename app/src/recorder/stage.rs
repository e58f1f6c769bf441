//! The picture, and what stands where there is none.

use std::time::Duration;

use leptos::html::Video;
use leptos::prelude::*;

use super::machine::Phase;
use super::session::Session;
use crate::amounts;
use crate::browser::{self, HtmlVideoElement};

/// The picture: of the camera, or of the recording.
#[component]
pub fn Stage(session: Session) -> impl IntoView {
    let live = NodeRef::<Video>::new();
    let review = NodeRef::<Video>::new();
    // Memos: setting the same picture again would restart it.
    let shows_live = Memo::new(move |_| {
        matches!(
            session.phase(),
            Phase::Preview | Phase::Recording | Phase::Stopping
        )
    });
    let shows_review =
        Memo::new(move |_| matches!(session.phase(), Phase::Review | Phase::Submitting));
    let (mirrored, set_mirrored) = signal(false);
    Effect::new(move || {
        let Some(video) = live.get() else { return };
        if shows_live.get() {
            session.with_camera(|camera| {
                set_mirrored.set(camera.faces_person());
                camera.show_in(&video);
            });
        } else {
            video.set_src_object(None);
        }
    });
    Effect::new(move || {
        if !shows_review.get() {
            // A hidden video would talk on, into the next recording too.
            with_video(review, browser::pause);
        }
    });
    view! {
        <div
            class="stage"
            class:stage--live=move || shows_live.get() || shows_review.get()
            class:stage--recording=move || session.phase() == Phase::Recording
        >
            <video
                class="stage__video"
                class:stage__video--mirrored=mirrored
                node_ref=live
                hidden=move || !shows_live.get()
                autoplay
                muted
                playsinline
                aria-label="What the camera sees"
            ></video>
            <video
                class="stage__video"
                node_ref=review
                hidden=move || !shows_review.get()
                src=move || Some(session.clip_url()).filter(|url| !url.is_empty())
                on:loadedmetadata=move |_| with_video(review, browser::learn_duration)
                on:durationchange=move |_| with_video(review, browser::rewind)
                controls
                playsinline
                aria-label="Your recording"
            ></video>
            <Placeholder session/>
            <Timer session/>
        </div>
    }
}

fn with_video(video: NodeRef<Video>, act: impl FnOnce(&HtmlVideoElement)) {
    if let Some(video) = video.get_untracked() {
        act(&video);
    }
}

/// What stands where there is no picture.
#[component]
fn Placeholder(session: Session) -> impl IntoView {
    let mark = move || match session.phase() {
        Phase::Idle | Phase::Asking => Some("camera"),
        Phase::Blocked(_) | Phase::Over(_) => Some("blocked"),
        Phase::Sent => Some("sent"),
        _ => None,
    };
    view! {
        <div class="stage__placeholder" hidden=move || mark().is_none() aria-hidden="true">
            <svg viewBox="0 0 48 48" class="mark" class:mark--sent=move || mark() == Some("sent")>
                <path d=move || match mark() {
                    Some("sent") => "M12 25l8 8 16-17",
                    Some("blocked") => "M24 13v14M24 33v2",
                    _ => "M8 15h22v18H8zM30 22l10-6v16l-10-6z",
                }></path>
            </svg>
        </div>
    }
}

/// How long it has been recording: the red bar.
#[component]
fn Timer(session: Session) -> impl IntoView {
    const TICK: Duration = Duration::from_millis(200);
    let (elapsed, set_elapsed) = signal(0.0);
    Effect::new(move || {
        if session.phase() != Phase::Recording {
            return;
        }
        let started = session.started();
        set_elapsed.set(0.0);
        let tick = move || set_elapsed.set(browser::now() - started);
        if let Ok(ticking) = set_interval_with_handle(tick, TICK) {
            on_cleanup(move || ticking.clear());
        }
    });
    let shows = move || matches!(session.phase(), Phase::Recording | Phase::Stopping);
    view! {
        <p class="timer" hidden=move || !shows()>
            <span class="timer__dot" aria-hidden="true"></span>
            "Recording "
            <span role="timer" aria-live="off">
                {move || amounts::duration(elapsed.get())}
            </span>
        </p>
    }
}
