//! What the person should know before they record.

use leptos::prelude::*;

use super::markup::report::ReportLink;
use super::markup::template::{DisplayTime, text_with_time};
use super::markup::visibility::shown_in;
use crate::locale::{Locale, Message};
use crate::pages::icon::Icon;

/// When all is deleted, which no screen hides, and whether what is said is turned into text; that nothing is recorded yet,
/// that recording is voluntary, and what not to show; folded: who watches the video, and what is recorded.
#[component]
pub(super) fn PrivacyNotes(
    locale: Locale,
    until: DisplayTime,
    request: String,
    /// Whether what is said is turned into text, perhaps by a third party.
    is_transcribed: bool,
) -> impl IntoView {
    let text = |message| locale.text(message);
    let transcript = is_transcribed.then(|| format!(" {}", text(Message::PrivacyTranscript)));
    view! {
        <aside class="privacy-notes" aria-label=text(Message::PrivacyHeading) {..shown_in("idle")}>
            <ul class="facts">
                <li>
                    {Icon::Clock.view()}
                    <span>{text_with_time(locale, Message::PrivacyRetentionText, until)}{transcript}</span>
                </li>
                <li>{Icon::Camera.view()} <span>{text(Message::RecordCameraHint)}</span></li>
                <li>
                    {Icon::Hand.view()}
                    <span>{text(Message::PrivacyChoiceText)} " " {text(Message::PrivacyCaution)}</span>
                </li>
            </ul>
            <div class="privacy-notes__more">
                <details class="disclosure">
                    <summary>{text(Message::PrivacyAudience)}</summary>
                    <p>{text(Message::PrivacyAudienceText)}</p>
                    <dl>
                        <dt>{text(Message::PrivacyRecording)}</dt>
                        <dd>{text(Message::PrivacyRecordingText)}</dd>
                    </dl>
                    <p>{text(Message::PrivacyNoAccount)}</p>
                </details>
                <ReportLink locale request/>
            </div>
        </aside>
    }
    .into_any()
}
