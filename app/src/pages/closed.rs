//! The page that says why there is nothing to record, or why something was not taken.

use leptos::prelude::*;

use super::shell::Kind;
use crate::locale::{Locale, Message};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its time is over.
    Expired,
    /// A video was submitted.
    Submitted,
    /// The operator has taken it down.
    TakenDown,
    /// No such link, or it was deleted.
    Unknown,
    /// A form came without a file.
    NoFile,
    /// A form's file is no video that we know.
    NoVideo,
    /// A form's file can't be played.
    NoPicture,
    /// A form's file is too large.
    TooLarge,
    /// A form broke off.
    Interrupted,
    /// A report was stored.
    Reported,
    /// A report wasn't: there are enough of this request.
    ReportedOften,
    /// A report wasn't: somebody sends too many.
    TooManyReports,
    /// We failed.
    Broken,
}

/// Says what happened and what is left to do.
#[component]
pub fn Closed(reason: Reason, locale: Locale) -> impl IntoView {
    view! {
        <main class="page">
            <section class="card closed">
                <h1>{locale.says(reason.heading())}</h1>
                <p>{locale.says(reason.text())}</p>
            </section>
        </main>
    }
}

impl Reason {
    /// Also for the tab.
    pub const fn heading(self) -> Message {
        match self {
            Self::Expired => Message::Expired,
            Self::Submitted => Message::ClosedSubmitted,
            Self::TakenDown => Message::TakenDown,
            Self::Unknown => Message::Unknown,
            Self::NoFile => Message::NoFile,
            Self::NoVideo => Message::NoVideo,
            Self::NoPicture => Message::Unplayable,
            Self::TooLarge => Message::TooLarge,
            Self::Interrupted => Message::NotArrived,
            Self::Reported => Message::Reported,
            Self::ReportedOften => Message::ReportedOften,
            Self::TooManyReports => Message::TooManyReports,
            Self::Broken => Message::Broken,
        }
    }

    /// The link is over only where it can't be used again: elsewhere what the browser keeps of a recording may
    /// be all there is of it.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Expired | Self::Submitted | Self::TakenDown | Self::Unknown => Kind::Over,
            Self::NoFile
            | Self::NoVideo
            | Self::NoPicture
            | Self::TooLarge
            | Self::Interrupted
            | Self::Reported
            | Self::ReportedOften
            | Self::TooManyReports
            | Self::Broken => Kind::Closed,
        }
    }

    const fn text(self) -> Message {
        match self {
            Self::Expired => Message::ClosedExpiredText,
            Self::Submitted => Message::ClosedSubmittedText,
            Self::TakenDown => Message::TakenDownText,
            Self::Unknown => Message::UnknownText,
            Self::NoFile => Message::NoFileText,
            Self::NoVideo => Message::NoVideoText,
            Self::NoPicture => Message::NoPictureInFileText,
            Self::TooLarge => Message::ClosedTooLargeText,
            Self::Interrupted => Message::NotArrivedText,
            Self::Reported => Message::ReportedText,
            Self::ReportedOften => Message::ReportedOftenText,
            Self::TooManyReports => Message::TooManyReportsText,
            Self::Broken => Message::BrokenText,
        }
    }
}
