//! Logging to the standard output.
//!
//! No secret is logged (ARCHITECTURE.md). So events of other crates below the level of errors are dropped, whatever
//! `--log` enables, such as a plain `trace`: rmcp logs whole messages with their tokens, tokio-postgres the
//! parameters of statements, object_store the URLs of objects.

mod filter;
mod json;
mod output;
mod priority;
pub mod request;
mod text;

use std::io::{self, IsTerminal, stdout};
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use clap::ValueEnum;
use tracing::{Level, error};
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use json::{JsonFields, JsonLine};
use output::Output;
use priority::Prioritized;
use text::TextLine;

pub use filter::LogFilter;
pub use priority::is_journal;

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text on a terminal, JSON otherwise.
    Auto,
    /// Text.
    Text,
    /// A JSON object a line.
    Json,
}

impl Format {
    /// Whether lines are JSON objects.
    pub fn is_json(self) -> bool {
        self == Self::Json || (self == Self::Auto && !stdout().is_terminal())
    }
}

/// The output of this process: the subscriber is global, too.
static OUTPUT: OnceLock<Output> = OnceLock::new();

/// Flushes the log when it is dropped.
pub struct LogGuard;

impl Drop for LogGuard {
    fn drop(&mut self) {
        flush();
    }
}

/// Starts logging to the standard output what `filter` enables, and panics.
pub fn init(filter: &LogFilter, format: Format) -> io::Result<LogGuard> {
    let wanted = filter.to_env_filter();
    let output = Output::start(stdout())?;
    let output = OUTPUT.get_or_init(|| output).clone();
    let lines = tracing_subscriber::fmt::layer().with_writer(output);
    let terminal = stdout().is_terminal();
    let to_journal = is_journal(stdout());
    let lines = match format.is_json() {
        true => lines
            .fmt_fields(JsonFields)
            .event_format(Prioritized {
                format: JsonLine,
                to_journal,
            })
            .boxed(),
        false => {
            let is_colored = terminal && may_color();
            lines
                .with_ansi(is_colored)
                .map_event_format(|format| Prioritized {
                    format: TextLine(format.with_ansi(is_colored)),
                    to_journal,
                })
                .boxed()
        }
    };
    tracing_subscriber::registry()
        .with(
            lines.with_filter(wanted.and(filter_fn(|it| may_be_logged(it.target(), *it.level())))),
        )
        .init();
    std::panic::set_hook(Box::new(log_panic));
    Ok(LogGuard)
}

/// Whether the person and the terminal want colors (no-color.org).
fn may_color() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    !no_color && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
}

/// Waits a moment until all lines are written. For the end of the process.
pub fn flush() {
    if let Some(output) = OUTPUT.get() {
        output.flush();
    }
}

/// The targets whose events are logged at every level, which are this program's: they log no secret.
const OWN_TARGETS: [&str; 6] = ["access_log", "media", "net", "server", "stills", "store"];

/// The target by which rmcp calls it an error that a client hung up.
/// The access log has it, and `server::mcp::error` what failed.
const NO_ERRORS: &str = "rmcp::service";

/// Whether an event comes from this program's own crates, or is an error.
fn may_be_logged(target: &str, level: Level) -> bool {
    may_be_target(target) || (level == Level::ERROR && target != NO_ERRORS)
}

/// Whether a target is one of this program, or within one.
fn may_be_target(target: &str) -> bool {
    let (name, _) = target.split_once("::").unwrap_or((target, ""));
    OWN_TARGETS.contains(&name)
}

/// Logs the location of a panic, and its message if that is a literal.
/// A formatted message may contain a secret.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let message = panic.payload().downcast_ref::<&'static str>();
    let place = panic.location().map(tracing::field::display);
    let thread = std::thread::current();
    error!(target: "server", message, place, thread = thread.name(), "panicked");
    // It may be the end of the process.
    flush();
}

/// Converts an error to the value that `tracing` records with its sources.
pub trait AsDynError {
    /// The error as the value of a log field.
    fn as_dyn(&self) -> &(dyn std::error::Error + 'static);
}

impl<E: std::error::Error + 'static> AsDynError for E {
    fn as_dyn(&self) -> &(dyn std::error::Error + 'static) {
        self
    }
}

/// Returns the JSON log lines that `work` writes on this thread. For tests, of other crates too.
pub fn written_during(work: impl FnOnce()) -> String {
    let lines = written::Lines::default();
    let subscriber = tracing_subscriber::fmt()
        .fmt_fields(JsonFields)
        .event_format(JsonLine)
        .with_writer(lines.clone());
    tracing::subscriber::with_default(subscriber.finish(), work);
    lines.into_text()
}

/// Lines that a test keeps.
mod written {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::*;

    #[derive(Clone, Default)]
    pub(super) struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Lines {
        pub(super) fn into_text(self) -> String {
            String::from_utf8(self.0.lock().clone()).expect("UTF-8")
        }
    }

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl tracing_subscriber::fmt::MakeWriter<'_> for Lines {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, set_hook, take_hook};

    use super::*;

    #[test]
    fn errors_of_dependencies_are_logged_except_disconnects() {
        for (target, level, want) in [
            ("server::service", Level::DEBUG, true),
            ("tokio_postgres", Level::WARN, false),
            ("tokio_postgres", Level::ERROR, true),
            ("rmcp::transport", Level::ERROR, true),
            ("rmcp::service", Level::ERROR, false),
        ] {
            assert_eq!(may_be_logged(target, level), want, "{target} {level}");
        }
    }

    #[test]
    fn a_panic_is_logged_with_its_place_and_without_what_it_was_given() {
        let written = written_during(|| {
            let before = take_hook();
            set_hook(Box::new(log_panic));
            let secret = "a token".to_owned();
            let _ = catch_unwind(|| panic!("with {secret}"));
            let _ = catch_unwind(|| panic!("as the code says"));
            set_hook(before);
        });
        assert_eq!(written.matches(file!()).count(), 2, "{written}");
        assert!(written.contains("as the code says"), "{written}");
        assert!(!written.contains("token"), "{written}");
    }
}
