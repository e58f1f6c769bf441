//! The submitted video with its stills and its metadata.

mod fetched;
mod pictures;
mod player;
mod receipt;
mod stills;
mod timeline;

use leptos::prelude::*;

use self::pictures::{Pictures, Ticks};
use self::player::Player;
use self::receipt::SaveReceipt;
use self::stills::StillList;
use self::timeline::Timeline;
use super::controller::Controller;
use super::copy::CopyButton;
use super::state::{IssuedRequest, Progress};
use super::text;
use crate::video_metadata::{StillsStatus, VideoMetadata};

/// The video and everything about it.
#[component]
pub fn VideoResult(controller: Controller, request: IssuedRequest) -> impl IntoView {
    let video = controller.video().unwrap_or_default();
    let player = StoredValue::new_local(None);
    let timeline = NodeRef::new();
    let shown = RwSignal::new(None);
    let are_stills_settled = Memo::new(move |_| {
        let stills = |it: &VideoMetadata| it.stills.status != StillsStatus::Pending;
        controller
            .metadata
            .with(|it| it.as_ref().is_some_and(stills))
    });
    let has_failed = move || controller.progress.get() == Progress::Failed;
    view! {
        <section class="card result" aria-label="The video" hidden=has_failed>
            <Player controller request=request.clone() video=video.clone() player timeline/>
            <Timeline controller player timeline are_stills_settled shown/>
            <Ticks controller player/>
            <StillList controller request=request.clone() video=video.clone() player are_stills_settled/>
            <Pictures controller request=request.clone() video=video.clone() player shown/>
            <Metadata controller request video/>
        </section>
    }
}

#[component]
fn Metadata(controller: Controller, request: IssuedRequest, video: String) -> impl IntoView {
    let entries = move || {
        let metadata = controller.metadata.get();
        let entries = metadata.as_ref().map(text::metadata_entries);
        let entry = |(name, value)| {
            view! {
                <div class="metadata__entry">
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            }
        };
        let entries = entries.unwrap_or_default().into_iter();
        entries.map(entry).collect_view()
    };
    let digest = Memo::new(move |_| {
        let metadata = controller.metadata.get();
        metadata
            .and_then(|metadata| metadata.properties)
            .map(|properties| properties.sha256)
    });
    let copied_digest = move || digest.get_untracked().unwrap_or_default();
    view! {
        <section class="metadata" aria-labelledby="metadata-heading">
            <h3 id="metadata-heading">"Facts"</h3>
            <dl>
                {entries}
                <div
                    class="metadata__entry metadata__entry--wide"
                    hidden=move || digest.get().is_none()
                >
                    <dt>"SHA-256"</dt>
                    <dd class="copy-field">
                        <code>{digest}</code>
                        <CopyButton label="Copy" what="the digest" text=copied_digest/>
                    </dd>
                </div>
            </dl>
            <SaveReceipt request video/>
        </section>
    }
}
