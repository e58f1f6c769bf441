//! Connections, HTTP framing and timeouts.

mod connections;
mod host;
mod http_framing;
mod httplint;
mod ipv6;
mod protocols;
mod refusals;
mod slow_connections;
mod timeouts;
