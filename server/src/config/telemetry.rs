//! Settings of logs and metrics.

use std::net::SocketAddr;

use clap::Args;

use crate::telemetry::logging::{Format, LogFilter};

/// Logs and metrics.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Telemetry")]
pub struct TelemetryArgs {
    /// Address and port of the operator's listener with /metrics, /refusals, /healthz and /readyz, such as
    /// 127.0.0.1:3001 [default: none, and no metrics]
    #[arg(long, env = "VIDENCE_ADMIN_LISTEN")]
    pub admin_listen: Option<SocketAddr>,

    /// What is logged: off, error, warn, info, debug or trace, for all or by target; access_log=warn,info has no line per
    /// request
    #[arg(
        long,
        env = "VIDENCE_LOG",
        default_value = "info",
        value_name = "LEVEL"
    )]
    pub log: LogFilter,

    /// Log format; "auto" is text to a terminal and JSON lines to anything else
    #[arg(long, env = "VIDENCE_LOG_FORMAT", default_value = "auto")]
    pub log_format: Format,
}
