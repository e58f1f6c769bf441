//! What is logged, and how.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// To the standard output, what `VIDENCE_LOG` asks for.
pub(crate) fn to_stdout() {
    let wanted = EnvFilter::try_from_env("VIDENCE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    // It prints whole messages, tokens included, and asking for that is easily done: `trace`, for instance.
    let harmless = filter_fn(|it| !it.target().starts_with("rmcp") || *it.level() == Level::ERROR);
    let lines = tracing_subscriber::fmt::layer().with_ansi(std::io::stdout().is_terminal());
    tracing_subscriber::registry()
        .with(lines.with_filter(wanted.and(harmless)))
        .init();
}
