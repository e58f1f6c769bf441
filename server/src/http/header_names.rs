//! Names of header fields that the `http` crate doesn't define and that more than one module uses.

use axum::http::HeaderName;

// draft-ietf-httpbis-resumable-upload, section 4; the first two also in tus 1.0.
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
pub const UPLOAD_LIMIT: HeaderName = HeaderName::from_static("upload-limit");

/// RFC 5789, section 3.1.
pub const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// RFC 7240, section 3.
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// RFC 9530, section 3.
pub const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");

pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
