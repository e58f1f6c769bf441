//! Clients that upload, watch and keep a ledger of what the server acknowledged.

pub mod agent;
pub mod http2_frames;
pub mod ledger;
pub mod retrying_client;
pub mod upload_status;
pub mod uploader;
