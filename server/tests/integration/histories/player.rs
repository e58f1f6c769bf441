//! Plays operations on a server.

use reqwest::header::{CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH, IF_RANGE, LOCATION, RANGE};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use server::service::workers::sweeper::sweep;

use super::expected::{ANOTHER_ETAG, Reply};
use super::model::Model;
use super::operation::{Ask, Film, Operation, Token};
use crate::support::{Server, wait_until};

/// No id that was ever given out, and as long as one.
const NOWHERE: &str = "0000000000000000000000";

/// A server, and what it called the requests and takes of a history.
pub struct Player {
    server: Option<Server>,
    pub(super) requests: Vec<Named>,
    pub(super) takes: Vec<Take>,
}

pub(super) struct Named {
    pub(super) id: String,
    pub(super) token: String,
    pub(super) video: Option<String>,
}

pub(super) struct Take {
    request: usize,
    pub(super) id: String,
}

impl Player {
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

    /// Forgets a history, for the next one.
    pub fn forget(&mut self) {
        self.requests.clear();
        self.takes.clear();
    }

    /// Does what is no call.
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

    /// Does what is a call. `model` is how things stood before it.
    pub async fn call(&mut self, operation: &Operation, model: &Model) -> Reply {
        let call = self.request_of(operation, model);
        let answer = match call.send().await {
            Ok(answer) => answer,
            Err(error) => return Reply::none(&error),
        };
        match operation {
            Operation::Create { .. } => self.note_request(answer).await,
            Operation::Begin { request, .. } => {
                let location = answer.headers().get(LOCATION);
                let id = location.and_then(|it| it.to_str().ok()?.rsplit('/').next());
                self.takes.extend(id.map(|id| Take {
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
                let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": hours });
                server.request(Method::POST, "/v1/requests").json(&wish)
            }
            Operation::Begin {
                request,
                film,
                piece,
                last,
                declared,
            } => {
                let path = format!("/r/{}/takes", self.id(request));
                let call = server.request(Method::POST, &path);
                let call = call.header("Upload-Complete", if last { "?1" } else { "?0" });
                let call = call.body(model.body(film, 0, piece));
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
                let film = model.takes.get(take).map_or(Film::Clip, |it| it.film);
                let call = server.request(Method::PATCH, &self.take_path(take));
                call.header(CONTENT_TYPE, "application/partial-upload")
                    .header("Upload-Offset", offset)
                    .header("Upload-Complete", if last { "?1" } else { "?0" })
                    .body(model.body(film, offset, piece))
            }
            Operation::AskOffset { take } => server.request(Method::HEAD, &self.take_path(take)),
            Operation::Discard { take } => server.request(Method::DELETE, &self.take_path(take)),
            Operation::Submit { request, take } => {
                let path = format!("/r/{}/submission", self.id(request));
                let body = json!({ "take": self.take_id(take) });
                server.request(Method::POST, &path).json(&body)
            }
            Operation::ReadStatus { request, token } => {
                self.of_creator(Method::GET, &self.status_path(request), request, token)
            }
            Operation::Delete { request, token } => {
                self.of_creator(Method::DELETE, &self.status_path(request), request, token)
            }
            Operation::Watch {
                request,
                token,
                ask,
            } => self.watching(request, token, ask, model),
            _ => panic!("{operation:?} is no call"),
        }
    }

    fn watching(&self, request: usize, token: Token, ask: Ask, model: &Model) -> RequestBuilder {
        let video = self
            .requests
            .get(request)
            .and_then(|it| it.video.as_deref());
        let path = format!("/v1/videos/{}", video.unwrap_or(NOWHERE));
        let method = match ask {
            Ask::Head => Method::HEAD,
            _ => Method::GET,
        };
        let call = self.of_creator(method, &path, request, token);
        let total = model.total(request);
        let etag = format!("\"{}.{}\"", video.unwrap_or(NOWHERE), model.learned.version);
        match ask {
            Ask::Whole | Ask::Head => call,
            Ask::Range(first, last) => call.header(RANGE, format!("bytes={first}-{last}")),
            Ask::Behind(more) => call.header(RANGE, format!("bytes={}-", total + more)),
            Ask::Last(count) => call.header(RANGE, format!("bytes=-{count}")),
            Ask::IfRange => call.header(RANGE, "bytes=1-5").header(IF_RANGE, etag),
            Ask::IfRangeOfAnother => {
                let call = call.header(RANGE, "bytes=1-5");
                call.header(IF_RANGE, ANOTHER_ETAG)
            }
            Ask::IfNoneMatch => call.header(IF_NONE_MATCH, etag),
            Ask::IfNoneMatchOfAnother => call.header(IF_NONE_MATCH, ANOTHER_ETAG),
            Ask::IfMatchOfAnother => call.header(IF_MATCH, ANOTHER_ETAG),
        }
    }

    fn of_creator(
        &self,
        method: Method,
        path: &str,
        request: usize,
        token: Token,
    ) -> RequestBuilder {
        let call = self.server().request(method, path);
        let holder = match token {
            Token::Missing => return call,
            Token::Own => self.requests.get(request),
            Token::Of(other) => self.requests.get(other),
            Token::Unknown => None,
        };
        call.bearer_auth(holder.map_or("vidence_unknown", |it| &it.token))
    }

    /// The state of a request for whoever has the link, when nothing of it awaits its seal any more.
    pub async fn link_state(&self, request: usize, take: Option<usize>) -> Reply {
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

    /// What the creator finds, and from then on what the video is called.
    pub async fn status(&mut self, request: usize) -> Reply {
        let path = self.status_path(request);
        let call = self.of_creator(Method::GET, &path, request, Token::Own);
        let answer = call.send().await.expect("an answer");
        self.note_video(request, answer).await
    }

    /// Whether any object is left of what the model says is gone.
    pub fn leftovers(&self, model: &Model, swept: bool) -> Vec<String> {
        let objects = self.server().objects();
        let gone = |request: usize, it: &Named| {
            let over = swept && model.is_over(request) || model.is_deleted(request);
            over.then(|| it.id.clone())
        };
        let requests = self.requests.iter().enumerate();
        let mut gone: Vec<String> = requests.filter_map(|(at, it)| gone(at, it)).collect();
        let takes = self.takes.iter().zip(&model.takes);
        gone.extend(
            takes
                .filter(|(_, it)| !it.there)
                .map(|(it, _)| it.id.clone()),
        );
        let objects = objects.iter().map(|it| it.display().to_string());
        let left = objects.filter(|object| gone.iter().any(|id| object.contains(id)));
        left.map(|object| self.in_numbers(&object)).collect()
    }

    fn id(&self, request: usize) -> &str {
        self.requests.get(request).map_or(NOWHERE, |it| &it.id)
    }

    fn status_path(&self, request: usize) -> String {
        format!("/v1/requests/{}", self.id(request))
    }

    fn take_id(&self, take: usize) -> &str {
        self.takes.get(take).map_or(NOWHERE, |it| &it.id)
    }

    fn take_path(&self, take: usize) -> String {
        let request = self.takes.get(take).map_or(0, |it| it.request);
        format!("/r/{}/takes/{}", self.id(request), self.take_id(take))
    }
}

/// Whether no take of this state awaits its seal.
fn is_settled(state: &Reply) -> bool {
    let state: Value = serde_json::from_slice(&state.body).unwrap_or_default();
    let mut takes = state["takes"].as_array().into_iter().flatten();
    let awaits =
        |it: &Value| it["complete"] == true && it["sealed"] == false && it["refused"] == false;
    !takes.any(awaits)
}
