//! The page that says why there is nothing to record, or why something was not taken.

use leptos::prelude::*;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its time is over.
    Expired,
    /// A video was submitted.
    Submitted,
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
    /// We failed.
    Broken,
}

/// Says what happened and what is left to do.
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
        Reason::NoFile => (
            "No video was chosen",
            "Please go back, choose a video, and send it again.",
        ),
        Reason::NoVideo => (
            "This file can’t be taken",
            "Please go back and choose a video: WebM, MP4, MOV or MKV.",
        ),
        Reason::NoPicture => (
            "This video can’t be played",
            "There is no picture in it, or a part of the file is missing, so it was not kept. Please go back \
             and choose another one.",
        ),
        Reason::TooLarge => (
            "This video is too large",
            "It is larger than this server takes, so it was not kept. Please go back and send a shorter one.",
        ),
        Reason::Interrupted => (
            "The video did not arrive",
            "The connection broke before all of it was here, and nothing was kept. Please go back and send \
             it again.",
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
            Self::NoFile | Self::NoVideo | Self::NoPicture | Self::TooLarge | Self::Interrupted => {
                "Not sent · Vidence"
            }
            Self::Broken => "Something went wrong · Vidence",
        }
    }
}
