//! The OpenAPI 3.1 document of `/v1`, generated from the handlers: the parts that they share.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::api::ErrorBody;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::routing::get;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{Schema, SchemaType, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::server::Server;
use utoipa::openapi::{OpenApi as Document, Ref, RefOr, Response};
use utoipa::{IntoResponses, Modify, OpenApi, ToResponse, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::config::public_url::PublicUrl;
use crate::http::static_document::StaticDocument;
use crate::service::AppState;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Vidence",
        version = "1.0.0",
        description = "Ask a human for video evidence. Create a request, give its link to a person, who \
                       records in any browser; poll, stream the video, delete it. After 1 to 48 hours \
                       everything is gone.\n\nNo API key: the token that a creation returns opens this one \
                       request and its video. Calls are limited by network address. Every error has the \
                       same body.",
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT"),
    ),
    components(
        schemas(ErrorBody),
        responses(
            BadRequest, Unauthorized, Forbidden, NotFound, Gone, PreconditionFailed, RangeNotSatisfiable,
            RateLimited, InternalError, TranscriptPending,
        ),
    ),
    tags(
        (name = "requests", description = "Create, poll and delete requests."),
        (name = "videos", description = "Stream videos, and get their metadata, receipts, stills and captions."),
    ),
    modifiers(&AccessTokenScheme),
)]
struct Shared;

struct AccessTokenScheme;

impl Modify for AccessTokenScheme {
    fn modify(&self, document: &mut Document) {
        let mut scheme = Http::new(HttpAuthScheme::Bearer);
        scheme.description = Some("The `access_token` of the creation.".to_owned());
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("requestAccessToken", SecurityScheme::Http(scheme));
    }
}

/// Marks header fields as not nullable: one that may be absent is never null.
struct Headers;

/// Marks the operations that need no token.
struct Anyone;

impl Modify for Anyone {
    fn modify(&self, document: &mut Document) {
        for operation in operations(document) {
            operation.security.get_or_insert_default();
        }
    }
}

fn operations(document: &mut Document) -> impl Iterator<Item = &mut Operation> {
    document.paths.paths.values_mut().flat_map(|path| {
        let methods = [&mut path.get, &mut path.post, &mut path.delete];
        methods.into_iter().flatten()
    })
}

impl Modify for Headers {
    fn modify(&self, document: &mut Document) {
        let parameters = operations(document).flat_map(|it| it.parameters.iter_mut().flatten());
        for parameter in parameters {
            if let RefOr::T(parameter) = parameter
                && parameter.parameter_in == ParameterIn::Header
                && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
            {
                schema.schema_type = SchemaType::Type(Type::String);
            }
        }
    }
}

/// The bytes of a video.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its description counts")]
pub struct VideoBytes(Vec<u8>);

/// A picture.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its description counts")]
pub struct JpegBytes(Vec<u8>);

macro_rules! errors {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        #[derive(ToResponse)]
        $(#[$attribute])*
        #[expect(dead_code, reason = "only its description counts")]
        pub struct $name(ErrorBody);
    )*};
}

errors! {
    #[response(
        description = "The body is malformed, or a value is out of bounds; then the message names the field.",
        example = json!({ "error": {
            "code": "bad_request",
            "message": "expires_in_hours must be 1 to 48, not 72",
        } }),
    )]
    BadRequest;

    #[response(
        description = "No token came along, or one that belongs to no request.",
        headers(("WWW-Authenticate", description = "`Bearer`, and what is wrong with the token.")),
        example = json!({ "error": {
            "code": "unauthorized",
            "message": "this token belongs to no request",
        } }),
    )]
    Unauthorized;

    #[response(
        description = "The token belongs to another request.",
        example = json!({ "error": {
            "code": "forbidden",
            "message": "this token grants no access here",
        } }),
        headers(("WWW-Authenticate", description = "`Bearer` with the error insufficient_scope.")),
    )]
    Forbidden;

    #[response(
        description = "It never existed, or it was deleted; or the video has no such picture, transcript or receipt, or \
                       not yet, as its metadata says.",
        example = json!({ "error": {
            "code": "not_found",
            "message": "there is nothing here, or it was deleted",
        } }),
    )]
    NotFound;

    #[response(
        description = "The transcript isn't made yet.",
        headers(("Retry-After" = u64, description = "Come back after so many seconds.")),
        example = json!({ "error": {
            "code": "transcript_pending",
            "message": "the transcript isn't made yet; ask again",
        } }),
    )]
    TranscriptPending;

    #[response(
        description = "The video has expired.",
        example = json!({ "error": {
            "code": "gone",
            "message": "this has expired and is no longer served",
        } }),
    )]
    Gone;

    #[response(
        description = "The video is another one than the client takes it for.",
        example = json!({ "error": {
            "code": "precondition_failed",
            "message": "the video is not the one that the request is meant for",
        } }),
    )]
    PreconditionFailed;

    #[response(
        description = "The range lies behind the end of the video.",
        headers(("Content-Range", description = "`bytes */total`.")),
        example = json!({ "error": {
            "code": "range_not_satisfiable",
            "message": "the video has 1048576 bytes; none of the range lies within them",
        } }),
    )]
    RangeNotSatisfiable;

    #[response(
        description = "Too many calls from this address, or its requests hold as many bytes as they may.",
        headers(("Retry-After" = u64, description = "Come back after so many seconds.")),
        example = json!({ "error": {
            "code": "rate_limited",
            "message": "too many requests; come back in 120 s",
        } }),
    )]
    RateLimited;

    #[response(
        description = "The server failed. Retrying may help.",
        headers(("Retry-After" = u64, description = "Where a store is away: come back after so many seconds.")),
        example = json!({ "error": {
            "code": "internal_error",
            "message": "something went wrong on our side; try again",
        } }),
    )]
    InternalError;
}

/// The errors of every operation that needs the token of a request.
pub struct TokenErrors;

impl IntoResponses for TokenErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let errors = [
            ("401", Unauthorized::response().0),
            ("403", Forbidden::response().0),
            ("404", NotFound::response().0),
            ("429", RateLimited::response().0),
            ("500", InternalError::response().0),
        ];
        let reference = |name| RefOr::Ref(Ref::from_response_name(name));
        BTreeMap::from(errors.map(|(status, name)| (status.to_owned(), reference(name))))
    }
}

/// Builds the whole document for a server with this public URL.
pub fn document(public_url: &PublicUrl) -> Document {
    let shared = OpenApiRouter::<AppState>::with_openapi(Shared::openapi());
    let mut document = shared.merge(super::routes()).into_openapi();
    Headers.modify(&mut document);
    Anyone.modify(&mut document);
    document.servers = Some(vec![Server::new(public_url.as_str())]);
    document
}

/// Serializes the document as JSON.
fn json(document: &Document) -> String {
    // Numbers, strings and maps with string keys can always be serialized.
    document.to_pretty_json().expect("plain data")
}

/// The `/v1/openapi.json` of a server with this public URL.
pub fn openapi_json(public_url: &PublicUrl) -> String {
    json(&document(public_url))
}

/// The route of `/v1/openapi.json`.
pub fn router<S: Clone + Send + Sync + 'static>(document: &Document) -> Router<S> {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (
            CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=300"),
        ),
    ];
    let document = document.clone();
    let text = StaticDocument::new(HeaderMap::from_iter(headers), move || json(&document));
    let serve =
        async |State(text): State<Arc<StaticDocument>>, headers: HeaderMap| text.respond(&headers);
    Router::new()
        .route("/v1/openapi.json", get(serve))
        .with_state(Arc::new(text))
}
