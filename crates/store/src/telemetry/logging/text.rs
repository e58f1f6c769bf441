//! Log lines for people: those of tracing-subscriber, with the request at the end.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{Format, Full, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::request;

/// The format of a line. It has to be told of colors, because it doesn't write to the output itself.
pub(super) struct TextLine(pub(super) Format<Full>);

impl<S, N> FormatEvent<S, N> for TextLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut text = String::new();
        self.0
            .format_event(context, Writer::new(&mut text), event)?;
        line.write_str(text.trim_end())?;
        request::write_current(|request| write!(line, " {request}"))?;
        line.write_char('\n')
    }
}

#[cfg(test)]
mod tests {
    use tracing::info;

    use super::*;
    use crate::telemetry::logging::request::LoggedRequest;
    use crate::telemetry::logging::written::Lines;

    #[test]
    fn a_line_of_text_ends_with_its_request() {
        let request = LoggedRequest {
            method: "GET",
            route: None,
            id: "0123456789abcdef".to_owned(),
        };
        for (is_colored, want) in [
            (
                false,
                "completed status=200 http{method=GET route=unknown request_id=0123456789abcdef}\n",
            ),
            (
                true,
                "=\u{1b}[0m200 http{method=GET route=unknown request_id=0123456789abcdef}\n",
            ),
        ] {
            let lines = Lines::default();
            let subscriber = tracing_subscriber::fmt()
                .with_ansi(is_colored)
                .map_event_format(|format| TextLine(format.with_ansi(is_colored)))
                .with_writer(lines.clone());
            tracing::subscriber::with_default(subscriber.finish(), || {
                request::within(&request.clone().into(), || info!(status = 200, "completed"));
            });
            let written = lines.into_text();
            assert!(written.ends_with(want), "{written:?}");
            assert_eq!(written.lines().count(), 1, "{written}");
        }
    }
}
