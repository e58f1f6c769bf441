//! The ways to upload a recording: two protocols and a form; whole, in pieces, interrupted and resumed, or abandoned.

use std::io;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use app::api::Submission;
use app::pages::VIDEO_FIELD;
use bytes::Bytes;
use futures_util::stream;
use rand::RngExt;
use rand::rngs::StdRng;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, RequestBuilder, Response, StatusCode, Url};
use tokio::time::sleep;

use super::client::{ApiClient, RequestHandle};
use super::recordings::Recording;

const COMPLETE: &str = "Upload-Complete";
const OFFSET: &str = "Upload-Offset";
const TUS: (&str, &str) = ("Tus-Resumable", "1.0.0");
const BOUNDARY: &str = "a-boundary-that-no-recording-contains";

/// Timeout of sealing.
const SEALING_TIMEOUT: Duration = Duration::from_secs(60);

/// How a recording is uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadMode {
    Whole,
    InPieces,
    /// In pieces, one of which is interrupted; then HEAD and a resumption.
    Interrupted,
    /// In pieces, without the last ones.
    Abandoned,
    /// By the form for browsers without JavaScript, which submits by itself.
    Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadProtocol {
    /// Resumable uploads for HTTP, the IETF's draft.
    Ietf,
    Tus,
}

/// A take being uploaded.
struct Take<'a> {
    api: &'a ApiClient<'a>,
    protocol: UploadProtocol,
    url: Url,
    recording: &'a Recording,
    offset: usize,
}

/// Uploads a recording and submits it. Returns whether it is submitted.
pub async fn upload(
    api: &ApiClient<'_>,
    request: &RequestHandle,
    recording: &Recording,
    mode: UploadMode,
    rng: &mut StdRng,
) -> Result<bool> {
    if mode == UploadMode::Form {
        upload_by_form(api, request, recording).await?;
        return Ok(true);
    }
    let protocol = match rng.random() {
        true => UploadProtocol::Ietf,
        false => UploadProtocol::Tus,
    };
    let length = recording.bytes.len();
    if mode == UploadMode::Whole && protocol == UploadProtocol::Ietf {
        let url = upload_whole(api, request, recording).await?;
        submit(api, &url).await?;
        return Ok(true);
    }
    let mut take = Take::create(api, request, recording, protocol).await?;
    let piece = match mode {
        UploadMode::Whole => length,
        _ => rng.random_range(length / 20..=length / 3),
    };
    let stop = match mode {
        UploadMode::Abandoned => rng.random_range(1..length),
        _ => length,
    };
    let mut interrupted_at = rng.random_range(0..length);
    while take.offset < stop {
        let end = stop.min(take.offset + piece);
        if mode == UploadMode::Interrupted && (take.offset..end).contains(&interrupted_at) {
            take.interrupt(interrupted_at).await;
            take.resume(end).await?;
            // At most one interruption.
            interrupted_at = usize::MAX;
            continue;
        }
        take.append(end).await?;
    }
    if mode == UploadMode::Abandoned {
        return Ok(false);
    }
    submit(api, &take.url).await?;
    Ok(true)
}

async fn upload_whole(
    api: &ApiClient<'_>,
    request: &RequestHandle,
    recording: &Recording,
) -> Result<Url> {
    let takes = Url::parse(api.base)?.join(&format!("/r/{}/takes", request.id))?;
    let begin = api.client.post(takes.clone());
    let begin = begin
        .header(CONTENT_TYPE, recording.media_type)
        .header(COMPLETE, "?1");
    let begin = begin.body(recording.bytes.clone());
    let answer = api
        .expect("upload whole", StatusCode::CREATED, begin)
        .await?;
    location(&takes, &answer)
}

/// A form as browsers encode it: RFC 7578.
async fn upload_by_form(
    api: &ApiClient<'_>,
    request: &RequestHandle,
    recording: &Recording,
) -> Result<()> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{VIDEO_FIELD}\"; filename=\"a\"\r\n\
         Content-Type: {}\r\n\r\n",
        recording.media_type
    );
    let tail = format!("\r\n--{BOUNDARY}--\r\n");
    let body = [head.as_bytes(), &recording.bytes, tail.as_bytes()].concat();
    let upload_by_form = api.client.post(format!("{}/r/{}", api.base, request.id));
    let upload_by_form = upload_by_form
        .header(
            CONTENT_TYPE,
            format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .body(body);
    // Behind a redirect to the confirmation page.
    let page = api.expect("form", StatusCode::OK, upload_by_form).await?;
    page.bytes().await?;
    Ok(())
}

/// Submits a take, with retries until it is sealed.
async fn submit(api: &ApiClient<'_>, url: &Url) -> Result<()> {
    let mut parts = url.path_segments().context("a path")?;
    let take = parts.next_back().context("no take")?.to_owned();
    let submission = Submission::of(take);
    let start = Instant::now();
    loop {
        let submit = api.client.post(url.join("../submission")?);
        let answer = submit.json(&submission).send().await?;
        api.counters.count_call("submit");
        if answer.status() == StatusCode::OK {
            answer.bytes().await?;
            return Ok(());
        }
        let (status, why) = (answer.status(), answer.text().await?);
        let sealing = status == StatusCode::SERVICE_UNAVAILABLE;
        let in_time = start.elapsed() < SEALING_TIMEOUT;
        ensure!(
            sealing && in_time,
            "a submission is answered {status}: {why}"
        );
        sleep(Duration::from_millis(200)).await;
    }
}

impl<'a> Take<'a> {
    async fn create(
        api: &'a ApiClient<'a>,
        request: &RequestHandle,
        recording: &'a Recording,
        protocol: UploadProtocol,
    ) -> Result<Self> {
        let takes = Url::parse(api.base)?.join(&format!("/r/{}/takes", request.id))?;
        let begin = api.client.post(takes.clone());
        let begin = match protocol {
            UploadProtocol::Ietf => begin
                .header(CONTENT_TYPE, recording.media_type)
                .header(COMPLETE, "?0"),
            UploadProtocol::Tus => begin
                .header(TUS.0, TUS.1)
                .header("Upload-Length", recording.bytes.len()),
        };
        let answer = api.expect("begin", StatusCode::CREATED, begin).await?;
        Ok(Self {
            api,
            protocol,
            url: location(&takes, &answer)?,
            recording,
            offset: 0,
        })
    }

    fn patch(&self, end: usize) -> RequestBuilder {
        let patch = self.api.client.patch(self.url.clone());
        let patch = patch.header(OFFSET, self.offset);
        let last = end == self.recording.bytes.len();
        match self.protocol {
            UploadProtocol::Ietf => patch
                .header(CONTENT_TYPE, "application/partial-upload")
                .header(COMPLETE, if last { "?1" } else { "?0" }),
            UploadProtocol::Tus => patch
                .header(CONTENT_TYPE, "application/offset+octet-stream")
                .header(TUS.0, TUS.1),
        }
    }

    /// Appends up to `end`.
    async fn append(&mut self, end: usize) -> Result<()> {
        let piece = self.recording.bytes.slice(self.offset..end);
        let append = self.patch(end).body(piece);
        let answer = self
            .api
            .expect("append", StatusCode::NO_CONTENT, append)
            .await?;
        ensure!(
            offset(&answer)? == end,
            "the append ended at another offset"
        );
        self.offset = end;
        Ok(())
    }

    /// Announces the rest of the recording and drops the connection at `end`.
    async fn interrupt(&self, end: usize) {
        let arrives = self.recording.bytes.slice(self.offset..end);
        let lost: io::Result<Bytes> = Err(io::ErrorKind::ConnectionReset.into());
        let body = Body::wrap_stream(stream::iter([Ok(arrives), lost]));
        let append = self.patch(self.recording.bytes.len()).body(body);
        // There is no response.
        let _ = append.send().await;
        self.api.counters.count_call("interrupted append");
    }

    /// Resumes at the server's offset, up to `end` or further.
    /// Bytes of the interrupted append may arrive between HEAD and PATCH; then the server answers 409, and the client
    /// asks again.
    async fn resume(&mut self, end: usize) -> Result<()> {
        const ATTEMPTS: usize = 5;
        for _ in 0..ATTEMPTS {
            self.fetch_offset().await?;
            let end = end.max(self.offset);
            let piece = self.recording.bytes.slice(self.offset..end);
            let answer = self.patch(end).body(piece).send().await?;
            self.api.counters.count_call("resume");
            match answer.status() {
                StatusCode::NO_CONTENT => {
                    ensure!(
                        offset(&answer)? == end,
                        "the append ended at another offset"
                    );
                    self.offset = end;
                    return Ok(());
                }
                StatusCode::CONFLICT => {}
                status => bail!("resuming was answered {status}"),
            }
        }
        bail!("the upload can't be resumed")
    }

    /// Fetches the offset.
    async fn fetch_offset(&mut self) -> Result<()> {
        let head = self.api.client.head(self.url.clone());
        let (head, want) = match self.protocol {
            UploadProtocol::Ietf => (head, StatusCode::NO_CONTENT),
            UploadProtocol::Tus => (head.header(TUS.0, TUS.1), StatusCode::OK),
        };
        let answer = self.api.expect("offset", want, head).await?;
        let offset_now = offset(&answer)?;
        let sent = self.offset..=self.recording.bytes.len();
        ensure!(
            sent.contains(&offset_now),
            "the offset is {offset_now}, not in {sent:?}"
        );
        self.offset = offset_now;
        Ok(())
    }
}

fn location(base: &Url, answer: &Response) -> Result<Url> {
    let location = answer.headers().get(LOCATION).context("no Location")?;
    Ok(base.join(location.to_str()?)?)
}

fn offset(answer: &Response) -> Result<usize> {
    let offset = answer.headers().get(OFFSET).context("no Upload-Offset")?;
    Ok(offset.to_str()?.parse()?)
}
