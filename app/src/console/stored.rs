//! The request with its token in `sessionStorage`, where both survive a reload.
//!
//! Without the token a video that is just being recorded could be neither watched nor deleted for up to two days.
//! `sessionStorage` is the narrowest storage that survives a reload: only this tab reads it (and one duplicated from
//! it), and it ends with the tab; the entry is removed as soon as the request is over. A script that could read it
//! could also read the page, which shows the token; the content security policy admits only our own scripts. Never
//! `localStorage`, a cookie, or a URL.

use super::state::IssuedRequest;
use crate::browser::storage::session_storage;

const KEY: &str = "vidence.request";

/// The request that this tab had before a reload.
pub fn load() -> Option<IssuedRequest> {
    let text = session_storage::get(KEY)?;
    serde_json::from_str(&text).ok()
}

/// Stores a request. `false`: the browser refuses.
pub fn save(request: &IssuedRequest) -> bool {
    let text = serde_json::to_string(request).unwrap_or_default();
    session_storage::set(KEY, &text)
}

/// Removes the request.
pub fn remove() {
    session_storage::remove(KEY);
}
