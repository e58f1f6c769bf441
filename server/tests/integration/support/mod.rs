//! Servers for tests, clients for them, and macros that run a test on several storages.

mod backend;
pub mod binary;
pub mod certificate;
mod creator;
pub mod mcp_client;
mod overrides;
pub mod process;
mod requests;
mod responses;
mod restart;
pub mod scrape;
pub mod slow_proxy;
pub mod sql;
mod test_server;
pub mod transcriber;

pub use backend::Backend;
pub use creator::{Creator, last_segment, sibling_path, take_id};
pub use overrides::{generous_limits, unlimited_quotas};
pub use responses::*;
pub use test_server::Server;
pub use test_support::recordings::fixtures::*;
pub use test_support::wait_until;

/// Makes two tests of each function, on SQLite with a folder and on PostgreSQL with S3; behind `over_http2` a third
/// one, over HTTP/2 and TLS, as with a certificate or `--lan`.
macro_rules! on_each_storage {
    ($($name:ident)* $(; over_http2 $($secure:ident)*)?) => {
        $crate::support::on_storage! { sqlite sqlite $($name)* $($($secure)*)? }
        $crate::support::on_storage! { postgres_s3 postgres_s3 $($name)* $($($secure)*)? }
        $($crate::support::on_storage! { http2 over_http2 $($secure)* })?
    };
}

/// Makes a test of each function, in a module of its own, on a server from this constructor.
macro_rules! on_storage {
    ($module:ident $start:ident $($name:ident)*) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::support::Server::$start().await).await;
            })*
        }
    };
}

pub(crate) use {on_each_storage, on_storage};

pub const HOUR: i64 = 60 * 60 * 1000;
