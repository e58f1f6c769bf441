//! Web pages, the guide and the OpenAPI document, with their headers and encodings.

mod assets;
mod compression;
mod guide;
mod html;
mod openapi;
mod qr;
mod recorded_session;
mod security_headers;
