//! A simulated uploader: sends a take in pieces, and after any failure asks for the offset and resumes.
//!
//! A little more than 300 lines: each step of an upload needs the same ledger.

use std::convert::Infallible;
use std::ops::{Range, RangeInclusive};
use std::time::{Duration, Instant};

use app::api::Submission;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, Client, Response, StatusCode};
use tokio_util::sync::CancellationToken;

use crate::clients::agent;
use crate::clients::ledger::{Ledger, Outcome, RecordId};
use crate::clients::retrying_client::RetryingClient;
use crate::clients::upload_status::{AppendResult, UploadStatus};
use crate::recordings::content::Content;
use crate::scale::seeded_rng;

/// One person who records.
pub struct Uploader<'a> {
    /// Client of the recording page, whose connection may be faulty.
    pub page: &'a RetryingClient,
    /// Client of the agent.
    pub agent: &'a RetryingClient,
    /// Record of all acknowledgements.
    pub ledger: &'a Ledger,
    /// Sizes and habits of its uploads.
    pub profile: UploadProfile,
    /// Source of all its random choices.
    pub rng: StdRng,
}

/// How an uploader uploads.
#[derive(Clone, Debug)]
pub struct UploadProfile {
    /// Length of a take in bytes.
    pub take_bytes: RangeInclusive<u64>,
    /// Length of an append in bytes.
    pub append_bytes: RangeInclusive<u64>,
    /// One append in so many is slow: it takes longer than the server keeps bytes in memory.
    pub slow_one_in: u32,
    /// Whether the server may poison a take, which it must not do on a working disk.
    pub tolerates_failed_takes: bool,
    /// Recordings of browsers that it sends instead of generated takes, if there are any.
    pub recordings: &'static [&'static [u8]],
    /// Lifetime of its requests in hours.
    pub hours: i64,
    /// Whether takes stay open when all bytes are sent: nothing is sealed, and the server does no background work.
    pub leaves_open: bool,
}

impl Default for UploadProfile {
    fn default() -> Self {
        Self {
            take_bytes: 200_000..=3_000_000,
            append_bytes: 1..=400_000,
            slow_one_in: 12,
            tolerates_failed_takes: false,
            recordings: &[],
            hours: 24,
            leaves_open: false,
        }
    }
}

impl<'a> Uploader<'a> {
    /// The uploader with this number, which seeds its random choices.
    pub fn new(
        number: u64,
        page: &'a RetryingClient,
        agent: &'a RetryingClient,
        ledger: &'a Ledger,
    ) -> Self {
        Self {
            page,
            agent,
            ledger,
            profile: UploadProfile::default(),
            rng: seeded_rng(number),
        }
    }

    /// Creates a request, uploads and submits a take, and verifies the video.
    pub async fn complete_request(&mut self) -> RecordId {
        let created = agent::create_for(self.agent, self.profile.hours).await;
        let (content, length) = match self.profile.recordings.choose(&mut self.rng) {
            Some(recording) => (Content::recording(recording), recording.len() as u64),
            None => {
                let length = self.rng.random_range(self.profile.take_bytes.clone());
                (Content::new(self.rng.next_u64()), length)
            }
        };
        let record_id = loop {
            let take = self.begin_take(&created.id, &created.access_token, content.clone());
            let take = take.await;
            if self.upload(take, length).await {
                break take;
            }
            self.discard(take).await;
        };
        if !self.profile.leaves_open {
            self.submit(record_id).await;
            agent::verify_video(self.agent, &self.ledger.get(record_id)).await;
        }
        record_id
    }

    /// Completes requests until it is done and one more: deletes the first one and about one in so many of the others,
    /// and keeps the last one.
    pub async fn record_until(&mut self, done: &CancellationToken, deletes_one_in: u32) {
        let first = self.complete_request().await;
        self.delete_request(first).await;
        while !done.is_cancelled() {
            let record_id = self.complete_request().await;
            if self.rng.random_ratio(1, deletes_one_in) {
                self.delete_request(record_id).await;
            }
        }
        self.complete_request().await;
    }

    /// Creates a request with an empty take.
    pub async fn start_request(&mut self) -> RecordId {
        let created = agent::create(self.agent).await;
        self.create_take(&created.id, &created.access_token).await
    }

    /// Creates an empty take.
    pub async fn create_take(&mut self, request: &str, token: &str) -> RecordId {
        let content = Content::new(self.rng.next_u64());
        self.begin_take(request, token, content).await
    }

    async fn begin_take(&self, request: &str, token: &str, content: Content) -> RecordId {
        let begin = |http: &Client, url: &str| {
            let begin = http.post(format!("{url}/r/{request}/takes"));
            begin
                .header(CONTENT_TYPE, "video/webm")
                .header("Upload-Complete", "?0")
        };
        let answer = self.page.send(begin).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        let take = answer.headers()[LOCATION].to_str().expect("a path");
        self.ledger.record_take(request, token, take, content)
    }

    /// Uploads a take of this length. `false` if the server has poisoned it.
    async fn upload(&mut self, record_id: RecordId, length: u64) -> bool {
        let (mut upload_status, mut sent) = (UploadStatus::NEW, 0);
        let open = self.profile.leaves_open;
        while !(upload_status.complete || open && upload_status.offset == length) {
            let end =
                upload_status.offset + self.rng.random_range(self.profile.append_bytes.clone());
            // A take may be completed by its last append or by an empty one after it.
            let last = !open && (end > length || (end == length && self.rng.random()));
            let range = upload_status.offset..end.min(length);
            sent = sent.max(range.end);
            let current = match self.append(record_id, range, last).await {
                AppendResult::Acknowledged(upload_status) => Some(upload_status),
                AppendResult::Unknown(_) => self.fetch_status(record_id).await,
                AppendResult::Failed => None,
            };
            let Some(current) = current else {
                assert!(self.profile.tolerates_failed_takes, "a take was given up");
                assert!(
                    self.fetch_status(record_id).await.is_none(),
                    "given up, and not"
                );
                let status = self.send_submission(record_id).await.status();
                assert!(status.is_client_error(), "{status} of a take given up");
                return false;
            };
            upload_status = current;
            assert!(upload_status.offset <= sent, "bytes that were never sent");
            assert!(
                !upload_status.complete || upload_status.offset == length,
                "short"
            );
        }
        true
    }

    /// Sends one append, slowly at times.
    pub async fn append(
        &mut self,
        record_id: RecordId,
        range: Range<u64>,
        last: bool,
    ) -> AppendResult {
        let record = self.ledger.get(record_id);
        let bytes = record.content.bytes(range.clone());
        let slow = self.rng.random_ratio(1, self.profile.slow_one_in);
        let body = if slow { slow_body(bytes) } else { bytes.into() };
        let sent_at = Instant::now();
        let append = |http: &Client, url: &str| {
            let append = http.patch(format!("{url}{}", record.take));
            append
                .header(CONTENT_TYPE, "application/partial-upload")
                .header("Upload-Offset", range.start)
                .header("Upload-Complete", if last { "?1" } else { "?0" })
                .body(body)
        };
        self.ledger.count_attempt();
        let Ok(answer) = self.page.send_once(append).await else {
            return AppendResult::Unknown(None);
        };
        let result = AppendResult::from_answer(answer).await;
        if let AppendResult::Acknowledged(upload_status) = &result {
            assert_eq!(
                (upload_status.offset, upload_status.complete),
                (range.end, last)
            );
            self.ledger.record_offset(record_id, range.end, last);
            self.ledger.record_append(sent_at, range.end - range.start);
        }
        result
    }

    /// Fetches the upload status, with retries. `None` if the server has poisoned the take.
    pub async fn fetch_status(&self, record_id: RecordId) -> Option<UploadStatus> {
        let take = self.ledger.get(record_id).take;
        let head = |http: &Client, url: &str| http.head(format!("{url}{take}"));
        let answer = self.page.send(head).await;
        self.parse_status(record_id, &answer).await
    }

    /// Fetches the upload status in a single attempt.
    /// `None` if the server can't tell now or has poisoned the take.
    pub async fn fetch_status_once(&self, record_id: RecordId) -> Option<UploadStatus> {
        let take = self.ledger.get(record_id).take;
        let head = |http: &Client, url: &str| http.head(format!("{url}{take}"));
        let answer = self.page.send_once(head).await.expect("an answer");
        if answer.status().is_server_error() {
            return None;
        }
        self.parse_status(record_id, &answer).await
    }

    async fn parse_status(&self, record_id: RecordId, answer: &Response) -> Option<UploadStatus> {
        if answer.status() == StatusCode::NOT_FOUND {
            // As if it weren't there. An append tells a poisoned take from one that is lost.
            let record = self.ledger.get(record_id);
            let append = |http: &Client, url: &str| {
                let append = http.patch(format!("{url}{}", record.take));
                append
                    .header(CONTENT_TYPE, "application/partial-upload")
                    .header("Upload-Offset", record.acknowledged)
                    .header("Upload-Complete", "?0")
            };
            let result = AppendResult::from_answer(self.page.send(append).await).await;
            assert!(matches!(result, AppendResult::Failed), "{result:?}");
            return None;
        }
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{answer:?}");
        let upload_status = UploadStatus::from_headers(answer.headers());
        let upload_status = upload_status.expect("an Upload-Offset");
        self.ledger
            .record_offset(record_id, upload_status.offset, upload_status.complete);
        Some(upload_status)
    }

    /// Completes a take that has all its bytes.
    pub async fn complete(&mut self, record_id: RecordId) {
        let end = self.ledger.get(record_id).acknowledged;
        let sent = self.append(record_id, end..end, true).await;
        assert!(
            matches!(sent, AppendResult::Acknowledged(it) if it.complete),
            "{sent:?}"
        );
    }

    /// Discards a take.
    async fn discard(&self, record_id: RecordId) {
        let take = self.ledger.get(record_id).take;
        let discard = |http: &Client, url: &str| http.delete(format!("{url}{take}"));
        let status = self.page.send(discard).await.status();
        // 404 if only the answer to an earlier attempt was lost.
        assert!(
            status.is_success() || status == StatusCode::NOT_FOUND,
            "{status}"
        );
        self.ledger.record_outcome(record_id, Outcome::Discarded);
    }

    /// Deletes the request of a take and asserts that it is gone.
    pub async fn delete_request(&self, record_id: RecordId) {
        let record = self.ledger.get(record_id);
        let delete = |http: &Client, url: &str| {
            let delete = http.delete(format!("{url}/v1/requests/{}", record.request));
            delete.bearer_auth(&record.token)
        };
        let status = self.agent.send(delete).await.status();
        let done = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
        assert!(done, "{status}: {record:?}");
        self.ledger.record_outcome(record_id, Outcome::Deleted);
        agent::assert_gone(self.agent, &self.ledger.get(record_id)).await;
    }

    /// Submits a complete take.
    pub async fn submit(&self, record_id: RecordId) {
        let answer = self.send_submission(record_id).await;
        // 409 if only the answer to an earlier attempt was lost. A submission removes all other takes, so one that
        // still exists is the video.
        let (status, record) = (answer.status(), self.ledger.get(record_id));
        let done = [StatusCode::OK, StatusCode::CONFLICT].contains(&status);
        assert!(done, "{status}: {record:?}");
        let upload_status = self.fetch_status(record_id).await.expect("a video");
        assert!(upload_status.complete && upload_status.offset == record.acknowledged);
        self.ledger.record_outcome(record_id, Outcome::Submitted);
    }

    async fn send_submission(&self, record_id: RecordId) -> Response {
        let record = self.ledger.get(record_id);
        let (_, take) = record.take.rsplit_once('/').expect("a path");
        let take = take.to_owned();
        let submission = Submission::of(take);
        let submit = |http: &Client, url: &str| {
            let submit = http.post(format!("{url}/r/{}/submission", record.request));
            submit.json(&submission)
        };
        self.page.send(submit).await
    }
}

/// A body that takes three seconds: long enough for the server to store its first bytes by timeout.
fn slow_body(bytes: Bytes) -> Body {
    const PIECES: usize = 12;
    const PAUSE: Duration = Duration::from_millis(250);
    let size = bytes.len().div_ceil(PIECES).max(1);
    let pieces: Vec<Bytes> = (0..bytes.len())
        .step_by(size)
        .map(|at| bytes.slice(at..bytes.len().min(at + size)))
        .collect();
    let pieces = stream::iter(pieces).then(async |piece| {
        tokio::time::sleep(PAUSE).await;
        Ok::<_, Infallible>(piece)
    });
    Body::wrap_stream(pieces)
}
