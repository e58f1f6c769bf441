//! Elements of the page, the keyboard focus, gestures, sliders, and dropped files.

#[cfg(feature = "recorder")]
pub mod element;
#[cfg(feature = "recorder")]
mod file_drop;
mod focus;
#[cfg(feature = "recorder")]
pub mod gesture;
#[cfg(feature = "console")]
mod slider;

#[cfg(feature = "recorder")]
pub use file_drop::{FileDrop, on_file_drop};
#[cfg(feature = "recorder")]
pub use focus::focus_without_scroll;
#[cfg(feature = "console")]
pub use focus::{focus, focus_within};
#[cfg(feature = "console")]
pub use slider::move_slider;
#[cfg(feature = "recorder")]
pub use web_sys::{HtmlElement, HtmlVideoElement};
