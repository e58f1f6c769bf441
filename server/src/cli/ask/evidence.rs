//! Saves all that the server has of a video: the film, pictures, what is said, and the receipt.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use app::format::video_extension;
use app::video_metadata::{StillsStatus, TranscriptStatus, VideoMetadata};
use jiff::Timestamp;
use tokio::time::sleep;

use super::api::Api;
use super::download::{Download, Progress};
use super::folder::{Folder, Ticket};
use super::report::Report;
use super::retry::Retry;
use crate::cli::verify::digest;
use crate::receipts;

/// How long pictures and transcript are waited for. What isn't ready then is got later.
const PENDING_TIMEOUT: Duration = Duration::from_secs(300);

/// The time between two looks at what is still being made.
const PAUSE: Duration = Duration::from_secs(1);

/// The name of the film, without that of its format.
const VIDEO: &str = "video";

const CANT_SAVE: &str = "the video can't be saved";

/// What was saved.
pub(super) struct Saved {
    /// The name of the video's file.
    pub video: String,
    /// The names of all files.
    pub files: Vec<String>,
    /// `None`: the server has no metadata, so it is another one of this interface.
    pub metadata: Option<VideoMetadata>,
    /// What the server is still making.
    pub pending: Vec<&'static str>,
    /// `None`: there is no receipt.
    pub receipt_valid: Option<bool>,
}

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
            receipt_valid: None,
        };
        let Some(metadata) = self.wait_for_metadata().await? else {
            return Ok(saved);
        };
        if let Some(it) = &metadata.properties
            && it.sha256 != sha256
        {
            let wrong = format!("wrong-{}", saved.video);
            self.folder.rename(&saved.video, &wrong)?;
            self.note(None)?;
            bail!(
                "{} isn't what the server says it is: its SHA-256 is {sha256}. It is kept as {wrong}, and --resume fetches \
                 it again",
                saved.video
            );
        }
        if metadata.stills.status == StillsStatus::Pending {
            saved.pending.push("pictures");
        }
        if metadata.transcript.status == TranscriptStatus::Pending {
            saved.pending.push("transcript");
        }
        self.write(
            &mut saved,
            "metadata.json",
            &serde_json::to_vec_pretty(&metadata)?,
        )?;
        for still in &metadata.stills.pictures {
            let name = format!("still-{:07}ms.jpg", still.at_ms);
            let path = format!("stills/{}", still.at_ms);
            self.save_listed(&mut saved, &name, &path).await?;
        }
        if metadata.contact_sheet.is_some() {
            let name = "contact-sheet.jpg";
            self.save_listed(&mut saved, name, "contact-sheet").await?;
        }
        if metadata.transcript.status == TranscriptStatus::Ready {
            let name = "captions.vtt";
            self.save_listed(&mut saved, name, name).await?;
        }
        if self
            .save_document(&mut saved, "receipt.jws", "receipt")
            .await?
        {
            saved.receipt_valid = Some(self.check_receipt(&mut saved, &sha256).await?);
        }
        saved.metadata = Some(metadata);
        Ok(saved)
    }

    /// The metadata, once everything is made or takes too long.
    async fn wait_for_metadata(&self) -> anyhow::Result<Option<VideoMetadata>> {
        let began = Instant::now();
        let path = format!("videos/{}/metadata", self.video);
        loop {
            let metadata = self.retry("Metadata").until_done(async || {
                self.api
                    .json::<VideoMetadata>(&path, &self.ticket.access_token)
                    .await
            });
            let metadata = metadata.await.context("the metadata can't be read")?;
            let is_pending = metadata.as_ref().is_some_and(|it| {
                it.stills.status == StillsStatus::Pending
                    || it.transcript.status == TranscriptStatus::Pending
            });
            if !is_pending || began.elapsed() > PENDING_TIMEOUT {
                return Ok(metadata);
            }
            self.report.progress("Waiting for pictures and transcript");
            sleep(PAUSE).await;
        }
    }

    /// Saves a document that the metadata list.
    async fn save_listed(&self, saved: &mut Saved, name: &str, path: &str) -> anyhow::Result<()> {
        match self.save_document(saved, name, path).await? {
            true => Ok(()),
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

    fn write(&self, saved: &mut Saved, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.folder.write(name, bytes);
        written.with_context(|| format!("{name} can't be written"))?;
        saved.files.push(name.to_owned());
        Ok(())
    }

    /// Whether the receipt is signed by a key of this server, and that of this video.
    async fn check_receipt(&self, saved: &mut Saved, sha256: &str) -> anyhow::Result<bool> {
        let path = ".well-known/jwks.json";
        let fetched = self
            .retry("jwks.json")
            .until_done(async || self.api.bytes(path, &self.ticket.access_token).await);
        let Some(keys) = fetched.await.context("the server's keys can't be had")? else {
            return Ok(false);
        };
        self.write(saved, "jwks.json", &keys)?;
        let keys = serde_json::from_slice(&keys).context("the server's keys can't be read")?;
        let receipt = std::fs::read_to_string(self.folder.path().join("receipt.jws"))?;
        let receipt = receipts::verify(receipt.trim(), &keys);
        Ok(receipt.is_ok_and(|it| it.matches(sha256).is_some()))
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
                Progress::Failed(error) => return Err(error).context(CANT_SAVE),
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
    fn note(&self, saved: Option<String>) -> anyhow::Result<()> {
        let noted = self.folder.note(&Ticket {
            saved,
            ..self.ticket.clone()
        });
        noted.context("request.json can't be written")
    }

    fn retry<'b>(&'b self, what: &'b str) -> Retry<'b> {
        Retry {
            what,
            until: self.until,
            through_proxies: false,
            report: self.report,
        }
    }
}
