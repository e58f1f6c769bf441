//! What the browser stores, for how long: by origin, or as long as the tab.

#[cfg(feature = "recorder")]
pub mod indexed_db;
#[cfg(feature = "recorder")]
pub mod local_storage;
#[cfg(feature = "console")]
pub mod session_storage;
