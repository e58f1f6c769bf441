//! One upload on one connection, in the dialect of either server.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use app::api::{CreateRequest, CreatedRequest, RequestView, Submission};
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::sleep;

use super::Target;

const OFFSET: &str = "Upload-Offset";
const COMPLETE: &str = "Upload-Complete";
const TUS: (&str, &str) = ("Tus-Resumable", "1.0.0");

/// Far more than a small film takes.
const LONGEST_SEALING: Duration = Duration::from_secs(30);

/// A video that can be watched.
pub struct Submitted {
    pub video: Url,
    pub token: String,
}

/// An upload under way.
pub struct Upload {
    client: Client,
    at: Url,
    place: Place,
    length: u64,
    offset: u64,
}

/// How a server wants to be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Ours: a request, a take, the IETF's resumable uploads.
    Vidence,
    /// The peer's: tus 1.0.
    Tus,
}

/// What a server needs to know beside the address.
enum Place {
    Vidence { request: Url, token: String },
    Tus,
}

impl Upload {
    /// Begins an upload of `length` bytes on a connection of its own.
    pub async fn begin(target: &Target, length: u64) -> Result<Self> {
        // A proxy that the environment names would come in between.
        let client = Client::builder().no_proxy().http1_only();
        let client = client
            .pool_max_idle_per_host(1)
            .tls_certs_only([])
            .build()?;
        let base = Url::parse(&target.server.base)?;
        let (at, place) = match target.dialect {
            Dialect::Vidence => begin_take(&client, &base).await?,
            Dialect::Tus => begin_file(&client, &base, length).await?,
        };
        Ok(Self {
            client,
            at,
            place,
            length,
            offset: 0,
        })
    }

    /// Where it goes.
    pub fn path(&self) -> &str {
        self.at.path()
    }

    /// Appends the next piece. When this returns, the server has said that it has it.
    pub async fn append(&mut self, piece: Bytes) -> Result<()> {
        let end = self.offset + piece.len() as u64;
        let patch = self.client.patch(self.at.clone());
        let patch = patch.header(OFFSET, self.offset).body(piece);
        let last = if end == self.length { "?1" } else { "?0" };
        let patch = match self.place {
            Place::Vidence { .. } => patch
                .header(CONTENT_TYPE, "application/partial-upload")
                .header(COMPLETE, last),
            Place::Tus => patch
                .header(CONTENT_TYPE, "application/offset+octet-stream")
                .header(TUS.0, TUS.1),
        };
        let answer = expect(StatusCode::NO_CONTENT, patch.send().await?).await?;
        ensure!(offset(&answer)? == end, "the append went elsewhere");
        self.offset = end;
        Ok(())
    }

    /// Asks the server whether it has all.
    pub async fn check(&self) -> Result<()> {
        let head = self.client.head(self.at.clone());
        let (head, want) = match self.place {
            Place::Vidence { .. } => (head, StatusCode::NO_CONTENT),
            Place::Tus => (head.header(TUS.0, TUS.1), StatusCode::OK),
        };
        let answer = expect(want, head.send().await?).await?;
        let has = offset(&answer)?;
        ensure!(has == self.length, "it has {has} of {} bytes", self.length);
        if let Place::Vidence { .. } = self.place {
            let complete = answer.headers().get(COMPLETE);
            ensure!(complete.is_some_and(|it| it == "?1"), "it is not complete");
        }
        Ok(())
    }

    /// Has our server count the whole upload as the evidence, as soon as it is sealed.
    pub async fn submit(self) -> Result<Submitted> {
        let Place::Vidence { request, token } = self.place else {
            bail!("the peer knows no submissions");
        };
        let take = self.at.path_segments().and_then(|mut it| it.next_back());
        let take = take.context("no take")?.to_owned();
        let submission = Submission { take };
        let submit = self.client.post(self.at.join("../submission")?);
        let submit = submit.json(&submission);
        let start = Instant::now();
        loop {
            let again = submit.try_clone().context("a body that is JSON")?;
            let answer = again.send().await?;
            if answer.status() == StatusCode::OK {
                break;
            }
            let sealing = start.elapsed() < LONGEST_SEALING;
            ensure!(sealing, "it is not sealed: {}", answer.text().await?);
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

    /// Removes it, so that the disk doesn't fill.
    pub async fn remove(self) -> Result<()> {
        let delete = match self.place {
            Place::Vidence { request, token } => self.client.delete(request).bearer_auth(token),
            Place::Tus => self.client.delete(self.at).header(TUS.0, TUS.1),
        };
        expect(StatusCode::NO_CONTENT, delete.send().await?).await?;
        Ok(())
    }
}

async fn begin_take(client: &Client, base: &Url) -> Result<(Url, Place)> {
    let requests = base.join("/v1/requests")?;
    let wish = CreateRequest {
        prompt: "Show the dent in the door.".to_owned(),
        expires_in_hours: 1,
    };
    let answer = client.post(requests).json(&wish).send().await?;
    let answer = expect(StatusCode::CREATED, answer).await?;
    let created: CreatedRequest = answer.json().await?;
    let begin = client
        .post(base.join(&format!("/r/{}/takes", created.id))?)
        .header(CONTENT_TYPE, "video/webm")
        .header(COMPLETE, "?0");
    let answer = expect(StatusCode::CREATED, begin.send().await?).await?;
    let place = Place::Vidence {
        request: base.join(&format!("/v1/requests/{}", created.id))?,
        token: created.access_token,
    };
    Ok((location(&answer, base)?, place))
}

async fn begin_file(client: &Client, base: &Url, length: u64) -> Result<(Url, Place)> {
    let begin = client
        .post(base.join("/files")?)
        .header(TUS.0, TUS.1)
        .header("Upload-Length", length);
    let answer = expect(StatusCode::CREATED, begin.send().await?).await?;
    Ok((location(&answer, base)?, Place::Tus))
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
