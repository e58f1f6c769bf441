//! What the operator gets to see.

use std::net::SocketAddr;

use clap::Args;

use crate::telemetry::logging::Format;

/// What the operator gets to see.
#[derive(Clone, Debug, Args)]
pub struct TelemetryArgs {
    /// Address and port at which /metrics, /healthz and /readyz are answered, for the operator alone, such as
    /// 127.0.0.1:3001 [default: nothing is measured]
    #[arg(long, env = "VIDENCE_ADMIN_LISTEN")]
    pub admin_listen: Option<SocketAddr>,

    /// How the log is written; "auto" is text to a terminal and JSON lines to anything else
    #[arg(long, env = "VIDENCE_LOG_FORMAT", default_value = "auto")]
    pub log_format: Format,
}
