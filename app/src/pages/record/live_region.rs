//! Announcements for screen readers: WCAG 2.2, success criterion 4.1.3.

use std::borrow::Cow;

use fluent_bundle::FluentArgs;
use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::recorder::bindings::{COUNTDOWN_SECONDS, Element, Flag};

/// The states that are announced.
const STATES: &[(&str, Message)] = &[
    // Where a discarded take, a cancelled permission and a phone that was locked lead back to.
    ("idle", Message::RecordPromptHeading),
    ("elsewhere", Message::TabHeading),
    ("requesting-access", Message::PermissionHeading),
    ("blocked-denied", Message::BlockedDeniedHeading),
    ("blocked-no-camera", Message::BlockedNoCameraHeading),
    ("blocked-busy", Message::BlockedBusyHeading),
    ("blocked-insecure", Message::BlockedInsecureHeading),
    ("blocked-unsupported", Message::BlockedUnsupportedHeading),
    ("blocked-no-video", Message::BlockedNoPictureHeading),
    ("blocked-no-screen", Message::BlockedNoScreenHeading),
    ("preview", Message::CameraNotRecording),
    ("countdown", Message::AnnounceCountdown),
    ("recording", Message::AnnounceRecording),
    ("paused", Message::AnnouncePaused),
    ("stopping", Message::AnnounceStopped),
    ("review", Message::ReviewNotSent),
    ("confirming-discard", Message::DiscardHeading),
    ("submitting", Message::SubmitKeepOpen),
    ("submitted", Message::SubmitSentHeading),
    ("ended-expired", Message::EndExpiredHeading),
    ("ended-submitted", Message::EndSubmittedHeading),
    ("ended-withdrawn", Message::EndWithdrawnHeading),
    ("ended-taken-down", Message::EndTakenDownHeading),
    ("ended-too-large", Message::EndTooLargeHeading),
    ("ended-unreadable", Message::EndUnreadableHeading),
    ("ended-refused", Message::EndRefusedHeading),
    ("ended-unplayable", Message::EndUnplayableHeading),
];

/// The flags that are announced.
const FLAGS: &[(Flag, Message)] = &[
    (Flag::LastMinute, Message::AnnounceLastMinute),
    (Flag::Retrying, Message::UploadWaiting),
    (Flag::ServerFull, Message::UploadServerFull),
    (Flag::Offline, Message::UploadOffline),
    (Flag::Sealing, Message::SubmitPreparing),
    (Flag::Interrupted, Message::ReviewInterrupted),
    (Flag::Silent, Message::SignalUnheard),
    (Flag::Dark, Message::SignalDark),
    (Flag::Muted, Message::SignalMuted),
    (Flag::AudioLost, Message::SignalSoundLost),
    (Flag::NoAudio, Message::SignalSilent),
    (Flag::NoMicrophone, Message::SignalNoMicrophone),
    (Flag::MemoryOnly, Message::StorageNone),
    (Flag::LowStorage, Message::StorageLow),
    (Flag::RecordedElsewhere, Message::RecordOtherDevice),
    (Flag::NotPlayable, Message::ReviewNoPlayer),
    (Flag::ClosesSoon, Message::ReviewClosesSoon),
    (Flag::HasLocation, Message::ReviewLocated),
    (Flag::Loading, Message::ReviewReading),
    (Flag::Copied, Message::LinkCopied),
    (Flag::SeveralFiles, Message::SourceSeveralFiles),
    (Flag::NoVideoFile, Message::SourceNoVideo),
];

/// The live region, and the hidden texts for it.
#[component]
pub(super) fn LiveRegion(locale: Locale) -> impl IntoView {
    let states = STATES.iter().map(|(state, message)| (*state, *message));
    let flags = FLAGS.iter().map(|(flag, message)| (flag.name(), *message));
    let texts = states.chain(flags).map(|(name, message)| {
        view! {
            <li data-element=Element::Announcement.name() data-announces=name>
                {text(locale, message)}
            </li>
        }
    });
    view! {
        <p class="visually-hidden" role="status" data-element=Element::LiveRegion.name()></p>
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
        // How much is read changes all the time.
        Message::ReviewReading => {
            let text = locale.format(message, &FluentArgs::from_iter([("read", "")]));
            text.trim_end().to_owned().into()
        }
        message => locale.text(message).into(),
    }
}
