//! What a screen reader says when something changes: WCAG 2.2, 4.1.3.

use std::borrow::Cow;

use fluent_bundle::FluentArgs;
use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::recorder::bindings::{COUNTDOWN_SECONDS, Element, Flag};

/// States that are worth interrupting for.
const STATES: &[(&str, Message)] = &[
    ("elsewhere", Message::TabHeading),
    ("asking", Message::PermissionHeading),
    ("blocked-denied", Message::BlockedDeniedHeading),
    ("blocked-no-camera", Message::BlockedNoCameraHeading),
    ("blocked-busy", Message::BlockedBusyHeading),
    ("blocked-insecure", Message::BlockedInsecureHeading),
    ("blocked-unsupported", Message::BlockedUnsupportedHeading),
    ("blocked-no-picture", Message::BlockedNoPictureHeading),
    ("blocked-no-screen", Message::BlockedNoScreenHeading),
    ("preview", Message::CameraNotRecording),
    ("countdown", Message::AnnounceCountdown),
    ("recording", Message::AnnounceRecording),
    ("paused", Message::AnnouncePaused),
    ("stopping", Message::AnnounceStopped),
    ("review", Message::AnnounceReview),
    ("reconsidering", Message::DiscardHeading),
    ("submitting", Message::SubmitKeepOpen),
    ("sent", Message::SubmitSentHeading),
    ("over-expired", Message::EndExpiredHeading),
    ("over-submitted", Message::EndSubmittedHeading),
    ("over-withdrawn", Message::EndWithdrawnHeading),
    ("over-taken-down", Message::EndTakenDownHeading),
    ("over-too-large", Message::EndTooLargeHeading),
    ("over-unreadable", Message::EndUnreadableHeading),
    ("over-refused", Message::EndRefusedHeading),
    ("over-unplayable", Message::EndUnplayableHeading),
];

/// Likewise flags.
const FLAGS: &[(Flag, Message)] = &[
    (Flag::LastMinute, Message::AnnounceLastMinute),
    (Flag::Waiting, Message::UploadWaiting),
    (Flag::ServerFull, Message::UploadServerFull),
    (Flag::Offline, Message::UploadOffline),
    (Flag::Interrupted, Message::ReviewInterrupted),
    (Flag::Unheard, Message::SignalUnheard),
    (Flag::Dark, Message::SignalDark),
    (Flag::Muted, Message::SignalMuted),
    (Flag::SoundLost, Message::SignalSoundLost),
    (Flag::ClosesSoon, Message::ReviewClosesSoon),
    (Flag::Located, Message::ReviewLocated),
    (Flag::Copied, Message::LinkCopied),
];

/// The place where it is said, and the texts.
#[component]
pub(super) fn Announced(locale: Locale) -> impl IntoView {
    let states = STATES.iter().map(|(state, message)| (*state, *message));
    let flags = FLAGS.iter().map(|(flag, message)| (flag.name(), *message));
    let texts = states.chain(flags).map(|(name, message)| {
        view! {
            <li data-part=Element::Said.name() data-said=name>
                {text(locale, message)}
            </li>
        }
    });
    view! {
        <p class="visually-hidden" role="status" data-part=Element::Announcer.name()></p>
        <ul hidden>{texts.collect_view()}</ul>
    }
    .into_any()
}

fn text(locale: Locale, message: Message) -> Cow<'static, str> {
    match message {
        Message::AnnounceCountdown => {
            let values = FluentArgs::from_iter([("seconds", COUNTDOWN_SECONDS)]);
            locale.format(message, &values).into()
        }
        message => locale.text(message).into(),
    }
}
