//! What a screen reader says when something changes: WCAG 2.2, 4.1.3.

use leptos::prelude::*;

use crate::locale::{Locale, Message};
use crate::recorder::bindings::{Element, Flag};

/// States that are worth interrupting for.
const STATES: &[(&str, Message)] = &[
    ("elsewhere", Message::Elsewhere),
    ("asking", Message::Asking),
    ("blocked-denied", Message::Denied),
    ("blocked-no-camera", Message::NoCamera),
    ("blocked-busy", Message::Busy),
    ("blocked-insecure", Message::Insecure),
    ("blocked-unsupported", Message::Unsupported),
    ("blocked-no-picture", Message::NoPicture),
    ("blocked-no-screen", Message::NoScreen),
    ("preview", Message::NotYet),
    ("countdown", Message::SaidCountdown),
    ("recording", Message::SaidRecording),
    ("paused", Message::SaidPaused),
    ("stopping", Message::SaidStopped),
    ("review", Message::SaidReview),
    ("reconsidering", Message::ThrowAway),
    ("submitting", Message::KeepOpen),
    ("sent", Message::SaidReceived),
    ("over-expired", Message::Expired),
    ("over-submitted", Message::AlreadySent),
    ("over-withdrawn", Message::Withdrawn),
    ("over-taken-down", Message::TakenDown),
    ("over-too-large", Message::TooLarge),
    ("over-unreadable", Message::Unreadable),
    ("over-refused", Message::Refused),
    ("over-unplayable", Message::Unplayable),
];

/// Likewise flags.
const FLAGS: &[(Flag, Message)] = &[
    (Flag::LastMinute, Message::SaidLastMinute),
    (Flag::Waiting, Message::Waiting),
    (Flag::ServerFull, Message::ServerFull),
    (Flag::Offline, Message::Offline),
    (Flag::Interrupted, Message::Interrupted),
    (Flag::Unheard, Message::Unheard),
    (Flag::Dark, Message::Dark),
    (Flag::Muted, Message::Muted),
    (Flag::SoundLost, Message::SoundLost),
    (Flag::ClosesSoon, Message::ClosesSoon),
    (Flag::Located, Message::Located),
    (Flag::Copied, Message::Copied),
];

/// The place where it is said, and the texts.
#[component]
pub(super) fn Announced(locale: Locale) -> impl IntoView {
    let states = STATES.iter().map(|(state, message)| (*state, *message));
    let flags = FLAGS.iter().map(|(flag, message)| (flag.name(), *message));
    let texts = states.chain(flags).map(|(name, message)| {
        view! {
            <li data-part=Element::Said.name() data-said=name>
                {locale.says(message)}
            </li>
        }
    });
    view! {
        <p class="visually-hidden" role="status" data-part=Element::Announcer.name()></p>
        <ul hidden>{texts.collect_view()}</ul>
    }
    .into_any()
}
