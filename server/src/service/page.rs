//! What the recording page shows before anything is recorded.

use super::{App, Error, access};
use crate::clock::Millis;

/// A request that awaits its video.
#[derive(Clone)]
pub struct Page {
    /// Its id.
    pub request: String,
    /// The instruction.
    pub prompt: String,
    /// When it is deleted.
    pub expires_at: Millis,
    /// How many bytes its video may have.
    pub max_bytes: u64,
}

/// Loads it. [`Error::AlreadySubmitted`], [`Error::Gone`] and [`Error::NotFound`] are pages too.
pub async fn load(app: &App, request: &str) -> Result<Page, Error> {
    let current = access::awaiting(app, request).await?;
    let row = current.row();
    let prompt = row.prompt.clone().unwrap_or_default();
    Ok(Page {
        request: row.id.to_string(),
        prompt: String::from_utf8(prompt).map_err(|_| Error::Corrupt)?,
        expires_at: row.expires_at,
        max_bytes: app.limits.video_bytes,
    })
}
