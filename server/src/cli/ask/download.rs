//! A video on its way into a file, over connections that may break off.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};

use app::format::megabytes;
use reqwest::header::{CONTENT_RANGE, CONTENT_TYPE, ETAG};
use reqwest::{Response, StatusCode};

use super::api_error::ApiError;
use super::report::Report;

pub(super) struct Download<'a> {
    file: &'a mut File,
    /// The bytes that are in the file.
    length: u64,
    etag: Option<String>,
    media_type: String,
}

/// What one answer brought.
pub(super) enum Progress {
    /// The rest.
    Whole,
    /// A part of it: the connection broke off.
    More,
    /// Nothing that could be written.
    Failed(io::Error),
}

impl<'a> Download<'a> {
    /// A download into an empty file.
    pub fn into(file: &'a mut File) -> Self {
        Self {
            file,
            length: 0,
            etag: None,
            media_type: String::new(),
        }
    }

    /// Where to go on, and with which entity.
    pub fn position(&self) -> (u64, Option<&str>) {
        (self.length, self.etag.as_deref())
    }

    /// As the server stated it.
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// Writes what an answer brings. An error, if that is nothing.
    pub async fn receive(
        &mut self,
        mut answer: Response,
        report: &Report,
    ) -> Result<Progress, ApiError> {
        // Another video than before, or a server without ranges.
        if answer.status() != StatusCode::PARTIAL_CONTENT
            && let Err(error) = self.start_over()
        {
            return Ok(Progress::Failed(error));
        }
        let text = |name| {
            let value = answer.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        self.etag = text(ETAG);
        self.media_type = text(CONTENT_TYPE).unwrap_or_default();
        let from = self.length;
        let range = text(CONTENT_RANGE).unwrap_or_default();
        if from > 0 && !range.starts_with(&format!("bytes {from}-")) {
            let other = "the server sent another part than was asked for";
            return Ok(Progress::Failed(io::Error::other(other)));
        }
        // Without a length a broken connection would look like the end.
        let Some(rest) = answer.content_length().filter(|it| *it > 0) else {
            let missing = "the server doesn't say how long the video is";
            return Ok(Progress::Failed(io::Error::other(missing)));
        };
        let whole = from + rest;
        loop {
            let piece = match answer.chunk().await {
                Ok(Some(piece)) => piece,
                Ok(None) if self.length == whole => return Ok(Progress::Whole),
                Ok(None) => return Ok(Progress::More),
                Err(_) if self.length > from => return Ok(Progress::More),
                Err(error) => return Err(ApiError::Unreachable(error)),
            };
            if let Err(error) = self.file.write_all(&piece) {
                return Ok(Progress::Failed(error));
            }
            self.length += piece.len() as u64;
            let (saved, whole) = (megabytes(self.length), megabytes(whole));
            report.progress(&format!("Saving the video: {saved} of {whole}"));
        }
    }

    fn start_over(&mut self) -> io::Result<()> {
        self.length = 0;
        self.file.rewind()?;
        self.file.set_len(0)
    }
}
