//! Priorities of log lines for the journal, so that `journalctl --priority warning` finds warnings: sd-daemon(3).

use std::env;
use std::fmt;
use std::os::fd::AsFd;

use rustix::fs::fstat;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

/// A format of lines, with the priority in front if the journal reads them. The journal removes it.
pub(super) struct Prioritized<F> {
    pub(super) format: F,
    pub(super) to_journal: bool,
}

impl<S, N, F> FormatEvent<S, N> for Prioritized<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        if self.to_journal {
            write!(line, "<{}>", priority(*event.metadata().level()))?;
        }
        self.format.format_event(context, line, event)
    }
}

/// The priority of syslog(3).
const fn priority(level: Level) -> u8 {
    match level {
        Level::ERROR => 3,
        Level::WARN => 4,
        Level::INFO => 6,
        Level::DEBUG | Level::TRACE => 7,
    }
}

/// Whether the journal reads this output: systemd.exec(5), `JOURNAL_STREAM`.
pub fn is_journal(output: impl AsFd) -> bool {
    let stream = env::var("JOURNAL_STREAM");
    let named = stream.as_deref().ok().and_then(|it| it.split_once(':'));
    let Some(((device, inode), stat)) = named.zip(fstat(output).ok()) else {
        return false;
    };
    // Not only whether it is set: a service may have redirected its output.
    device.parse() == Ok(stat.st_dev) && inode.parse() == Ok(stat.st_ino)
}
