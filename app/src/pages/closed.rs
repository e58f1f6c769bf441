//! The page of a link that takes no video (any more).

use leptos::prelude::*;

/// Why there is nothing to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its time is over.
    Expired,
    /// A video was submitted.
    Submitted,
    /// No such link, or it was deleted.
    Unknown,
    /// We failed.
    Broken,
}

/// Says what happened and that nothing is left to do.
#[component]
pub fn Closed(reason: Reason) -> impl IntoView {
    let (heading, text) = match reason {
        Reason::Expired => (
            "This link has expired",
            "It was open for a limited time, and that time is over. Everything that was recorded \
             with it is deleted. If a video is still needed, ask for a new link.",
        ),
        Reason::Submitted => (
            "The video was received",
            "Somebody has recorded and sent a video with this link. It works once, so there is \
             nothing left to do here.",
        ),
        Reason::Unknown => (
            "There is nothing at this link",
            "Perhaps a part of the address is missing, or the request was withdrawn. If you copied \
             the link, check that you have all of it.",
        ),
        Reason::Broken => (
            "Something went wrong",
            "This is our fault, not yours. Please try again in a minute.",
        ),
    };
    view! {
        <main class="page page--narrow">
            <section class="closed">
                <h1>{heading}</h1>
                <p>{text}</p>
            </section>
        </main>
    }
}

impl Reason {
    /// For the tab.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Expired => "Link expired · Vidence",
            Self::Submitted => "Video received · Vidence",
            Self::Unknown => "Nothing here · Vidence",
            Self::Broken => "Something went wrong · Vidence",
        }
    }
}
