//! Connections, HTTP framing and timeouts.

mod connections;
mod http_framing;
mod httplint;
mod ipv6;
mod slow_connections;
mod timeouts;
