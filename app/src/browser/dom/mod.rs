//! Elements of the page, the keyboard focus, and gestures.

#[cfg(feature = "recorder")]
pub mod element;
mod focus;
#[cfg(feature = "recorder")]
pub mod gesture;

#[cfg(feature = "recorder")]
pub use focus::focus_without_scroll;
#[cfg(feature = "console")]
pub use focus::{focus, focus_within};
#[cfg(feature = "recorder")]
pub use web_sys::{HtmlElement, HtmlVideoElement};
