//! Connections that are cut, slow or hostile.

pub mod asking;
mod connection_cuts;
mod http2_abuse;
mod http2_attack;
mod slow_uploads;
mod upload_clients;
