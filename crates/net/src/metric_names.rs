//! Names of the metrics that this crate records through the `metrics` facade.

/// Gauge: open connections.
pub const CONNECTIONS: &str = "vidence_connections";

/// Counter: connections that waited because as many as may were open.
pub const CONNECTIONS_WAITED: &str = "vidence_connections_waited_total";

/// Counter, by `reason`: connections that the server closed.
pub const CONNECTIONS_CLOSED: &str = "vidence_connections_closed_total";
