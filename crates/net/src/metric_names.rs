//! Names of the metrics that this crate records through the `metrics` facade.

/// Gauge: open connections.
pub const CONNECTIONS: &str = "vidence_connections";

/// Counter, by `reason`: connections that the server closed.
pub const CONNECTIONS_CLOSED: &str = "vidence_connections_closed_total";
