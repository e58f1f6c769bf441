//! Concurrent calls on one request, to any node, are answered as if they came one after the other, each between its call
//! and its answer, while nodes are killed.

mod checker;
mod model;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use app::api::{CreatedRequest, ErrorBody, RequestStatus, RequestView, Submission};
use bytes::Bytes;
use futures_util::future::{join, join_all};
use rand::RngExt;
use rand::rngs::StdRng;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, RequestBuilder, StatusCode};
use tokio_util::sync::CancellationToken;

use self::checker::{Operation, is_linearizable};
use self::model::{Answer, Call, PIECE_BYTES, Request};
use crate::environment::{Environment, on_each_storage};
use test_support::clients::agent;
use test_support::clients::retrying_client::{RetryingClient, http_client};
use test_support::clients::upload_status::UploadStatus;
use test_support::recordings::content;
use test_support::scale::{scale, seed, seeded_rng};

/// Clients of one request, each of which waits for one answer before its next call.
const CLIENTS: usize = 4;

/// Calls of one client.
const CALLS: usize = 8;

/// Histories at a time.
const CONCURRENT: u64 = 4;

/// What a take begins with, in bytes: a video that can be sealed, whatever follows.
const START: u64 = 600;

on_each_storage! {
    concurrent_calls_are_answered_as_if_one_came_after_the_other
}

async fn concurrent_calls_are_answered_as_if_one_came_after_the_other(
    mut environment: Environment,
) {
    let nodes: Vec<String> = environment.nodes.iter().map(|it| it.url()).collect();
    let (client, left) = (environment.client(), AtomicUsize::new(scale().histories));
    let (done, counts) = (CancellationToken::new(), Mutex::new(Counts::default()));
    let workers = (0..CONCURRENT).map(async |number| {
        let mut rng = seeded_rng(number);
        let take_one = |left: usize| left.checked_sub(1);
        while left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take_one)
            .is_ok()
        {
            let subject = Subject::create(&client).await;
            let clients = (0..CLIENTS).map(|client| {
                let rng = rand::SeedableRng::from_rng(&mut rng);
                subject.call_as(client, &nodes[client % nodes.len()], rng)
            });
            let history: Vec<_> = join_all(clients).await.into_iter().flatten().collect();
            counts.lock().expect("not poisoned").add(&history);
            assert!(
                is_linearizable(&Request::default(), &history),
                "no order explains these answers (seed {}):\n{}",
                seed(),
                shown(&history),
            );
        }
    });
    let workers = async {
        join_all(workers).await;
        done.cancel();
    };
    let kills = async {
        let mut rng = seeded_rng(CONCURRENT);
        let mut kills = 0;
        loop {
            let life = Duration::from_millis(rng.random_range(100..1500));
            if tokio::time::timeout(life, done.cancelled()).await.is_ok() {
                return kills;
            }
            let victim = rng.random_range(0..environment.nodes.len());
            environment.nodes[victim].restart().await;
            kills += 1;
        }
    };
    let ((), kills) = join(workers, kills).await;
    let counts = counts.into_inner().expect("not poisoned");
    println!(
        "\nhistories {:>22} {} histories {} kills {counts:?} (seed {})",
        environment.name(),
        scale().histories,
        kills,
        seed()
    );
    assert!(
        counts.submitted > 0 && counts.videos > 0 && counts.deleted > 0,
        "{counts:?}"
    );
}

/// What the histories consisted of, so that one sees that they weren't trivial.
#[derive(Debug, Default)]
struct Counts {
    calls: usize,
    appended: usize,
    conflicts: usize,
    submitted: usize,
    videos: usize,
    deleted: usize,
    unanswered: usize,
}

impl Counts {
    fn add(&mut self, history: &[Operation<Call, Answer>]) {
        for it in history {
            self.calls += 1;
            let counted = match (&it.call, it.answer.as_ref().map(|it| &it.0)) {
                (_, None) => &mut self.unanswered,
                (_, Some(Answer::Conflict(_))) => &mut self.conflicts,
                (Call::Append { .. }, Some(Answer::Done)) => &mut self.appended,
                (Call::Submit { .. }, Some(Answer::Done)) => &mut self.submitted,
                (Call::Delete, Some(Answer::Done)) => &mut self.deleted,
                (_, Some(Answer::Video(_))) => &mut self.videos,
                _ => continue,
            };
            *counted += 1;
        }
    }
}

/// A line for each call: when it was sent and answered, in microseconds.
fn shown(history: &[Operation<Call, Answer>]) -> String {
    let mut history: Vec<_> = history.iter().collect();
    history.sort_by_key(|it| it.sent);
    let start = history.first().map(|it| it.sent);
    let since = |at: Instant| start.map_or(0, |start| (at - start).as_micros());
    let lines = history.into_iter().map(|it| {
        let (sent, call) = (since(it.sent), &it.call);
        match &it.answer {
            Some((answer, at)) => format!("{sent:>8} {:>8} {call:?}: {answer:?}\n", since(*at)),
            None => format!("{sent:>8}        ? {call:?}\n"),
        }
    });
    lines.collect()
}

/// A request with two takes, which all clients know.
struct Subject {
    request: CreatedRequest,
    takes: [String; 2],
    /// The id of the video, once a client was told it.
    video: Mutex<Option<String>>,
}

impl Subject {
    async fn create(client: &RetryingClient) -> Self {
        let request = agent::create(client).await;
        let create_take = async || {
            let create = |http: &Client, url: &str| {
                http.post(format!("{url}/r/{}/takes", request.id))
                    .header(CONTENT_TYPE, "video/webm")
                    .header("Upload-Complete", "?0")
                    .body(content::bytes(0, 0..START))
            };
            let created = client.send(create).await;
            assert_eq!(created.status(), StatusCode::CREATED);
            let path = created.headers()[LOCATION].to_str().expect("a path");
            path.to_owned()
        };
        let takes = [create_take().await, create_take().await];
        Self {
            request,
            takes,
            video: Mutex::default(),
        }
    }

    /// Calls the node at random, as one client.
    async fn call_as(
        &self,
        client: usize,
        node: &str,
        mut rng: StdRng,
    ) -> Vec<Operation<Call, Answer>> {
        let http = http_client();
        let (mut history, mut pieces) = (Vec::new(), [0; 2]);
        for number in 0..CALLS {
            let take = usize::from(rng.random_ratio(1, 4));
            let call = match rng.random_range(0..24) {
                0..8 => Call::Append {
                    take,
                    behind: pieces[take],
                    number: u8::try_from(client * CALLS + number).expect("a few calls"),
                    last: rng.random_ratio(1, 3),
                },
                8..13 => Call::Offset { take },
                13..16 => Call::Submit { take },
                16..20 => Call::Status,
                20..23 => Call::Read,
                _ => Call::Delete,
            };
            let Some(request) = self.request(&http, node, call) else {
                continue;
            };
            let sent = Instant::now();
            let answer = self.send(request, call).await;
            match (call, &answer) {
                (Call::Append { .. }, Some(Answer::Done)) => pieces[take] += 1,
                (_, Some(Answer::Offset { pieces: known, .. })) => pieces[take] = *known,
                _ => {}
            }
            let answer = answer.map(|it| (it, Instant::now()));
            history.push(Operation { call, sent, answer });
        }
        history
    }

    /// `None`: the video has no known id yet.
    fn request(&self, http: &Client, node: &str, call: Call) -> Option<RequestBuilder> {
        let (id, token) = (&self.request.id, &self.request.access_token);
        let api = format!("{node}/v1/requests/{id}");
        Some(match call {
            Call::Append {
                take,
                behind,
                number,
                last,
            } => http
                .patch(format!("{node}{}", self.takes[take]))
                .header(CONTENT_TYPE, "application/partial-upload")
                .header("Upload-Offset", START + (behind * PIECE_BYTES) as u64)
                .header("Upload-Complete", if last { "?1" } else { "?0" })
                .body(vec![number; PIECE_BYTES]),
            Call::Offset { take } => http.head(format!("{node}{}", self.takes[take])),
            Call::Submit { take } => {
                let (_, take) = self.takes[take].rsplit_once('/').expect("a path");
                http.post(format!("{node}/r/{id}/submission"))
                    .json(&Submission::of(take.to_owned()))
            }
            Call::Status => http.get(api).bearer_auth(token),
            Call::Delete => http.delete(api).bearer_auth(token),
            Call::Read => {
                let video = self.video.lock().expect("not poisoned").clone()?;
                http.get(format!("{node}/v1/videos/{video}"))
                    .bearer_auth(token)
            }
        })
    }

    /// Sends a call. `None`: what it did is unknown.
    async fn send(&self, request: RequestBuilder, call: Call) -> Option<Answer> {
        let answer = request.send().await.ok()?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.ok()?;
        if status.is_server_error() {
            return None;
        }
        Some(match (call, status) {
            (_, StatusCode::NOT_FOUND) => Answer::Gone,
            (_, StatusCode::CONFLICT) => {
                let body = serde_json::from_slice::<ErrorBody>(&body);
                Answer::Conflict(body.map(|it| it.error.code).unwrap_or_default())
            }
            (Call::Offset { .. }, StatusCode::NO_CONTENT) => {
                let status = UploadStatus::from_headers(&headers).expect("an Upload-Offset");
                Answer::Offset {
                    pieces: pieces(status.offset - START),
                    complete: status.complete,
                }
            }
            (Call::Status, StatusCode::OK) => {
                let view: RequestView = serde_json::from_slice(&body).expect("a request");
                if let Some(video) = view.video {
                    *self.video.lock().expect("not poisoned") = Some(video.id);
                }
                Answer::Submitted(view.status == RequestStatus::Submitted)
            }
            (Call::Read, StatusCode::OK) => Answer::Video(numbers(&body)),
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
