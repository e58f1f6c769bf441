//! In which ways a recording comes: two dialects and a form; whole, in pieces, broken off and resumed, or
//! never to its end.

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

use super::caller::{Asked, ClientAddr};
use super::film::Film;

const COMPLETE: &str = "Upload-Complete";
const OFFSET: &str = "Upload-Offset";
const TUS: (&str, &str) = ("Tus-Resumable", "1.0.0");
const BOUNDARY: &str = "a-boundary-that-no-film-holds";

/// Nothing that works takes so long to be sealed.
const LONGEST_SEALING: Duration = Duration::from_secs(60);

/// How somebody sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Whole,
    Pieces,
    /// One piece loses its sender in the middle, who asks how much has arrived and goes on.
    Broken,
    /// Not to the end.
    Abandoned,
    /// A browser without script. Submits by itself.
    Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Resumable uploads for HTTP.
    Ietf,
    Tus,
}

/// A take under way.
struct Take<'a> {
    caller: &'a ClientAddr<'a>,
    dialect: Dialect,
    at: Url,
    film: &'a Film,
    offset: usize,
}

/// Sends the film as an answer to the request. Whether it is submitted then.
pub async fn send(
    caller: &ClientAddr<'_>,
    asked: &Asked,
    film: &Film,
    way: Way,
    dice: &mut StdRng,
) -> Result<bool> {
    if way == Way::Form {
        form(caller, asked, film).await?;
        return Ok(true);
    }
    let dialect = match dice.random() {
        true => Dialect::Ietf,
        false => Dialect::Tus,
    };
    let length = film.bytes.len();
    if way == Way::Whole && dialect == Dialect::Ietf {
        let at = whole(caller, asked, film).await?;
        submit(caller, &at).await?;
        return Ok(true);
    }
    let mut take = Take::begin(caller, asked, film, dialect).await?;
    let piece = match way {
        Way::Whole => length,
        _ => dice.random_range(length / 20..=length / 3),
    };
    let stop = match way {
        Way::Abandoned => dice.random_range(1..length),
        _ => length,
    };
    let mut broken = dice.random_range(0..length);
    while take.offset < stop {
        let end = stop.min(take.offset + piece);
        if way == Way::Broken && (take.offset..end).contains(&broken) {
            take.break_off(broken).await;
            take.resume(end).await?;
            // From here on it goes well, whatever had arrived.
            broken = usize::MAX;
            continue;
        }
        take.append(end).await?;
    }
    if way == Way::Abandoned {
        return Ok(false);
    }
    submit(caller, &take.at).await?;
    Ok(true)
}

async fn whole(caller: &ClientAddr<'_>, asked: &Asked, film: &Film) -> Result<Url> {
    let takes = Url::parse(caller.base)?.join(&format!("/r/{}/takes", asked.id))?;
    let begin = caller.client.post(takes.clone());
    let begin = begin
        .header(CONTENT_TYPE, film.media_type)
        .header(COMPLETE, "?1");
    let begin = begin.body(film.bytes.clone());
    let answer = caller
        .expect("upload whole", StatusCode::CREATED, begin)
        .await?;
    location(&takes, &answer)
}

/// As browsers write it: RFC 7578.
async fn form(caller: &ClientAddr<'_>, asked: &Asked, film: &Film) -> Result<()> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{VIDEO_FIELD}\"; filename=\"a\"\r\n\
         Content-Type: {}\r\n\r\n",
        film.media_type
    );
    let tail = format!("\r\n--{BOUNDARY}--\r\n");
    let body = [head.as_bytes(), &film.bytes, tail.as_bytes()].concat();
    let form = caller
        .client
        .post(format!("{}/r/{}", caller.base, asked.id));
    let form = form
        .header(
            CONTENT_TYPE,
            format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .body(body);
    // After a redirect to the page that says so.
    let page = caller.expect("form", StatusCode::OK, form).await?;
    page.bytes().await?;
    Ok(())
}

/// As soon as it is sealed.
async fn submit(caller: &ClientAddr<'_>, at: &Url) -> Result<()> {
    let mut parts = at.path_segments().context("a path")?;
    let take = parts.next_back().context("no take")?.to_owned();
    let submission = Submission { take };
    let start = Instant::now();
    loop {
        let submit = caller.client.post(at.join("../submission")?);
        let answer = submit.json(&submission).send().await?;
        caller.tally.answered("submit");
        if answer.status() == StatusCode::OK {
            answer.bytes().await?;
            return Ok(());
        }
        let (status, why) = (answer.status(), answer.text().await?);
        let sealing = status == StatusCode::SERVICE_UNAVAILABLE;
        let patient = start.elapsed() < LONGEST_SEALING;
        ensure!(
            sealing && patient,
            "a submission is answered {status}: {why}"
        );
        sleep(Duration::from_millis(200)).await;
    }
}

impl<'a> Take<'a> {
    async fn begin(
        caller: &'a ClientAddr<'a>,
        asked: &Asked,
        film: &'a Film,
        dialect: Dialect,
    ) -> Result<Self> {
        let takes = Url::parse(caller.base)?.join(&format!("/r/{}/takes", asked.id))?;
        let begin = caller.client.post(takes.clone());
        let begin = match dialect {
            Dialect::Ietf => begin
                .header(CONTENT_TYPE, film.media_type)
                .header(COMPLETE, "?0"),
            Dialect::Tus => begin
                .header(TUS.0, TUS.1)
                .header("Upload-Length", film.bytes.len()),
        };
        let answer = caller.expect("begin", StatusCode::CREATED, begin).await?;
        Ok(Self {
            caller,
            dialect,
            at: location(&takes, &answer)?,
            film,
            offset: 0,
        })
    }

    fn patch(&self, end: usize) -> RequestBuilder {
        let patch = self.caller.client.patch(self.at.clone());
        let patch = patch.header(OFFSET, self.offset);
        let last = end == self.film.bytes.len();
        match self.dialect {
            Dialect::Ietf => patch
                .header(CONTENT_TYPE, "application/partial-upload")
                .header(COMPLETE, if last { "?1" } else { "?0" }),
            Dialect::Tus => patch
                .header(CONTENT_TYPE, "application/offset+octet-stream")
                .header(TUS.0, TUS.1),
        }
    }

    /// Up to `end`, which is safe when this returns.
    async fn append(&mut self, end: usize) -> Result<()> {
        let piece = self.film.bytes.slice(self.offset..end);
        let append = self.patch(end).body(piece);
        let answer = self
            .caller
            .expect("append", StatusCode::NO_CONTENT, append)
            .await?;
        ensure!(offset(&answer)? == end, "the append went elsewhere");
        self.offset = end;
        Ok(())
    }

    /// Means to send all that is left, and loses the line at `end`.
    async fn break_off(&self, end: usize) {
        let arrives = self.film.bytes.slice(self.offset..end);
        let lost: io::Result<Bytes> = Err(io::ErrorKind::ConnectionReset.into());
        let body = Body::wrap_stream(stream::iter([Ok(arrives), lost]));
        let append = self.patch(self.film.bytes.len()).body(body);
        // There is no answer to it.
        let _ = append.send().await;
        self.caller.tally.answered("broken off");
    }

    /// Goes on from where it stands, up to `end` or a little further. Of what was sent last the server may not
    /// have seen a byte when it is asked, and see them all when it is asked no more: then it tells again.
    async fn resume(&mut self, end: usize) -> Result<()> {
        const ASKS: usize = 5;
        for _ in 0..ASKS {
            self.ask().await?;
            let end = end.max(self.offset);
            let piece = self.film.bytes.slice(self.offset..end);
            let answer = self.patch(end).body(piece).send().await?;
            self.caller.tally.answered("resume");
            match answer.status() {
                StatusCode::NO_CONTENT => {
                    ensure!(offset(&answer)? == end, "the append went elsewhere");
                    self.offset = end;
                    return Ok(());
                }
                StatusCode::CONFLICT => {}
                status => bail!("resuming was answered {status}"),
            }
        }
        bail!("an upload can't be resumed")
    }

    /// How much of it has arrived.
    async fn ask(&mut self) -> Result<()> {
        let head = self.caller.client.head(self.at.clone());
        let (head, want) = match self.dialect {
            Dialect::Ietf => (head, StatusCode::NO_CONTENT),
            Dialect::Tus => (head.header(TUS.0, TUS.1), StatusCode::OK),
        };
        let answer = self.caller.expect("offset", want, head).await?;
        let has = offset(&answer)?;
        let sent = self.offset..=self.film.bytes.len();
        ensure!(sent.contains(&has), "it has {has} bytes, of {sent:?}");
        self.offset = has;
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
