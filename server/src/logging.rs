//! What is logged, and how.
//!
//! Nothing that holds a secret: see ARCHITECTURE.md. What other people's code says below an error never gets
//! here, whatever is asked for: rmcp prints whole messages with their tokens, tokio-postgres what its statements
//! are given, object_store the addresses of objects. And asking for that is easily done: `trace`, for instance.

use std::io::{IsTerminal, stdout};
use std::panic::PanicHookInfo;

use clap::ValueEnum;
use tracing::{Level, Metadata, error};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text to a terminal, JSON to anything else.
    Auto,
    /// For people.
    Text,
    /// For programs: an object a line.
    Json,
}

/// To the standard output, what `VIDENCE_LOG` asks for; panics as well, from now on.
pub(crate) fn to_stdout(format: Format) {
    let wanted = EnvFilter::try_from_env("VIDENCE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt::layer();
    let terminal = stdout().is_terminal();
    let json = format == Format::Json || (format == Format::Auto && !terminal);
    let lines = match json {
        true => lines
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
        false => lines.with_ansi(terminal).boxed(),
    };
    tracing_subscriber::registry()
        .with(lines.with_filter(wanted.and(filter_fn(is_harmless))))
        .init();
    std::panic::set_hook(Box::new(panicked));
}

fn is_harmless(it: &Metadata<'_>) -> bool {
    let ours = it.target().split("::").next() == Some(env!("CARGO_CRATE_NAME"));
    ours || *it.level() == Level::ERROR
}

/// Where it was; and with what words, if those stand in the code. Words that were put together at run time may
/// hold anything.
fn panicked(panic: &PanicHookInfo<'_>) {
    let message = panic.payload().downcast_ref::<&'static str>();
    let place = panic.location().map(tracing::field::display);
    let thread = std::thread::current();
    error!(message, place, thread = thread.name(), "panicked");
}

/// The lines for programs that are written while this is done on this thread.
#[cfg(test)]
pub(crate) fn written_during(work: impl FnOnce()) -> String {
    use std::sync::Arc;

    use parking_lot::Mutex;
    use tracing_subscriber::fmt::MakeWriter;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Lines {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt().json().with_writer(lines.clone());
    tracing::subscriber::with_default(subscriber.finish(), work);
    let written = lines.0.lock().clone();
    String::from_utf8(written).expect("UTF-8")
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, set_hook, take_hook};

    use super::*;

    #[test]
    fn a_panic_is_logged_with_its_place_and_without_what_it_was_given() {
        let written = written_during(|| {
            let before = take_hook();
            set_hook(Box::new(panicked));
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
