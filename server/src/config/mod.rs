//! Every setting, once: a flag, an environment variable of the same name, a default, a help text.

mod law;
mod limits;
mod quotas;
mod serving;
mod store;
mod telemetry;
pub(crate) mod units;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::origin::Origin;
use crate::service::PublicUrl;

use units::{SIZE, size};

pub use law::LawArgs;
pub use limits::LimitArgs;
pub use quotas::QuotaArgs;
pub use serving::{Drain, ServingArgs};
pub use store::{BlobUrl, StoreArgs};
pub use telemetry::TelemetryArgs;

/// Some clients of MCP read answers of up to 8 MiB, and base64 makes four bytes of three.
pub const MOST_INLINE_BYTES: u64 = 5 << 20;

/// What the server may be told.
#[derive(Clone, Debug, Parser)]
#[command(after_help = units::HELP)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "VIDENCE_LISTEN", default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,

    /// Where people and programs reach this server, such as https://evidence.example.org
    /// [default: http:// and the address listened on]
    #[arg(long, env = "VIDENCE_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<PublicUrl>,

    /// How connections are served
    #[command(flatten)]
    pub serving: ServingArgs,

    /// Where rows and bytes lie
    #[command(flatten)]
    pub store: StoreArgs,

    /// ffmpeg, which makes stills of videos that Vidence can't decode by itself; "off" for none
    /// [default: the one on the PATH, if there is any]
    #[arg(long, env = "VIDENCE_FFMPEG")]
    pub ffmpeg: Option<PathBuf>,

    /// Maximum size of a video that is part of an answer over MCP, at most 5MiB; of larger ones the answer has the
    /// address
    #[arg(long, env = "VIDENCE_MCP_INLINE_BYTES", value_name = SIZE, value_parser = size, default_value = "5MiB")]
    pub mcp_inline_bytes: u64,

    /// Web pages that may call MCP besides our own and those of the same machine, such as
    /// https://agents.example.net; several with commas
    #[arg(long, env = "VIDENCE_MCP_ORIGINS", value_delimiter = ',')]
    pub mcp_origins: Vec<Origin>,

    /// Whom people can turn to
    #[command(flatten)]
    pub law: LawArgs,

    /// How much may be stored
    #[command(flatten)]
    pub limits: LimitArgs,

    /// How often one may ask
    #[command(flatten)]
    pub quotas: QuotaArgs,

    /// What the operator gets to see
    #[command(flatten)]
    pub telemetry: TelemetryArgs,
}

impl Config {
    /// For commands that serve nobody: these stores, and all else as it is by itself, whatever the environment
    /// says of what they don't use.
    pub fn for_stores(store: StoreArgs) -> Self {
        let settings = Self::command().mut_args(|setting| setting.env(Resettable::Reset));
        let defaults = settings.get_matches_from(["vidence"]);
        let defaults = Self::from_arg_matches(&defaults).expect("defaults that are values");
        Self { store, ..defaults }
    }
}

pub(crate) fn public_url(text: &str) -> Result<PublicUrl, String> {
    let text = text.trim_end_matches('/');
    let secure = text.strip_prefix("https://");
    match secure.or_else(|| text.strip_prefix("http://")) {
        // The pages' own links begin at the root, so a path would break them.
        Some(host) if !host.contains(['/', '?', '#', '@']) && text.parse::<Origin>().is_ok() => {
            Ok(PublicUrl::new(text))
        }
        _ => Err("give it as https://host or http://host:port, without a path".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_scheme_host_and_port() {
        for (text, want) in [
            (
                "https://evidence.example.org",
                Some("https://evidence.example.org"),
            ),
            (
                "https://evidence.example.org/",
                Some("https://evidence.example.org"),
            ),
            ("http://127.0.0.1:3000", Some("http://127.0.0.1:3000")),
            ("http://[::1]:3000", Some("http://[::1]:3000")),
            ("https://example.org/base", None),
            ("https://user@example.org", None),
            ("https://example.org?a", None),
            ("https://", None),
            ("https://bücher.example", None),
            ("https://example.org:80a", None),
            ("example.org", None),
            ("ftp://example.org", None),
        ] {
            let parsed = public_url(text).ok();
            assert_eq!(parsed.as_ref().map(PublicUrl::as_str), want, "{text}");
        }
    }
}
