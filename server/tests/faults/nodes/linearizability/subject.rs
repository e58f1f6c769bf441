//! A request whose clients call at random.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use app::api::{CreatedRequest, ErrorBody, RequestStatus, RequestView, Submission};
use bytes::Bytes;
use rand::RngExt;
use rand::rngs::StdRng;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, RequestBuilder, Response, StatusCode};

use super::checker::Operation;
use super::model::{Answer, MAX_TAKES, PIECE_BYTES, RequestCall};
use crate::environment::rows::Rows;
use test_support::clients::agent;
use test_support::clients::retrying_client::{RetryingClient, http_client};
use test_support::clients::upload_status::UploadStatus;
use test_support::recordings::content;

/// Calls of one client.
const CALLS: usize = 10;

/// What a take begins with, in bytes: a video that can be sealed, whatever follows.
const START: u64 = 600;

/// The time between two attempts to reach a node.
const PAUSE: Duration = Duration::from_millis(5);

/// A request that all clients know, with its takes.
pub struct Subject {
    request: CreatedRequest,
    takes: Mutex<Takes>,
    /// The id of the video, once a client was told it.
    video: Mutex<Option<String>>,
}

/// The takes whose creation was answered, and the number of those that are being created.
///
/// Others that were created without an answer have no effect on the calls.
#[derive(Default)]
struct Takes {
    paths: Vec<String>,
    under_way: usize,
}

impl Subject {
    /// Creates a request with a take, so that the first calls have something to meet on.
    /// Returns its creation, too.
    pub async fn create(
        client: &RetryingClient,
        node: &str,
    ) -> (Self, Operation<RequestCall, Answer>) {
        let subject = Self {
            request: agent::create(client).await,
            takes: Mutex::default(),
            video: Mutex::default(),
        };
        let http = http_client();
        loop {
            let created = subject.create_take(&http, node).await;
            if let Some(created) = created {
                return (subject, created);
            }
        }
    }

    /// Deletes the request, so that those of earlier histories cost the later ones nothing: a starting node lists all
    /// objects.
    pub async fn remove(&self, client: &RetryingClient) {
        let (id, token) = (&self.request.id, &self.request.access_token);
        let delete = |http: &Client, url: &str| {
            let delete = http.delete(format!("{url}/v1/requests/{id}"));
            delete.bearer_auth(token)
        };
        let status = client.send(delete).await.status();
        let is_gone = [StatusCode::NO_CONTENT, StatusCode::NOT_FOUND].contains(&status);
        assert!(is_gone, "{status}");
    }

    /// Calls the node at random, as one client.
    pub async fn call_as(
        &self,
        client: usize,
        node: &str,
        rows: &Rows,
        mut rng: StdRng,
    ) -> Vec<Operation<RequestCall, Answer>> {
        let http = http_client();
        let (mut history, mut pieces) = (Vec::new(), [0; MAX_TAKES]);
        for number in 0..CALLS {
            let (known, may_create) = {
                let takes = self.takes();
                let known = takes.paths.len();
                (known, known + takes.under_way < MAX_TAKES)
            };
            // Mostly of the first one, so that calls meet.
            let is_of_another = known > 1 && rng.random_ratio(1, 4);
            let take = if is_of_another {
                rng.random_range(1..known)
            } else {
                0
            };
            let call = match rng.random_range(0..52) {
                0..16 => RequestCall::Append {
                    take,
                    behind: pieces[take],
                    number: u8::try_from(client * CALLS + number).expect("a few calls"),
                    last: rng.random_ratio(1, 2),
                },
                16..26 => RequestCall::Offset { take },
                26..32 => RequestCall::Submit { take },
                32..40 => RequestCall::Status,
                40..46 => RequestCall::Read,
                // Most videos are watched before they are gone.
                46..49 if number < CALLS / 2 => RequestCall::Submit { take },
                46..48 => RequestCall::Delete,
                48 => RequestCall::Expire,
                _ if may_create => RequestCall::Create { take: None },
                _ => RequestCall::Status,
            };
            if let RequestCall::Create { .. } = call {
                history.extend(self.create_take(&http, node).await);
                continue;
            }
            if let RequestCall::Expire = call {
                let sent = Instant::now();
                rows.expire(&self.request.id).await;
                let answer = Some((Answer::Done, Instant::now()));
                history.push(Operation { call, sent, answer });
                continue;
            }
            let Some(request) = self.request(&http, node, call) else {
                continue;
            };
            let (sent, answer) = self.send(&request, call).await;
            match (call, &answer) {
                (RequestCall::Append { .. }, Some(Answer::Done)) => pieces[take] += 1,
                (_, Some(Answer::Offset { pieces: known, .. })) => pieces[take] = *known,
                _ => {}
            }
            let answer = answer.map(|it| (it, Instant::now()));
            history.push(Operation { call, sent, answer });
        }
        history
    }

    fn takes(&self) -> MutexGuard<'_, Takes> {
        self.takes.lock().expect("not poisoned")
    }

    /// Creates a take.
    /// `None`: there was no answer, which would have said which take it is, and so it has no effect on other calls.
    async fn create_take(
        &self,
        http: &Client,
        node: &str,
    ) -> Option<Operation<RequestCall, Answer>> {
        self.takes().under_way += 1;
        let create = http
            .post(format!("{node}/r/{}/takes", self.request.id))
            .header(CONTENT_TYPE, "video/webm")
            .header("Upload-Complete", "?0")
            .body(content::bytes(0, 0..START));
        let (sent, answer) = self.send(&create, RequestCall::Create { take: None }).await;
        let mut takes = self.takes();
        takes.under_way -= 1;
        let (take, answer) = match answer? {
            Answer::Created(path) => {
                takes.paths.push(path);
                (Some(takes.paths.len() - 1), Answer::Done)
            }
            refused => (None, refused),
        };
        Some(Operation {
            call: RequestCall::Create { take },
            sent,
            answer: Some((answer, Instant::now())),
        })
    }

    /// `None`: it is no call, or its path isn't known yet.
    fn request(&self, http: &Client, node: &str, call: RequestCall) -> Option<RequestBuilder> {
        let (id, token) = (&self.request.id, &self.request.access_token);
        let api = format!("{node}/v1/requests/{id}");
        let path = |take: usize| self.takes().paths[take].clone();
        Some(match call {
            RequestCall::Append {
                take,
                behind,
                number,
                last,
            } => http
                .patch(format!("{node}{}", path(take)))
                .header(CONTENT_TYPE, "application/partial-upload")
                .header("Upload-Offset", START + (behind * PIECE_BYTES) as u64)
                .header("Upload-Complete", if last { "?1" } else { "?0" })
                .body(vec![number; PIECE_BYTES]),
            RequestCall::Offset { take } => http.head(format!("{node}{}", path(take))),
            RequestCall::Submit { take } => {
                let path = path(take);
                let (_, take) = path.rsplit_once('/').expect("an id");
                http.post(format!("{node}/r/{id}/submission"))
                    .json(&Submission::of(take.to_owned()))
            }
            RequestCall::Status => http.get(api).bearer_auth(token),
            RequestCall::Delete => http.delete(api).bearer_auth(token),
            RequestCall::Read => {
                let video = self.video.lock().expect("not poisoned").clone()?;
                http.get(format!("{node}/v1/videos/{video}"))
                    .bearer_auth(token)
            }
            RequestCall::Create { .. } | RequestCall::Expire => return None,
        })
    }

    /// Sends a call, again as long as its node can't be reached or still seals.
    /// Returns when it was sent, and the answer. `None`: what it did is unknown, because the node was killed.
    async fn send(&self, request: &RequestBuilder, call: RequestCall) -> (Instant, Option<Answer>) {
        let mut attempts = tokio::time::interval(PAUSE);
        loop {
            attempts.tick().await;
            let sent = Instant::now();
            let request = request.try_clone().expect("a body in memory");
            match request.send().await {
                Err(error) if error.is_connect() => {}
                Err(_) => return (sent, None),
                // What a killed node was sealing may take longer than a submission waits. It has had no effect.
                Ok(answer) if answer.status() == StatusCode::SERVICE_UNAVAILABLE => {
                    let Ok(ErrorBody { error }) = answer.json().await else {
                        return (sent, None);
                    };
                    assert_eq!(error.code, "still_sealing", "{call:?}");
                }
                Ok(answer) => return (sent, self.read(answer, call).await),
            }
        }
    }

    /// `None`: the answer broke off.
    async fn read(&self, answer: Response, call: RequestCall) -> Option<Answer> {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.ok()?;
        Some(match (call, status) {
            (_, StatusCode::NOT_FOUND) => Answer::Gone,
            (_, StatusCode::GONE) => Answer::Expired,
            (_, StatusCode::CONFLICT) => {
                let body = serde_json::from_slice::<ErrorBody>(&body);
                Answer::Conflict(body.map(|it| it.error.code).unwrap_or_default())
            }
            (RequestCall::Create { .. }, StatusCode::CREATED) => {
                let path = headers[LOCATION].to_str().expect("a path");
                Answer::Created(path.to_owned())
            }
            (RequestCall::Offset { .. }, StatusCode::NO_CONTENT) => {
                let status = UploadStatus::from_headers(&headers).expect("an Upload-Offset");
                Answer::Offset {
                    pieces: pieces(status.offset - START),
                    complete: status.complete,
                }
            }
            (RequestCall::Status, StatusCode::OK) => {
                let view: RequestView = serde_json::from_slice(&body).expect("a request");
                if view.status == RequestStatus::Expired {
                    return Some(Answer::Expired);
                }
                if let Some(video) = view.video {
                    *self.video.lock().expect("not poisoned") = Some(video.id);
                }
                Answer::Submitted(view.status == RequestStatus::Submitted)
            }
            (RequestCall::Read, StatusCode::OK) => Answer::Video(numbers(&body)),
            (_, StatusCode::OK | StatusCode::NO_CONTENT) => Answer::Done,
            _ => panic!("{call:?}: {status}: {body:?}"),
        })
    }
}

/// The number of whole pieces in so many bytes.
fn pieces(bytes: u64) -> usize {
    let bytes = usize::try_from(bytes).expect("a few bytes");
    assert_eq!(bytes % PIECE_BYTES, 0, "a part of a piece");
    bytes / PIECE_BYTES
}

/// The numbers of the pieces of a video.
fn numbers(video: &Bytes) -> Vec<u8> {
    let start = content::bytes(0, 0..START);
    let pieces = video
        .strip_prefix(&start[..])
        .expect("what every take begins with");
    let pieces = pieces.chunks(PIECE_BYTES).map(|piece| {
        assert_eq!(piece, [piece[0]; PIECE_BYTES], "a part of a piece");
        piece[0]
    });
    pieces.collect()
}
