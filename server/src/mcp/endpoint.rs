//! `/mcp` over HTTP: access control, validation of messages, and conversion of rmcp's responses.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Once};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ORIGIN, RETRY_AFTER,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tracing::{error, warn};

use super::call_context::CallContext;
use super::client::{ClientKind, SESSION_ID};
use super::evidence::attachments::Attachments;
use super::jsonrpc::{Message, RpcError};
use super::origins::Origins;
use super::server::Server;
use crate::config::public_url::Origin;
use crate::service::AppState;
use crate::telemetry::LongPolled;
use crate::telemetry::logging::AsDynError;
use net::client_addr::ClientAddr;

/// The longest message. A prompt of 2000 characters, each escaped as a surrogate pair, takes 24 KB.
const MAX_BYTES: usize = 64 << 10;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The `Accept` value that rmcp requires. It responds with JSON.
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

const STRANGE_HOST: &str =
    "this Host is not the one of --public-url, which is the only one that may be called";

/// How long a preflight result may be cached. Browsers reduce it.
const PREFLIGHT_LASTS: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Clone)]
pub(super) struct Endpoint {
    app: AppState,
    server: Server,
    rmcp: StreamableHttpService<Server, NeverSessionManager>,
    origins: Origins,
}

impl Endpoint {
    pub fn new(app: AppState) -> Self {
        let own: Option<Origin> = app.public_url.as_str().parse().ok();
        // Refuses other host names, such as one that an attacker has pointed at this machine to reach it from a page
        // (DNS rebinding).
        let own_host = own.as_ref().map(|it| it.host().to_owned());
        let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let settings = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_allowed_hosts(hosts.into_iter().chain(own_host))
            .with_max_request_body_bytes(MAX_BYTES);
        let server = Server::new(app.clone());
        let for_each = server.clone();
        Self {
            origins: Origins::new(own, &app.mcp_origins),
            rmcp: StreamableHttpService::new(
                move || Ok(for_each.clone()),
                Arc::default(),
                settings,
            ),
            server,
            app,
        }
    }

    /// The CORS layer for the allowed origins.
    pub fn cross_origin(&self) -> CorsLayer {
        let origins = self.origins.clone();
        CorsLayer::new()
            .allow_origin(AllowOrigin::predicate(move |origin, _| {
                origins.allow(origin)
            }))
            .allow_methods([Method::POST])
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers([
                RETRY_AFTER,
                HeaderName::from_static("x-request-id"),
                SESSION_ID,
            ])
            .max_age(PREFLIGHT_LASTS)
    }

    async fn answer(
        &self,
        client_addr: ClientAddr,
        request: Request,
    ) -> Result<Response, RpcError> {
        if let Some(origin) = request.headers().get(ORIGIN)
            && !self.origins.allow(origin)
        {
            let message = "pages of this origin may not call";
            return Err(RpcError::invalid_request(StatusCode::FORBIDDEN, message));
        }
        if request.method() != Method::POST {
            let message = "send messages by POST; nothing is kept between them, and there are no streams here";
            return Err(RpcError::invalid_request(
                StatusCode::METHOD_NOT_ALLOWED,
                message,
            ));
        }
        let (mut parts, body) = request.into_parts();
        // Every request counts against the rate limit, whatever its result.
        let mut call = CallContext::new(&self.app, client_addr);
        let message = read(body)
            .await
            .and_then(|body| Ok((Message::read(&body)?, body)));
        let (message, body) = match message {
            // Tools check the rate limit themselves and report it in their result.
            Ok((message, body)) if message.calls_a_tool => (message, body),
            message => {
                let id = message
                    .as_ref()
                    .ok()
                    .and_then(|(message, _)| message.id.clone());
                call.admission()
                    .map_err(|error| RpcError::too_often(&error).about(id))?;
                message?
            }
        };
        if accepts_json(&parts.headers) {
            parts.headers.insert(ACCEPT, BOTH);
        }
        let client = message.client;
        call.client = client.unwrap_or_else(|| ClientKind::of_request(&parts.headers));
        call.knows_links = knows_links(&parts.headers);
        parts.extensions.insert(call.clone());
        let request = Request::from_parts(parts, Full::new(body));
        let answer = self.rmcp.handle(request).await;
        let answer = self.finish(answer, call.attachments).await;
        let mut answer = answer.map_err(|fault| fault.about(message.id))?;
        if call.waits.load(Ordering::Relaxed) {
            answer.extensions_mut().insert(LongPolled);
        }
        if message.initializes
            && answer.status().is_success()
            && let Some(id) = call.client.session_id()
        {
            answer.headers_mut().insert(SESSION_ID, id);
        }
        Ok(answer)
    }

    /// Converts rmcp's plain-text errors to JSON, and inserts the attachments.
    async fn finish<B>(
        &self,
        answer: axum::http::Response<B>,
        attachments: Attachments,
    ) -> Result<Response, RpcError>
    where
        B: http_body::Body<Data = Bytes, Error = std::convert::Infallible>,
    {
        let (mut parts, body) = answer.into_parts();
        let Ok(body) = body.collect().await;
        let body = body.to_bytes();
        let failed = parts.status.is_client_error() || parts.status.is_server_error();
        if failed && parts.headers.get(CONTENT_TYPE) != Some(&JSON) {
            let said = String::from_utf8_lossy(&body);
            return Err(match parts.status {
                status if status.is_server_error() => {
                    error!(%said, "could not answer a message");
                    RpcError::internal()
                }
                // The body is JSON, but no message that rmcp knows.
                StatusCode::UNSUPPORTED_MEDIA_TYPE if said.starts_with("fail to deserialize") => {
                    let message = "this is no message of the protocol";
                    RpcError::invalid_request(StatusCode::BAD_REQUEST, message)
                }
                // The origin was checked before, so this is about the host.
                StatusCode::FORBIDDEN => {
                    warn_of_a_host();
                    RpcError::invalid_request(StatusCode::FORBIDDEN, STRANGE_HOST)
                }
                status => RpcError::invalid_request(status, &said),
            });
        }
        if let Some(revocation) = attachments.revocation() {
            parts.extensions.insert(revocation);
        }
        let (length, body) =
            attachments
                .put_into(body, &self.server.encoding)
                .map_err(|error| {
                    error!(error = error.as_dyn(), "could not encode an answer");
                    RpcError::internal()
                })?;
        parts.headers.insert(CONTENT_LENGTH, length.into());
        Ok(Response::from_parts(parts, body))
    }
}

/// The handler of `/mcp`: responds to a JSON-RPC message.
pub(super) async fn call(
    State(endpoint): State<Endpoint>,
    Extension(client_addr): Extension<ClientAddr>,
    request: Request,
) -> Response {
    let answer = endpoint.answer(client_addr, request).await;
    let mut answer = answer.unwrap_or_else(IntoResponse::into_response);
    // The response may hold a token or a video.
    let no_store = HeaderValue::from_static("no-store");
    answer.headers_mut().insert(CACHE_CONTROL, no_store);
    answer
}

async fn read(body: Body) -> Result<Bytes, RpcError> {
    to_bytes(body, MAX_BYTES).await.map_err(|error| {
        let too_large = std::error::Error::source(&error)
            .is_some_and(|it| it.is::<http_body_util::LengthLimitError>());
        if too_large {
            let message = format!("a message has at most {MAX_BYTES} bytes");
            RpcError::invalid_request(StatusCode::PAYLOAD_TOO_LARGE, &message)
        } else {
            RpcError::invalid_request(StatusCode::BAD_REQUEST, "the message didn't arrive")
        }
    })
}

/// Whether the client accepts JSON.
///
/// The transport requires clients to accept event streams as well. This server sends none, so JSON suffices.
fn accepts_json(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter();
    let mut accepted = lines
        .flat_map(|line| line.to_str().unwrap_or_default().split(','))
        .map(|range| {
            range
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        })
        .peekable();
    let json = |range: String| ["application/json", "application/*", "*/*"].contains(&&*range);
    accepted.peek().is_none() || accepted.any(json)
}

/// Whether tool results may hold links to resources, which clients of revisions before 2025-06-18 refuse, with all that
/// comes beside them. Without the header the revision is 2025-03-26 (2025-11-25, basic/transports). Dates sort as text.
fn knows_links(headers: &HeaderMap) -> bool {
    let revision = headers.get("mcp-protocol-version");
    revision.is_some_and(|it| it.as_bytes() >= ProtocolVersion::V_2025_06_18.as_str().as_bytes())
}

/// Logs a refused host, only once, since any client can send one.
fn warn_of_a_host() {
    static WARNED: Once = Once::new();
    WARNED.call_once(|| {
        warn!("refused /mcp call: Host differs from --public-url");
    });
}
