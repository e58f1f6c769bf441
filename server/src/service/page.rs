//! What the recording page shows before anything is recorded.

use super::{App, Error, access};
use crate::clock::{for_people, rfc3339};

/// A request that awaits its video.
#[derive(Clone)]
pub struct Page {
    /// Its id.
    pub request: String,
    /// The instruction.
    pub prompt: String,
    /// RFC 3339, UTC.
    pub expires_at: String,
    /// The same for people: `Saturday, 21 November, 17:05 UTC`.
    pub expires_text: String,
}

/// Loads it. [`Error::AlreadySubmitted`], [`Error::Gone`] and [`Error::NotFound`] are pages too.
pub async fn load(app: &App, request: &str) -> Result<Page, Error> {
    let current = access::awaiting(app, request).await?;
    let row = current.row();
    let prompt = row.prompt.clone().unwrap_or_default();
    Ok(Page {
        request: row.id.to_string(),
        prompt: String::from_utf8(prompt).map_err(|_| Error::Corrupt)?,
        expires_at: rfc3339(row.expires_at),
        expires_text: for_people(row.expires_at),
    })
}
