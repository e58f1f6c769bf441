//! Icons on buttons and cards.
//! They are decorative: each is next to a text, or on a button with a label.

use leptos::prelude::*;

/// An icon of strokes, 24 units wide and high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
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
    /// A cross.
    Close,
    /// Two sliders, for settings.
    Settings,
    /// A video camera.
    Camera,
    /// A video camera, crossed out.
    CameraOff,
    /// A lock.
    Lock,
    /// A circle, for a sign that differs between versions of a browser.
    Sign,
    /// A clock.
    Clock,
    /// A raised hand.
    Hand,
    /// An exclamation mark in a circle.
    Notice,
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
            Self::Close => "M6 6l12 12M18 6L6 18",
            Self::Settings => {
                "M4 8h9M19 8h1M4 16h1M11 16h9M13 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0M5 16a3 3 0 1 0 6 0a3 3 0 1 0-6 0"
            }
            Self::Camera => "M3 7h12v10H3zM15 11l6-3v8l-6-3",
            Self::CameraOff => "M3 7h12v10H3zM15 11l6-3v8l-6-3M3 3l18 18",
            Self::Lock => "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3",
            Self::Sign => "M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
            Self::Clock => "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3 2",
            Self::Hand => {
                "M8 12V6a1.5 1.5 0 0 1 3 0M11 11V4.500a1.5 1.5 0 0 1 3 0V11M14 6a1.5 1.5 0 0 1 3 0v8a7 7 0 0 1-7 7c-3 0-4-2-6-6a1.500 1.500 0 0 1 2.600-1.500L8 15v-3"
            }
            Self::Notice => "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v6M12 16.500v.1",
        }
    }

    /// Renders the icon.
    pub(super) fn view(self) -> impl IntoView {
        view! {
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d=self.path()></path>
            </svg>
        }
    }
}
