//! The browser's interfaces, wrapped: web-sys and js-sys live here and nowhere else. Everything here
//! is called from effects and event handlers only, so never on the server.

mod camera;
mod clip;
mod focus;
mod network;
mod piece;
mod recording;
mod time;

pub use camera::{Camera, Denial};
pub use clip::{Clip, learn_duration, pause, rewind};
pub use focus::focus;
pub use network::{Abort, jitter, wait_or_online};
pub use piece::Piece;
pub use recording::Recording;
pub use time::{local_time, now};
pub use web_sys::{HtmlElement, HtmlVideoElement};
