//! Logs and metrics for the operator.
//!
//! Events are counted where they happen, through the `metrics` facade, by the names in [`names`], and rendered by
//! [`Exporter`]. Gauges are read at each scrape, and rendered by [`Exposition`]. Without an admin address no exporter
//! is installed, and the facade does nothing. Depends on no other module of this crate.

mod exporter;
mod exposition;
pub mod logging;
pub mod names;
mod process;
pub mod refusal_reasons;

pub use exporter::{Exporter, is_on};
pub use exposition::Exposition;
pub use process::process_metrics;

/// Marks a response to a client that asked to wait for an event.
/// Its latency isn't the server's, and isn't recorded.
#[derive(Clone, Copy)]
pub struct LongPolled;
