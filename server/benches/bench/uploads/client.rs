//! One upload on one connection, in the dialect of either server.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use app::api::{CreateRequest, CreatedRequest, RequestView, Submission};
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::sleep;

use super::UploadTarget;

const OFFSET: &str = "Upload-Offset";
const COMPLETE: &str = "Upload-Complete";
const TUS: (&str, &str) = ("Tus-Resumable", "1.0.0");

/// Timeout of sealing.
const SEALING_TIMEOUT: Duration = Duration::from_secs(30);

/// A submitted video with its access token.
pub struct Submitted {
    pub video: Url,
    pub token: String,
}

/// An upload in progress.
pub struct Upload {
    client: Client,
    url: Url,
    resource: Resource,
    length: u64,
    offset: u64,
}

/// The upload protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Our server: a request, a take, the IETF's resumable uploads.
    Vidence,
    /// The peer: tus 1.0.
    Tus,
}

/// The created resource besides the upload.
enum Resource {
    Vidence { request: Url, token: String },
    Tus,
}

impl Upload {
    /// Creates an upload of `length` bytes on a connection of its own.
    pub async fn create(target: &UploadTarget, length: u64) -> Result<Self> {
        // A proxy named by the environment would distort the measurement.
        let client = Client::builder().no_proxy().http1_only();
        let client = client
            .pool_max_idle_per_host(1)
            .tls_certs_only([])
            .build()?;
        let base = Url::parse(&target.server.base)?;
        let (url, resource) = match target.dialect {
            Dialect::Vidence => create_take(&client, &base).await?,
            Dialect::Tus => create_file(&client, &base, length).await?,
        };
        Ok(Self {
            client,
            url,
            resource,
            length,
            offset: 0,
        })
    }

    /// Path of the upload.
    pub fn path(&self) -> &str {
        self.url.path()
    }

    /// Appends the next piece and waits for its acknowledgement.
    pub async fn append(&mut self, piece: Bytes) -> Result<()> {
        let end = self.offset + piece.len() as u64;
        let patch = self.client.patch(self.url.clone());
        let patch = patch.header(OFFSET, self.offset).body(piece);
        let last = if end == self.length { "?1" } else { "?0" };
        let patch = match self.resource {
            Resource::Vidence { .. } => patch
                .header(CONTENT_TYPE, "application/partial-upload")
                .header(COMPLETE, last),
            Resource::Tus => patch
                .header(CONTENT_TYPE, "application/offset+octet-stream")
                .header(TUS.0, TUS.1),
        };
        let answer = expect(StatusCode::NO_CONTENT, patch.send().await?).await?;
        ensure!(
            offset(&answer)? == end,
            "the append ended at another offset"
        );
        self.offset = end;
        Ok(())
    }

    /// Checks that the server has all bytes.
    pub async fn verify_complete(&self) -> Result<()> {
        let head = self.client.head(self.url.clone());
        let (head, want) = match self.resource {
            Resource::Vidence { .. } => (head, StatusCode::NO_CONTENT),
            Resource::Tus => (head.header(TUS.0, TUS.1), StatusCode::OK),
        };
        let answer = expect(want, head.send().await?).await?;
        let has = offset(&answer)?;
        ensure!(
            has == self.length,
            "the server has {has} of {} bytes",
            self.length
        );
        if let Resource::Vidence { .. } = self.resource {
            let complete = answer.headers().get(COMPLETE);
            ensure!(
                complete.is_some_and(|it| it == "?1"),
                "the upload is not complete"
            );
        }
        Ok(())
    }

    /// Submits the take, with retries until it is sealed.
    pub async fn submit(self) -> Result<Submitted> {
        let Resource::Vidence { request, token } = self.resource else {
            bail!("the peer has no submissions");
        };
        let take = self.url.path_segments().and_then(|mut it| it.next_back());
        let take = take.context("no take")?.to_owned();
        let submission = Submission::of(take);
        let submit = self.client.post(self.url.join("../submission")?);
        let submit = submit.json(&submission);
        let start = Instant::now();
        loop {
            let again = submit.try_clone().context("a body that is JSON")?;
            let answer = again.send().await?;
            if answer.status() == StatusCode::OK {
                break;
            }
            let sealing = start.elapsed() < SEALING_TIMEOUT;
            ensure!(sealing, "the take is not sealed: {}", answer.text().await?);
            sleep(Duration::from_millis(50)).await;
        }
        let answer = self.client.get(request).bearer_auth(&token).send().await?;
        let view: RequestView = expect(StatusCode::OK, answer).await?.json().await?;
        let video = view.video.context("no video")?;
        Ok(Submitted {
            video: Url::parse(&video.url)?,
            token,
        })
    }

    /// Deletes the upload, so that the disk doesn't fill.
    pub async fn delete(self) -> Result<()> {
        let delete = match self.resource {
            Resource::Vidence { request, token } => self.client.delete(request).bearer_auth(token),
            Resource::Tus => self.client.delete(self.url).header(TUS.0, TUS.1),
        };
        expect(StatusCode::NO_CONTENT, delete.send().await?).await?;
        Ok(())
    }
}

async fn create_take(client: &Client, base: &Url) -> Result<(Url, Resource)> {
    let requests = base.join("/v1/requests")?;
    let body = CreateRequest {
        prompt: "Show the dent in the door.".to_owned(),
        expires_in_hours: 1,
    };
    let answer = client.post(requests).json(&body).send().await?;
    let answer = expect(StatusCode::CREATED, answer).await?;
    let created: CreatedRequest = answer.json().await?;
    let create = client
        .post(base.join(&format!("/r/{}/takes", created.id))?)
        .header(CONTENT_TYPE, "video/webm")
        .header(COMPLETE, "?0");
    let answer = expect(StatusCode::CREATED, create.send().await?).await?;
    let resource = Resource::Vidence {
        request: base.join(&format!("/v1/requests/{}", created.id))?,
        token: created.access_token,
    };
    Ok((location(&answer, base)?, resource))
}

async fn create_file(client: &Client, base: &Url, length: u64) -> Result<(Url, Resource)> {
    let create = client
        .post(base.join("/files")?)
        .header(TUS.0, TUS.1)
        .header("Upload-Length", length);
    let answer = expect(StatusCode::CREATED, create.send().await?).await?;
    Ok((location(&answer, base)?, Resource::Tus))
}

async fn expect(want: StatusCode, answer: Response) -> Result<Response> {
    let status = answer.status();
    if status == want {
        return Ok(answer);
    }
    let path = answer.url().path().to_owned();
    let why = answer.text().await?;
    bail!("{path} answered {status} instead of {want}: {why}")
}

fn location(answer: &Response, base: &Url) -> Result<Url> {
    let location = answer.headers().get(LOCATION).context("no Location")?;
    Ok(base.join(location.to_str()?)?)
}

fn offset(answer: &Response) -> Result<u64> {
    let offset = answer.headers().get(OFFSET).context("no Upload-Offset")?;
    Ok(offset.to_str()?.parse()?)
}
