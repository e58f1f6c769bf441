//! The device and its screen.

mod hardware;
mod wake_lock;

pub use hardware::{Hardware, vibrate};
pub use wake_lock::WakeLock;
