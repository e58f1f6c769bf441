//! The settings: each is a flag and an environment variable, with a default and a help text.
//!
//! Below the layers that obey them: a setting is a plain value here, or of the type of the store or outside service that it
//! opens.

mod limits;
mod operator;
pub mod public_url;
mod quotas;
mod rate;
pub mod secret_files;
mod serving;
mod stores;
mod telemetry;
mod transcripts;
mod units;
mod unknown_variables;
mod warnings;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::config::public_url::{Origin, PublicUrl};

use units::{SIZE, size};

pub use limits::LimitArgs;
pub use operator::{Contact, LegalText, Operator, OperatorArgs};
pub use quotas::{QuotaArgs, client_network};
pub use rate::{Rate, RateLimit};
pub use serving::ServingArgs;
pub use stores::{BlobUrl, StoreArgs};
pub use telemetry::TelemetryArgs;
pub use transcripts::TranscriptArgs;

/// The settings of a server.
#[derive(Clone, Debug, Parser)]
#[command(after_help = units::HELP)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "VIDENCE_LISTEN", default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,

    /// Base URL at which clients reach this server, such as https://evidence.example.org
    /// [default: http:// or https:// and the listening address]
    #[arg(long, env = "VIDENCE_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<PublicUrl>,

    /// Private key that signs receipts, a PEM file, as `openssl genpkey -algorithm ed25519` makes one
    /// [default: made at the first start: receipt-key.pem in the data folder, or in PostgreSQL, where all nodes find it]
    #[arg(long, env = "VIDENCE_RECEIPT_KEY")]
    pub receipt_key: Option<PathBuf>,

    /// Path of ffmpeg, which decodes stills of codecs without a built-in decoder; "off" for none
    /// [default: the first on the PATH, if any]
    #[arg(long, env = "VIDENCE_FFMPEG")]
    pub ffmpeg: Option<PathBuf>,

    /// Largest video that the result of an MCP tool contains, at most 5MiB; of a larger one the result has a link
    #[arg(long, env = "VIDENCE_MCP_INLINE_BYTES", value_name = SIZE, value_parser = size, default_value = "5MiB")]
    pub mcp_inline_bytes: u64,

    /// Origins of web pages that may call /mcp besides this server's own and loopback ones, such as
    /// https://agents.example.net; comma-separated
    #[arg(long, env = "VIDENCE_MCP_ORIGINS", value_delimiter = ',')]
    pub mcp_origins: Vec<Origin>,

    // The help heading of a group also applies to what follows it, so the groups come last.
    /// Connections and shutdown
    #[command(flatten)]
    pub serving: ServingArgs,

    /// Database and blob store
    #[command(flatten)]
    pub store: StoreArgs,

    /// Operator and legal texts
    #[command(flatten)]
    pub operator: OperatorArgs,

    /// Limits of storage and memory
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Rate limits and quotas of clients
    #[command(flatten)]
    pub quotas: QuotaArgs,

    /// Transcripts of what is said
    #[command(flatten)]
    pub transcripts: TranscriptArgs,

    /// Logs and metrics
    #[command(flatten)]
    pub telemetry: TelemetryArgs,
}

impl Config {
    /// The settings of a command that doesn't serve: these stores, and defaults for everything else.
    /// The environment is ignored, so that it can't hold an invalid value for a setting that the command doesn't use.
    pub fn for_stores(store: StoreArgs) -> Self {
        Self {
            store,
            ..Self::defaults()
        }
    }

    /// The defaults of all settings, whatever the environment says.
    pub(crate) fn defaults() -> Self {
        let settings = Self::command().mut_args(|setting| setting.env(Resettable::Reset));
        let defaults = settings.get_matches_from(["vidence"]);
        Self::from_arg_matches(&defaults).expect("valid defaults")
    }
}

pub(crate) fn public_url(text: &str) -> Result<PublicUrl, String> {
    let text = text.trim_end_matches('/');
    let secure = text.strip_prefix("https://");
    match secure.or_else(|| text.strip_prefix("http://")) {
        // Without a path, because links in pages are relative to the root.
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
