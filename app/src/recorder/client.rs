//! What the page asks the server: `/r/{id}/…`, by gloo-net.

use std::time::Duration;

use gloo_net::http::{Method, Request, RequestBuilder, Response};
use wasm_bindgen::JsValue;

use super::outbox::Part;
use super::retry::{Verdict, verdict};
use super::state::Ending;
use crate::browser::{Abort, Json, Piece, within};

/// A request that takes longer has stalled. The server keeps what had arrived of it.
const STALLED: Duration = Duration::from_secs(30);

/// How the server says no. Whatever else says no is a proxy.
const OURS: [&str; 2] = ["application/json", "application/problem+json"];

/// Codes of what can't become a video.
const UNPLAYABLE: [&str; 3] = ["unreadable", "no_video", "no_frame"];

/// The address below which everything of one request lies.
#[derive(Clone, Debug)]
pub struct Link {
    base: String,
}

/// A take's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeUrl(String);

/// How much of a take the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
}

/// How the request stands, with its takes: [`crate::api::PageState`].
pub struct State(Json);

/// A good answer. Its body can be read for as long as this is here.
struct Answer {
    response: Response,
    _open: Abort,
}

/// Why an answer is no good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Ask for the offset.
    Resync,
    /// Try again later; not before this time, if the server says one.
    Later(Option<Duration>),
    /// Likewise: the server has no room for now.
    Full,
    /// Ask again in a moment.
    NotYet,
    /// Never.
    Over(Ending),
}

impl Link {
    /// Of the request with this id.
    pub fn new(request: &str) -> Self {
        Self {
            base: format!("/r/{request}"),
        }
    }

    /// Whether a take is one of this request.
    pub fn has(&self, take: &TakeUrl) -> bool {
        take.0.starts_with(&self.base)
    }

    /// Begins a take.
    pub async fn begin(&self, media_type: &str) -> Result<TakeUrl, Failure> {
        let request = Request::post(&format!("{}/takes", self.base))
            .header("Content-Type", media_type)
            .header("Upload-Complete", "?0");
        let answer = send(request, None).await?;
        answer
            .response
            .headers()
            .get("Location")
            .map(TakeUrl)
            .ok_or(Failure::Later(None))
    }

    /// Sends a part.
    pub async fn append(&self, take: &TakeUrl, part: &Part<Piece>) -> Result<Progress, Failure> {
        let request = Request::patch(&take.0)
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Offset", &part.offset.to_string())
            .header("Upload-Complete", if part.last { "?1" } else { "?0" });
        let body = Piece::join(&part.slices).ok_or(Failure::Later(None))?;
        progress(&send(request, Some(body)).await?)
    }

    /// Asks how much is safe.
    pub async fn offset(&self, take: &TakeUrl) -> Result<Progress, Failure> {
        let asked = send(Request::get(&take.0).method(Method::HEAD), None).await;
        match asked {
            // It comes without a body, and so without a word on whose doing it is.
            Err(Failure::Over(Ending::Expired)) => {
                let why = self.state(None).await.err();
                Err(why.unwrap_or(Failure::Over(Ending::Expired)))
            }
            asked => progress(&asked?),
        }
    }

    /// Throws a take away.
    pub async fn discard(&self, take: &TakeUrl) -> Result<(), Failure> {
        send(Request::delete(&take.0), None).await.map(drop)
    }

    /// Makes a take the video.
    pub async fn submit(&self, take: &TakeUrl) -> Result<(), Failure> {
        let request = Request::post(&format!("{}/submission", self.base));
        match send_json(request, [("take", take.id())]).await {
            // The first try may have arrived and only its answer been lost. Submitting deletes the
            // other takes, so if ours is still there, it is the one.
            Err(Failure::Over(Ending::AlreadySubmitted)) => match self.offset(take).await {
                Ok(Progress { complete: true, .. }) => Ok(()),
                Err(failure) if failure != Failure::Resync => Err(failure),
                _ => Err(Failure::Later(None)),
            },
            answer => answer.map(drop),
        }
    }

    /// Asks how all stands, with the take that is ours.
    pub async fn state(&self, take: Option<&TakeUrl>) -> Result<State, Failure> {
        let query = take.map_or_else(String::new, |take| format!("?take={}", take.id()));
        let request = Request::get(&format!("{}/state{query}", self.base));
        State::of(&send(request, None).await?).await
    }
}

impl TakeUrl {
    /// As it was kept.
    pub fn new(url: String) -> Self {
        Self(url)
    }

    /// To keep it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn id(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }
}

impl State {
    async fn of(answer: &Answer) -> Result<Self, Failure> {
        let json = Json::parse(&text(&answer.response).await);
        json.map(Self).ok_or(Failure::Later(None))
    }

    /// Whether there is a video.
    pub fn is_submitted(&self) -> bool {
        self.0.get("status").text().as_deref() == Some("submitted")
    }

    /// Whether the server has our take.
    pub fn has_take(&self) -> bool {
        self.0.get("take").is_true()
    }

    /// Whether it has all of it.
    pub fn is_complete(&self) -> bool {
        self.0.get("take").get("complete").is_true()
    }

    /// Whether it has so many bytes of it.
    pub fn has_bytes(&self, least: u64) -> bool {
        let offset = self.0.get("take").get("offset").number();
        // Exact up to 2⁵³ bytes.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let least = least as f64;
        offset.is_some_and(|offset| offset >= least)
    }

    /// Whether it has looked into it.
    pub fn is_looked_into(&self) -> bool {
        let take = self.0.get("take");
        take.get("sealed").is_true() || take.get("refused").is_true()
    }

    /// Whether our take says where it was filmed.
    pub fn is_located(&self) -> bool {
        self.0.get("take").get("has_location").is_true()
    }

    /// Whether a take that isn't ours is growing.
    pub fn is_recorded_elsewhere(&self) -> bool {
        self.0.get("recorded_elsewhere").is_true()
    }
}

/// Sends an object of fields whose values need no escape: ids, and words of ours.
async fn send_json<'a>(
    request: RequestBuilder,
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Answer, Failure> {
    let fields = fields.into_iter();
    let fields: Vec<_> = fields
        .map(|(name, value)| format!(r#""{name}":"{value}""#))
        .collect();
    let body = format!("{{{}}}", fields.join(","));
    let request = request.header("Content-Type", "application/json");
    send(request, Some(body.into())).await
}

async fn send(request: RequestBuilder, body: Option<JsValue>) -> Result<Answer, Failure> {
    let abort = Abort::new();
    let request = request.abort_signal(abort.signal().as_ref());
    let request = match body {
        Some(body) => request.body(body),
        None => request.build(),
    };
    let request = request.map_err(|_| Failure::Later(None))?;
    let response = answer(request.send()).await?;
    Ok(Answer {
        response,
        _open: abort,
    })
}

/// Waits for an answer, but not for ever.
async fn answer(
    sending: impl Future<Output = Result<Response, gloo_net::Error>>,
) -> Result<Response, Failure> {
    let Some(Ok(response)) = within(STALLED, sending).await else {
        return Err(Failure::Later(None));
    };
    let headers = response.headers();
    let has_offset = headers.has("Upload-Offset");
    let ours = headers
        .get("Content-Type")
        .is_some_and(|it| OURS.contains(&it.as_str()));
    let verdict = verdict(response.status(), has_offset, ours);
    let code = match verdict {
        Verdict::NotYet | Verdict::Over(_) => code(&response).await,
        _ => String::new(),
    };
    match (verdict, code.as_str()) {
        (Verdict::Good, _) => Ok(response),
        (Verdict::Resync, _) => Err(Failure::Resync),
        (Verdict::NotYet, "still_sealing") => Err(Failure::NotYet),
        // Of too many takes one goes when it hasn't grown for a while.
        (Verdict::Full, _) | (Verdict::Over(_), "too_many_takes") => Err(Failure::Full),
        (Verdict::Later | Verdict::NotYet, _) => {
            let seconds = headers.get("Retry-After").and_then(|it| it.parse().ok());
            Err(Failure::Later(seconds.map(Duration::from_secs)))
        }
        // As if it were gone: it can be sent once more.
        (Verdict::Over(_), "take_failed") => Err(Failure::Over(Ending::Withdrawn)),
        (Verdict::Over(_), "taken_down") => Err(Failure::Over(Ending::TakenDown)),
        (Verdict::Over(_), code) if UNPLAYABLE.contains(&code) => {
            Err(Failure::Over(Ending::Unplayable))
        }
        (Verdict::Over(ending), _) => Err(Failure::Over(ending)),
    }
}

/// Its body; empty where that stalls.
async fn text(response: &Response) -> String {
    let read = within(STALLED, response.text()).await;
    read.and_then(Result::ok).unwrap_or_default()
}

/// What the server says is wrong, in a word for programs; empty where it doesn't say.
async fn code(response: &Response) -> String {
    let code =
        Json::parse(&text(response).await).and_then(|body| body.get("error").get("code").text());
    code.unwrap_or_default()
}

fn progress(answer: &Answer) -> Result<Progress, Failure> {
    let headers = answer.response.headers();
    let offset = headers
        .get("Upload-Offset")
        .and_then(|text| text.parse().ok());
    let complete = headers
        .get("Upload-Complete")
        .is_some_and(|text| text == "?1");
    offset
        .map(|offset| Progress { offset, complete })
        .ok_or(Failure::Later(None))
}
