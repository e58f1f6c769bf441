//! What server and browser share: the wire types of `/v1`, the pages and the recording island.

pub mod api;
mod browser;
pub mod facts;
#[cfg(feature = "ssr")]
pub mod pages;
pub mod recorder;
