//! A page with a message: why a link can't be used, or what became of a form.

use std::borrow::Cow;

use fluent_bundle::FluentArgs;
use leptos::prelude::*;

use super::icon::Icon;
use super::record::{Receipt, text_with_slots};
use super::shell::Kind;
use crate::locale::{Locale, Message};

/// The reason for the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The lifetime of the link is over.
    Expired,
    /// A video was submitted with the link.
    Submitted,
    /// The operator has taken the request down.
    TakenDown,
    /// The request never existed, or was deleted.
    Unknown,
    /// The form contained no file.
    NoFile,
    /// The file isn't a supported video.
    NoVideo,
    /// The file can't be played.
    NoPicture,
    /// The file is too large.
    TooLarge,
    /// The upload of the form broke off.
    Interrupted,
    /// The report was stored.
    Reported {
        /// Days for which it is kept.
        days: u8,
    },
    /// The report wasn't stored, because the request has been reported often enough.
    ReportedOften,
    /// The report wasn't stored, because too many came from this address.
    TooManyReports,
    /// The server failed.
    Broken,
}

/// Explains the reason, and what the person can do.
#[component]
pub fn Closed(
    /// The reason.
    reason: Reason,
    /// The language.
    locale: Locale,
    /// The confirmed time in milliseconds since 1970, by which the page's script knows what else is over.
    now: i64,
) -> impl IntoView {
    // The same address: of a form it is the page with the form.
    let again = reason.can_be_retried().then(|| {
        let href = format!("?lang={}", locale.code());
        view! {
            <a class="button button--primary" href=href>
                {locale.text(Message::BlockedTryAgain)}
            </a>
        }
    });
    let own = (reason == Reason::Submitted).then(|| view! { <SentFromHere locale/> });
    view! {
        <main class="page" data-now=now>
            {own}
            <section class=reason.class()>
                {reason.icon().view()}
                <h1>{reason.heading(locale)}</h1>
                <p>{reason.text(locale)}</p>
                {again}
            </section>
        </main>
    }
}

/// What this browser has sent with the link.
/// The script of the page shows it instead of what others see.
#[component]
fn SentFromHere(locale: Locale) -> impl IntoView {
    let retention = text_with_slots(locale, Message::PrivacyRetentionText).into_any();
    view! {
        <section class="outcome outcome--good" id="sent-from-here" hidden>
            {Icon::Check.view()}
            <h1>{locale.text(Message::SubmitSentHeading)}</h1>
            <p>{locale.text(Message::SubmitSentText)}</p>
            <Receipt locale retention/>
        </section>
    }
}

impl Reason {
    /// The heading, which is also the title of the page.
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

    /// [`Kind::Over`] only if the link can't be used again: its script deletes what the browser stores, which otherwise
    /// may be the only copy of a recording.
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

    /// Whether the page is worth another attempt.
    const fn can_be_retried(self) -> bool {
        matches!(
            self,
            Self::NoFile
                | Self::NoVideo
                | Self::NoPicture
                | Self::TooLarge
                | Self::Interrupted
                | Self::Broken
        )
    }

    const fn is_good(self) -> bool {
        matches!(self, Self::Submitted | Self::Reported { .. })
    }

    const fn class(self) -> &'static str {
        match self.is_good() {
            true => "outcome outcome--good",
            false => "outcome",
        }
    }

    const fn icon(self) -> Icon {
        match self.is_good() {
            true => Icon::Check,
            false => Icon::Notice,
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
