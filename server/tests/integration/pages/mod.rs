//! Web pages, the guide and the OpenAPI document, with their headers and encodings.

mod compression;
mod guide;
mod html;
mod openapi;
mod qr;
mod security_headers;
