//! Performs the operations of a history on a server.

use reqwest::header::{CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH, IF_RANGE, LOCATION, RANGE};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use server::service::workers::sweeper::sweep;

use super::expected::ANOTHER_ETAG;
use super::model::Model;
use super::operation::{Operation, Recording, Token, VideoRequest};
use super::received::ReceivedResponse;
use crate::support::{Server, wait_until};

/// A well-formed id that was never issued.
const UNKNOWN_ID: &str = "0000000000000000000000";

/// A server, with its ids of the requests and takes of a history.
pub struct Driver {
    server: Option<Server>,
    pub(super) requests: Vec<RequestIds>,
    pub(super) takes: Vec<TakeIds>,
}

pub(super) struct RequestIds {
    pub(super) id: String,
    pub(super) token: String,
    pub(super) video: Option<String>,
}

pub(super) struct TakeIds {
    request: usize,
    pub(super) id: String,
}

impl Driver {
    pub fn new(server: Server) -> Self {
        let (requests, takes) = (Vec::new(), Vec::new());
        Self {
            server: Some(server),
            requests,
            takes,
        }
    }

    pub fn server(&self) -> &Server {
        self.server.as_ref().expect("a server that runs")
    }

    /// Starts the next history.
    pub fn reset(&mut self) {
        self.requests.clear();
        self.takes.clear();
    }

    /// Performs an operation that isn't a call.
    pub async fn pass(&mut self, operation: &Operation) {
        match operation {
            Operation::Sweep => drop(sweep(&self.server().app).await.expect("a sweep")),
            Operation::Restart => {
                let server = self.server.take().expect("a server that runs");
                self.server = Some(server.restart().await);
            }
            _ => {}
        }
    }

    /// Performs a call. `model` is the state before it.
    pub async fn call(&mut self, operation: &Operation, model: &Model) -> ReceivedResponse {
        let call = self.request_of(operation, model);
        let answer = match call.send().await {
            Ok(answer) => answer,
            Err(error) => return ReceivedResponse::none(&error),
        };
        match operation {
            Operation::Create { .. } => self.read_creation(answer).await,
            Operation::Begin { request, .. } => {
                let location = answer.headers().get(LOCATION);
                let id = location.and_then(|it| it.to_str().ok()?.rsplit('/').next());
                self.takes.extend(id.map(|id| TakeIds {
                    request: *request,
                    id: id.to_owned(),
                }));
                self.read(answer).await
            }
            _ => self.read(answer).await,
        }
    }

    fn request_of(&self, operation: &Operation, model: &Model) -> RequestBuilder {
        let server = self.server();
        match *operation {
            Operation::Create { hours } => {
                let body = json!({ "prompt": "Show the dent.", "expires_in_hours": hours });
                server.request(Method::POST, "/v1/requests").json(&body)
            }
            Operation::Begin {
                request,
                recording,
                piece,
                last,
                declared,
            } => {
                let path = format!("/r/{}/takes", self.id(request));
                let call = server.request(Method::POST, &path);
                let call = call.header("Upload-Complete", if last { "?1" } else { "?0" });
                let call = call.body(model.body(recording, 0, piece));
                match declared {
                    Some(declared) => call.header("Upload-Length", declared),
                    None => call,
                }
            }
            Operation::Append {
                take,
                at,
                piece,
                last,
            } => {
                let offset = model.offset(take, at);
                let recording = model
                    .takes
                    .get(take)
                    .map_or(Recording::Clip, |it| it.recording);
                let call = server.request(Method::PATCH, &self.take_path(take));
                call.header(CONTENT_TYPE, "application/partial-upload")
                    .header("Upload-Offset", offset)
                    .header("Upload-Complete", if last { "?1" } else { "?0" })
                    .body(model.body(recording, offset, piece))
            }
            Operation::GetOffset { take } => server.request(Method::HEAD, &self.take_path(take)),
            Operation::Discard { take } => server.request(Method::DELETE, &self.take_path(take)),
            Operation::Submit { request, take } => {
                let path = format!("/r/{}/submission", self.id(request));
                let body = json!({ "take": self.take_id(take) });
                server.request(Method::POST, &path).json(&body)
            }
            Operation::GetStatus { request, token } => {
                self.authorized(Method::GET, &self.status_path(request), request, token)
            }
            Operation::Delete { request, token } => {
                self.authorized(Method::DELETE, &self.status_path(request), request, token)
            }
            Operation::GetVideo {
                request,
                token,
                kind,
            } => self.video_call(request, token, kind, model),
            _ => panic!("{operation:?} is no call"),
        }
    }

    fn video_call(
        &self,
        request: usize,
        token: Token,
        kind: VideoRequest,
        model: &Model,
    ) -> RequestBuilder {
        let video = self
            .requests
            .get(request)
            .and_then(|it| it.video.as_deref());
        let path = format!("/v1/videos/{}", video.unwrap_or(UNKNOWN_ID));
        let method = match kind {
            VideoRequest::Head => Method::HEAD,
            _ => Method::GET,
        };
        let call = self.authorized(method, &path, request, token);
        let total = model.total(request);
        let etag = format!(
            "\"{}.{}\"",
            video.unwrap_or(UNKNOWN_ID),
            model.served_recording.version
        );
        match kind {
            VideoRequest::Whole | VideoRequest::Head => call,
            VideoRequest::Range(first, last) => call.header(RANGE, format!("bytes={first}-{last}")),
            VideoRequest::BeyondEnd(more) => call.header(RANGE, format!("bytes={}-", total + more)),
            VideoRequest::Suffix(count) => call.header(RANGE, format!("bytes=-{count}")),
            VideoRequest::IfRange => call.header(RANGE, "bytes=1-5").header(IF_RANGE, etag),
            VideoRequest::IfRangeMismatch => {
                let call = call.header(RANGE, "bytes=1-5");
                call.header(IF_RANGE, ANOTHER_ETAG)
            }
            VideoRequest::IfNoneMatch => call.header(IF_NONE_MATCH, etag),
            VideoRequest::IfNoneMatchMismatch => call.header(IF_NONE_MATCH, ANOTHER_ETAG),
            VideoRequest::IfMatchMismatch => call.header(IF_MATCH, ANOTHER_ETAG),
        }
    }

    fn authorized(
        &self,
        method: Method,
        path: &str,
        request: usize,
        token: Token,
    ) -> RequestBuilder {
        let call = self.server().request(method, path);
        let token_request = match token {
            Token::Missing => return call,
            Token::Own => self.requests.get(request),
            Token::Of(other) => self.requests.get(other),
            Token::Unknown => None,
        };
        call.bearer_auth(token_request.map_or("vidence_unknown", |it| &it.token))
    }

    /// Fetches the page state once no take of it awaits its seal.
    pub async fn link_state(&self, request: usize, take: Option<usize>) -> ReceivedResponse {
        let mut path = format!("/r/{}/state", self.id(request));
        if let Some(take) = take {
            path.push_str(&format!("?take={}", self.take_id(take)));
        }
        let look = async || self.read(self.server().get(&path).await).await;
        let seen = look().await;
        if is_settled(&seen) {
            return seen;
        }
        wait_until(async || is_settled(&look().await)).await;
        look().await
    }

    /// Fetches the status, and remembers the id of the video.
    pub async fn status(&mut self, request: usize) -> ReceivedResponse {
        let path = self.status_path(request);
        let call = self.authorized(Method::GET, &path, request, Token::Own);
        let answer = call.send().await.expect("an answer");
        self.read_status(request, answer).await
    }

    /// Paths of objects that the model says are gone.
    pub fn orphans(&self, model: &Model, swept: bool) -> Vec<String> {
        let objects = self.server().objects();
        let gone = |request: usize, it: &RequestIds| {
            let over = swept && model.is_over(request) || model.is_deleted(request);
            over.then(|| it.id.clone())
        };
        let requests = self.requests.iter().enumerate();
        let mut gone: Vec<String> = requests.filter_map(|(at, it)| gone(at, it)).collect();
        let takes = self.takes.iter().zip(&model.takes);
        gone.extend(
            takes
                .filter(|(_, it)| !it.exists)
                .map(|(it, _)| it.id.clone()),
        );
        let objects = objects.iter().map(|it| it.display().to_string());
        let left = objects.filter(|object| gone.iter().any(|id| object.contains(id)));
        left.map(|object| self.replace_ids(&object)).collect()
    }

    fn id(&self, request: usize) -> &str {
        self.requests.get(request).map_or(UNKNOWN_ID, |it| &it.id)
    }

    fn status_path(&self, request: usize) -> String {
        format!("/v1/requests/{}", self.id(request))
    }

    fn take_id(&self, take: usize) -> &str {
        self.takes.get(take).map_or(UNKNOWN_ID, |it| &it.id)
    }

    fn take_path(&self, take: usize) -> String {
        let request = self.takes.get(take).map_or(0, |it| it.request);
        format!("/r/{}/takes/{}", self.id(request), self.take_id(take))
    }
}

/// Whether no take of this state awaits its seal.
fn is_settled(state: &ReceivedResponse) -> bool {
    let state: Value = serde_json::from_slice(&state.body).unwrap_or_default();
    let mut takes = state["takes"].as_array().into_iter().flatten();
    let awaits =
        |it: &Value| it["complete"] == true && it["sealed"] == false && it["refused"] == false;
    !takes.any(awaits)
}
