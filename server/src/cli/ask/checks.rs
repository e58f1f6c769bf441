//! Whether what was saved is what the server describes and has signed.

use anyhow::{Context as _, bail};
use app::video_metadata::VideoMetadata;

use super::evidence::Evidence;
use super::saved::Saved;
use crate::receipts::{self, hex_sha256};

impl Evidence<'_> {
    /// Requires that the video is the one that the server describes.
    pub(super) fn check_digest(
        &self,
        video: &str,
        sha256: &str,
        metadata: &VideoMetadata,
    ) -> anyhow::Result<()> {
        let described = metadata.properties.as_ref().map(|it| it.sha256.as_str());
        if described.is_none_or(|it| it == sha256) {
            return Ok(());
        }
        let wrong = format!("wrong-{video}");
        self.folder.rename(video, &wrong)?;
        self.note(None)?;
        bail!(
            "{video} isn't what the server says it is: its SHA-256 is {sha256}. It is kept as {wrong}, and --resume fetches \
             it again"
        );
    }

    /// Whether the receipt is signed by a key of this server, and that of this video, request and prompt.
    pub(super) async fn check_receipt(
        &self,
        saved: &mut Saved,
        sha256: &str,
    ) -> anyhow::Result<Result<(), String>> {
        let path = ".well-known/jwks.json";
        let fetched = self
            .retry("jwks.json")
            .until_done(async || self.api.bytes(path, &self.ticket.access_token).await);
        let Some(keys) = fetched.await.context("the server's keys can't be had")? else {
            return Ok(Err("the server has no public keys".to_owned()));
        };
        self.write(saved, "jwks.json", &keys)?;
        let keys = serde_json::from_slice(&keys).context("the server's keys can't be read")?;
        let receipt = std::fs::read_to_string(self.folder.path().join("receipt.jws"))?;
        let receipt = match receipts::verify(receipt.trim(), &keys) {
            Ok(receipt) => receipt,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let prompt = self.folder.prompt().context("prompt.txt can't be read")?;
        let other = if receipt.matches(sha256).is_none() || receipt.video_id != self.video {
            "video"
        } else if receipt.request_id != self.ticket.id {
            "request"
        } else if prompt.is_some_and(|it| receipt.prompt_sha256 != hex_sha256(&it)) {
            "prompt"
        } else {
            return Ok(Ok(()));
        };
        Ok(Err(format!("it is that of another {other}")))
    }
}
