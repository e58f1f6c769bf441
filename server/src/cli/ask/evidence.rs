//! Saves all that the server has of a video: the film, pictures, what is said, and the receipt.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use app::format::video_extension;
use app::video_metadata::{StillsStatus, TranscriptStatus, VideoMetadata};
use jiff::Timestamp;
use tokio::time::sleep;

use super::api::Api;
use super::download::{Download, Progress};
use super::folder::{Folder, PROMPT, Ticket};
use super::report::Report;
use super::retry::Retry;
use super::saved::Saved;
use crate::cli::verify::digest;

/// How long pictures and transcript are waited for. What isn't ready then is got later.
const PENDING_TIMEOUT: Duration = Duration::from_secs(300);

/// The time between two looks at what is still being made.
const PAUSE: Duration = Duration::from_secs(1);

/// How many internal errors in a row are waited out, which takes some ten seconds: the video may be damaged, and nothing but
/// the message says so.
const MAX_INTERNAL_ERRORS: u32 = 5;

/// The name of the film, without that of its format.
const VIDEO: &str = "video";

const CANT_SAVE: &str = "the video can't be saved";

/// A video on its server, and where it goes.
pub(super) struct Evidence<'a> {
    pub api: &'a Api,
    pub ticket: &'a Ticket,
    /// When the server deletes it, by this machine's clock.
    pub until: Timestamp,
    /// Its id.
    pub video: &'a str,
    pub folder: &'a Folder,
    pub report: &'a Report,
}

impl Evidence<'_> {
    /// Saves everything. Each file is durable before the next one is fetched.
    pub async fn save(&self) -> anyhow::Result<Saved> {
        let (video, sha256) = match self.saved_video() {
            Some(saved) => saved,
            None => self.save_video().await?,
        };
        let mut saved = Saved {
            files: vec![video.clone()],
            video,
            metadata: None,
            pending: Vec::new(),
            receipt: None,
            is_over: false,
        };
        if self.folder.has(PROMPT) {
            saved.files.push(PROMPT.to_owned());
        }
        let Some(mut metadata) = self.fetch_metadata().await? else {
            return Ok(saved);
        };
        // What proves the video comes first: its request may end while the rest is waited for.
        self.check_digest(&saved.video, &sha256, &metadata)?;
        self.write_metadata(&mut saved, &metadata)?;
        if self
            .save_document(&mut saved, "receipt.jws", "receipt")
            .await?
        {
            saved.receipt = Some(self.check_receipt(&mut saved, &sha256).await?);
        }
        saved.is_over = !self.wait_until_made(&mut metadata).await?;
        self.write_metadata(&mut saved, &metadata)?;
        if !saved.is_over {
            self.save_made(&mut saved, &metadata).await?;
        }
        saved.metadata = Some(metadata);
        Ok(saved)
    }

    /// Saves what is made of the video, and notes what isn't yet.
    async fn save_made(&self, saved: &mut Saved, metadata: &VideoMetadata) -> anyhow::Result<()> {
        if metadata.stills.status == StillsStatus::Pending {
            saved.pending.push("pictures");
        }
        if metadata.transcript.status == TranscriptStatus::Pending {
            saved.pending.push("transcript");
        }
        for still in &metadata.stills.pictures {
            let name = format!("still-{:07}ms.jpg", still.at_ms);
            let path = format!("stills/{}", still.at_ms);
            self.save_listed(saved, &name, &path).await?;
        }
        if metadata.contact_sheet.is_some() {
            let name = "contact-sheet.jpg";
            self.save_listed(saved, name, "contact-sheet").await?;
        }
        if metadata.transcript.status == TranscriptStatus::Ready {
            let name = "captions.vtt";
            self.save_listed(saved, name, name).await?;
        }
        Ok(())
    }

    /// The metadata. `None`: there are none.
    async fn fetch_metadata(&self) -> anyhow::Result<Option<VideoMetadata>> {
        let path = format!("videos/{}/metadata", self.video);
        let metadata = self
            .retry("Metadata")
            .until_done(async || self.api.json(&path, &self.ticket.access_token).await);
        metadata.await.context("the metadata can't be read")
    }

    /// Waits until everything is made, or takes too long. `false`: the request has ended.
    async fn wait_until_made(&self, metadata: &mut VideoMetadata) -> anyhow::Result<bool> {
        let began = Instant::now();
        while began.elapsed() < PENDING_TIMEOUT
            && (metadata.stills.status == StillsStatus::Pending
                || metadata.transcript.status == TranscriptStatus::Pending)
        {
            self.report.progress("Waiting for pictures and transcript");
            sleep(PAUSE).await;
            let Some(newer) = self.fetch_metadata().await? else {
                return Ok(false);
            };
            *metadata = newer;
        }
        Ok(true)
    }

    fn write_metadata(&self, saved: &mut Saved, metadata: &VideoMetadata) -> anyhow::Result<()> {
        let metadata = serde_json::to_vec_pretty(metadata)?;
        self.write(saved, "metadata.json", &metadata)
    }

    /// Saves a document that the metadata list.
    async fn save_listed(&self, saved: &mut Saved, name: &str, path: &str) -> anyhow::Result<()> {
        match self.save_document(saved, name, path).await? {
            true => Ok(()),
            false if self.fetch_metadata().await?.is_none() => {
                saved.is_over = true;
                Ok(())
            }
            false => bail!("{name} is in the metadata, and the server doesn't have it"),
        }
    }

    /// Saves a document below the video. `false`: there is none.
    async fn save_document(
        &self,
        saved: &mut Saved,
        name: &str,
        path: &str,
    ) -> anyhow::Result<bool> {
        let path = format!("videos/{}/{path}", self.video);
        let fetched = self
            .retry(name)
            .until_done(async || self.api.bytes(&path, &self.ticket.access_token).await);
        let Some(bytes) = fetched
            .await
            .with_context(|| format!("{name} can't be had"))?
        else {
            return Ok(false);
        };
        self.write(saved, name, &bytes)?;
        Ok(true)
    }

    pub(super) fn write(&self, saved: &mut Saved, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.folder.write(name, bytes);
        written.with_context(|| format!("{name} can't be written"))?;
        // The metadata are written twice.
        if !saved.files.iter().any(|it| it == name) {
            saved.files.push(name.to_owned());
        }
        Ok(())
    }

    /// The name and SHA-256 of the film, if it was saved before.
    fn saved_video(&self) -> Option<(String, String)> {
        let name = self.ticket.saved.clone()?;
        let (sha256, _) = digest(&self.folder.path().join(&name)).ok()?;
        Some((name, sha256))
    }

    /// Saves the film, and goes on where a connection broke off. Returns its name and SHA-256.
    async fn save_video(&self) -> anyhow::Result<(String, String)> {
        let mut file = self.folder.begin(VIDEO).context(CANT_SAVE)?;
        let mut download = Download::into(&mut file);
        let mut farthest = 0;
        loop {
            let streamed = self.retry("The video").until_done(async || {
                let (from, etag) = download.position();
                let answer = self
                    .api
                    .stream(self.video, &self.ticket.access_token, from, etag);
                download.receive(answer.await?, self.report).await
            });
            match streamed.await.context("the video can't be had")? {
                Progress::Whole => break,
                Progress::More if Timestamp::now() > self.until => {
                    bail!("the video broke off, and its time on the server is over");
                }
                // The pauses between attempts begin anew, unless it began at zero again.
                Progress::More if download.position().0 > farthest => {
                    farthest = download.position().0;
                }
                Progress::More => sleep(PAUSE).await,
                Progress::Failed(error) => {
                    self.folder.abandon(VIDEO);
                    return Err(error).context(CANT_SAVE);
                }
            }
        }
        let name = format!("{VIDEO}.{}", video_extension(download.media_type()));
        let finished = self.folder.finish(VIDEO, &file, &name);
        finished.context(CANT_SAVE)?;
        self.note(Some(name.clone()))?;
        let (sha256, _) = digest(&self.folder.path().join(&name))?;
        Ok((name, sha256))
    }

    /// Stores which file is the video.
    pub(super) fn note(&self, saved: Option<String>) -> anyhow::Result<()> {
        let noted = self.folder.note(&Ticket {
            saved,
            ..self.ticket.clone()
        });
        noted.context("request.json can't be written")
    }

    pub(super) fn retry<'b>(&'b self, what: &'b str) -> Retry<'b> {
        Retry {
            what,
            until: self.until,
            through_proxies: false,
            internal_errors: Some(MAX_INTERNAL_ERRORS),
            report: self.report,
        }
    }
}
