//! A transcriber whose answers a test decides.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use reqwest::StatusCode;
use serde_json::{Value, json};
use server::config::TranscriptArgs;
use server::outbound::transcriber::{Key, endpoint};
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

/// The key that [`TranscriberDouble::settings`] has.
pub const KEY: &str = "sk-hunter2";

/// An answer.
#[derive(Clone)]
pub enum Reply {
    Json(Value),
    Raw(StatusCode, Vec<u8>),
    /// None, ever.
    Hang,
    RedirectTo(String),
}

/// A call that was made.
#[derive(Clone, Debug, Default)]
pub struct TranscriberCall {
    pub path: String,
    pub authorization: Option<String>,
    pub declared_length: Option<u64>,
    /// Names and texts.
    pub fields: BTreeMap<String, String>,
    pub file_name: String,
    pub media_type: String,
    pub audio: Vec<u8>,
}

#[derive(Clone)]
struct Shared {
    calls: Arc<Mutex<Vec<TranscriberCall>>>,
    reply: Arc<Mutex<Reply>>,
    hanging: Arc<AtomicUsize>,
}

/// A running transcriber, stopped on drop.
pub struct TranscriberDouble {
    base: String,
    shared: Shared,
    _serving: AbortOnDropHandle<()>,
}

/// What a transcriber answers: two sentences, within the first second.
pub fn two_sentences() -> Reply {
    Reply::Json(
        json!({"language": "english", "text": " Look <here>. & there.", "segments": [
            {"start": 0.1, "end": 0.5, "text": " Look <here>."},
            {"start": 0.6, "end": 1.0, "text": " & there."},
        ]}),
    )
}

impl TranscriberDouble {
    pub async fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let shared = Shared {
            calls: Arc::default(),
            reply: Arc::new(Mutex::new(reply)),
            hanging: Arc::default(),
        };
        let router = Router::new().fallback(answer).with_state(shared.clone());
        let serving = async move {
            axum::serve(listener, router).await.expect("a listener");
        };
        Self {
            base,
            shared,
            _serving: AbortOnDropHandle::new(tokio::spawn(serving)),
        }
    }

    /// The settings of a server that uses it.
    pub fn settings(&self) -> TranscriptArgs {
        TranscriptArgs {
            transcriber_url: Some(endpoint(&self.base).expect("a URL")),
            transcriber_model: "tiny".to_owned(),
            transcriber_key: Key::new(KEY),
        }
    }

    /// Decides the answer to all further calls.
    pub fn reply_with(&self, reply: Reply) {
        *self.shared.reply.lock() = reply;
    }

    pub fn calls(&self) -> Vec<TranscriberCall> {
        self.shared.calls.lock().clone()
    }

    /// The number of calls that wait for an answer that never comes.
    pub fn hanging(&self) -> usize {
        self.shared.hanging.load(Ordering::SeqCst)
    }
}

/// Counts a call until it is dropped, as its connection is.
struct Hanging(Arc<AtomicUsize>);

impl Drop for Hanging {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let call = read(request).await;
    shared.calls.lock().push(call);
    let reply = shared.reply.lock().clone();
    match reply {
        Reply::Json(json) => axum::Json(json).into_response(),
        Reply::Raw(status, body) => (status, body).into_response(),
        Reply::RedirectTo(url) => {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, url)]).into_response()
        }
        Reply::Hang => {
            shared.hanging.fetch_add(1, Ordering::SeqCst);
            let _hanging = Hanging(shared.hanging);
            std::future::pending().await
        }
    }
}

async fn read(request: Request<Body>) -> TranscriberCall {
    let (head, body) = request.into_parts();
    let header = |name| {
        let value = head.headers.get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let mut call = TranscriberCall {
        path: head.uri.path().to_owned(),
        authorization: header(AUTHORIZATION),
        declared_length: header(CONTENT_LENGTH).and_then(|it| it.parse().ok()),
        ..TranscriberCall::default()
    };
    let boundary = multer::parse_boundary(header(CONTENT_TYPE).expect("a type")).expect("a form");
    let mut form = multer::Multipart::new(body.into_data_stream(), boundary);
    while let Some(field) = form.next_field().await.expect("a field") {
        let name = field.name().expect("a name").to_owned();
        if name == "file" {
            call.file_name = field.file_name().expect("a file name").to_owned();
            call.media_type = field.content_type().expect("a type").to_string();
            call.audio = field.bytes().await.expect("bytes").to_vec();
        } else {
            call.fields.insert(name, field.text().await.expect("text"));
        }
    }
    call
}
