//! Who records: sends a take in pieces while it grows, and after any failure asks how much of it is safe
//! and goes on from there.

use std::convert::Infallible;
use std::ops::{Range, RangeInclusive};
use std::time::{Duration, Instant};

use app::api::Submission;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, Client, Response, StatusCode};

use crate::agent;
use crate::callers::Callers;
use crate::content::Content;
use crate::ledger::{Entry, Fate, Ledger};
use crate::scale::dice;
use crate::standing::{Sent, Standing};

/// One person with a camera.
pub struct Uploader<'a> {
    /// The way to the server that may break.
    pub page: &'a Callers,
    /// The agent's way.
    pub agent: &'a Callers,
    /// Where acknowledgements are written down.
    pub ledger: &'a Ledger,
    /// How this one records.
    pub habits: Habits,
    /// What this one leaves to chance.
    pub dice: StdRng,
}

/// How somebody records.
#[derive(Clone, Debug)]
pub struct Habits {
    /// Bytes of a take.
    pub take: RangeInclusive<u64>,
    /// Bytes of an append.
    pub piece: RangeInclusive<u64>,
    /// One append of so many is a slow one, which takes longer than the server keeps bytes in memory.
    pub slow_one_of: u32,
    /// Whether the server may give up a take. Where its disk is well that would be a broken promise.
    pub begins_anew: bool,
    /// Whether takes stay open when all bytes are there. Then nothing is sealed, and the server does nothing
    /// but what it was asked for.
    pub leaves_open: bool,
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            take: 200_000..=3_000_000,
            piece: 1..=400_000,
            slow_one_of: 12,
            begins_anew: false,
            leaves_open: false,
        }
    }
}

impl<'a> Uploader<'a> {
    /// The uploader number `player`.
    pub fn new(player: u64, page: &'a Callers, agent: &'a Callers, ledger: &'a Ledger) -> Self {
        Self {
            page,
            agent,
            ledger,
            habits: Habits::default(),
            dice: dice(player),
        }
    }

    /// Answers a new request from its creation until its creator has watched the video, which this names.
    pub async fn answer_one(&mut self) -> Entry {
        let created = agent::create(self.agent).await;
        let length = self.dice.random_range(self.habits.take.clone());
        let entry = loop {
            let take = self.begin(&created.id, &created.access_token).await;
            if self.record(take, length).await {
                break take;
            }
            self.discard(take).await;
        };
        if !self.habits.leaves_open {
            self.submit(entry).await;
            agent::watch(self.agent, &self.ledger.get(entry)).await;
        }
        entry
    }

    /// Begins the first take of a new request.
    pub async fn begin_one(&mut self) -> Entry {
        let created = agent::create(self.agent).await;
        self.begin(&created.id, &created.access_token).await
    }

    /// Begins an empty take.
    pub async fn begin(&mut self, request: &str, token: &str) -> Entry {
        let begin = |client: &Client, url: &str| {
            let begin = client.post(format!("{url}/r/{request}/takes"));
            begin
                .header(CONTENT_TYPE, "video/webm")
                .header("Upload-Complete", "?0")
        };
        let answer = self.page.ask(begin).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        let take = answer.headers()[LOCATION].to_str().expect("a path");
        let content = Content::of(self.dice.next_u64());
        self.ledger.begun(request, token, take, content)
    }

    /// Sends a take of this length to its end. `false`: the server has given it up, and says so.
    async fn record(&mut self, entry: Entry, length: u64) -> bool {
        let (mut standing, mut sent) = (Standing::NOTHING, 0);
        let open = self.habits.leaves_open;
        while !(standing.complete || open && standing.offset == length) {
            let end = standing.offset + self.dice.random_range(self.habits.piece.clone());
            // The end of a take may come with its last bytes or after them.
            let last = !open && (end > length || (end == length && self.dice.random()));
            let range = standing.offset..end.min(length);
            sent = sent.max(range.end);
            let stands = match self.append(entry, range, last).await {
                Sent::Stands(standing) => Some(standing),
                Sent::Unknown(_) => self.ask(entry).await,
                Sent::Failed => None,
            };
            let Some(stands) = stands else {
                assert!(self.habits.begins_anew, "a take was given up");
                assert!(self.ask(entry).await.is_none(), "given up, and not");
                let status = self.try_to_submit(entry).await.status();
                assert!(status.is_client_error(), "{status} of a take given up");
                return false;
            };
            standing = stands;
            assert!(standing.offset <= sent, "bytes that nobody sent");
            assert!(!standing.complete || standing.offset == length, "short");
        }
        true
    }

    /// Sends one append, in one of the ways in which networks bring bodies.
    pub async fn append(&mut self, entry: Entry, range: Range<u64>, last: bool) -> Sent {
        let record = self.ledger.get(entry);
        let bytes = record.content.bytes(range.clone());
        let slow = self.dice.random_ratio(1, self.habits.slow_one_of);
        let body = if slow { trickle(bytes) } else { bytes.into() };
        let sent = Instant::now();
        let append = |client: &Client, url: &str| {
            let append = client.patch(format!("{url}{}", record.take));
            append
                .header(CONTENT_TYPE, "application/partial-upload")
                .header("Upload-Offset", range.start)
                .header("Upload-Complete", if last { "?1" } else { "?0" })
                .body(body)
        };
        self.ledger.tries();
        let Ok(answer) = self.page.once(append).await else {
            return Sent::Unknown(None);
        };
        let said = Sent::told(answer).await;
        if let Sent::Stands(standing) = &said {
            assert_eq!((standing.offset, standing.complete), (range.end, last));
            self.ledger.acknowledged(entry, range.end, last);
            self.ledger.appended(sent, range.end - range.start);
        }
        said
    }

    /// Asks how a take stands, until there is an answer. `None`: the server has given it up.
    pub async fn ask(&self, entry: Entry) -> Option<Standing> {
        let take = self.ledger.get(entry).take;
        let head = |client: &Client, url: &str| client.head(format!("{url}{take}"));
        self.told(entry, &self.page.ask(head).await)
    }

    /// Asks how a take stands, once. `None`: the server has no answer now.
    pub async fn ask_once(&self, entry: Entry) -> Option<Standing> {
        let take = self.ledger.get(entry).take;
        let head = |client: &Client, url: &str| client.head(format!("{url}{take}"));
        let answer = self.page.once(head).await.expect("an answer");
        if answer.status().is_server_error() {
            return None;
        }
        self.told(entry, &answer)
    }

    fn told(&self, entry: Entry, answer: &Response) -> Option<Standing> {
        if answer.status() == StatusCode::UNPROCESSABLE_ENTITY {
            return None;
        }
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{answer:?}");
        let standing = Standing::told(answer.headers());
        let standing = standing.expect("a HEAD that tells where a take stands");
        self.ledger
            .acknowledged(entry, standing.offset, standing.complete);
        Some(standing)
    }

    /// Completes a take that has all its bytes.
    pub async fn finish(&mut self, entry: Entry) {
        let end = self.ledger.get(entry).acknowledged;
        let sent = self.append(entry, end..end, true).await;
        assert!(matches!(sent, Sent::Stands(it) if it.complete), "{sent:?}");
    }

    /// Throws a take away.
    async fn discard(&self, entry: Entry) {
        let take = self.ledger.get(entry).take;
        let discard = |client: &Client, url: &str| client.delete(format!("{url}{take}"));
        let status = self.page.ask(discard).await.status();
        // It may be gone already, when only the answer was lost.
        assert!(
            status.is_success() || status == StatusCode::NOT_FOUND,
            "{status}"
        );
        self.ledger.ended(entry, Fate::Discarded);
    }

    /// Deletes the request of a take, and checks that it is gone. An answer may have been lost.
    pub async fn delete_request(&self, entry: Entry) {
        let record = self.ledger.get(entry);
        let delete = |client: &Client, url: &str| {
            let delete = client.delete(format!("{url}/v1/requests/{}", record.request));
            delete.bearer_auth(&record.token)
        };
        let status = self.agent.ask(delete).await.status();
        let done = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
        assert!(done, "{status}: {record:?}");
        self.ledger.ended(entry, Fate::Deleted);
        agent::is_gone(self.agent, &self.ledger.get(entry)).await;
    }

    /// Submits a complete take.
    pub async fn submit(&self, entry: Entry) {
        let answer = self.try_to_submit(entry).await;
        // Who submits again because the first answer was lost is told that it was done. A submission
        // removes all other takes: this one is still there, so it is the video.
        let (status, record) = (answer.status(), self.ledger.get(entry));
        let done = [StatusCode::OK, StatusCode::CONFLICT].contains(&status);
        assert!(done, "{status}: {record:?}");
        let standing = self.ask(entry).await.expect("a video");
        assert!(standing.complete && standing.offset == record.acknowledged);
        self.ledger.ended(entry, Fate::Submitted);
    }

    async fn try_to_submit(&self, entry: Entry) -> Response {
        let record = self.ledger.get(entry);
        let (_, take) = record.take.rsplit_once('/').expect("a path");
        let take = take.to_owned();
        let submission = Submission { take };
        let submit = |client: &Client, url: &str| {
            let submit = client.post(format!("{url}/r/{}/submission", record.request));
            submit.json(&submission)
        };
        self.page.ask(submit).await
    }
}

/// A body that takes three seconds: long enough for its first bytes to become durable by time alone.
fn trickle(bytes: Bytes) -> Body {
    const DROPS: usize = 12;
    const PAUSE: Duration = Duration::from_millis(250);
    let size = bytes.len().div_ceil(DROPS).max(1);
    let drops: Vec<Bytes> = (0..bytes.len())
        .step_by(size)
        .map(|at| bytes.slice(at..bytes.len().min(at + size)))
        .collect();
    let drops = stream::iter(drops).then(async |drop| {
        tokio::time::sleep(PAUSE).await;
        Ok::<_, Infallible>(drop)
    });
    Body::wrap_stream(drops)
}
