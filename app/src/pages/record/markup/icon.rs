//! Icons on buttons and cards. They are decorative: each is next to a text, or on a button with a label.

use leptos::prelude::*;

/// An icon of strokes, 24 units wide and high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages::record) enum Icon {
    /// Two arrows in a circle, for the other camera.
    Flip,
    /// A flashlight.
    Torch,
    /// A microphone.
    Microphone,
    /// Two bars.
    Pause,
    /// A triangle.
    Resume,
    /// A check mark.
    Check,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Self::Flip => "M4 10a8 8 0 0 1 14-3l2 2M20 4v5h-5M20 14a8 8 0 0 1-14 3l-2-2M4 20v-5h5",
            Self::Torch => "M13 2 5 13.5h6L10 22l8-11.5h-6z",
            Self::Microphone => {
                "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5 11a7 7 0 0 0 14 0M12 18v3"
            }
            Self::Pause => "M9 5v14M15 5v14",
            Self::Resume => "M8 5l11 7-11 7z",
            Self::Check => "M5 13l5 5 9-11",
        }
    }

    /// Renders the icon.
    pub(in crate::pages::record) fn view(self) -> impl IntoView {
        view! {
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d=self.path()></path>
            </svg>
        }
    }
}
