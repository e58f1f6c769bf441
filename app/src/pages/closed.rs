//! The page that says why there is nothing to record, or why something was not taken.

use std::borrow::Cow;

use fluent_bundle::FluentArgs;
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
    Reported {
        /// For how many days.
        days: u8,
    },
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
                <h1>{reason.heading(locale)}</h1>
                <p>{reason.text(locale)}</p>
            </section>
        </main>
    }
}

impl Reason {
    /// The heading, also the title of the tab.
    pub fn heading(self, locale: Locale) -> &'static str {
        locale.text(match self {
            Self::Expired => Message::EndExpiredHeading,
            Self::Submitted => Message::ClosedSubmittedHeading,
            Self::TakenDown => Message::EndTakenDownHeading,
            Self::Unknown => Message::ClosedNotFoundHeading,
            Self::NoFile => Message::FormNoFileHeading,
            Self::NoVideo => Message::FormNotAVideoHeading,
            Self::NoPicture => Message::EndUnplayableHeading,
            Self::TooLarge => Message::EndTooLargeHeading,
            Self::Interrupted => Message::FormInterruptedHeading,
            Self::Reported { .. } => Message::ReportReceivedHeading,
            Self::ReportedOften => Message::ReportEnoughHeading,
            Self::TooManyReports => Message::ReportTooManyHeading,
            Self::Broken => Message::ClosedErrorHeading,
        })
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
            | Self::Reported { .. }
            | Self::ReportedOften
            | Self::TooManyReports
            | Self::Broken => Kind::Closed,
        }
    }

    fn text(self, locale: Locale) -> Cow<'static, str> {
        let message = match self {
            Self::Expired => Message::ClosedExpiredText,
            Self::Submitted => Message::ClosedSubmittedText,
            Self::TakenDown => Message::EndTakenDownText,
            Self::Unknown => Message::ClosedNotFoundText,
            Self::NoFile => Message::FormNoFileText,
            Self::NoVideo => Message::FormNotAVideoText,
            Self::NoPicture => Message::FormUnplayableText,
            Self::TooLarge => Message::FormTooLargeText,
            Self::Interrupted => Message::FormInterruptedText,
            Self::Reported { days } => {
                let values = FluentArgs::from_iter([("days", days)]);
                return locale.format(Message::ReportReceivedText, &values).into();
            }
            Self::ReportedOften => Message::ReportEnoughText,
            Self::TooManyReports => Message::ReportTooManyText,
            Self::Broken => Message::ClosedErrorText,
        };
        locale.text(message).into()
    }
}
