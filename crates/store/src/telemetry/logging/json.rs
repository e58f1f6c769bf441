//! Log lines in JSON: an object of the event's fields, with the request that it belongs to.

use std::error::Error;
use std::fmt::{self, Debug, Write};

use jiff::Timestamp;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::request::{self, LoggedRequest};

/// The format of a line.
pub(super) struct JsonLine;

/// The format of fields: `,"name":value` for each, which stands behind another one.
pub(super) struct JsonFields;

impl<S> FormatEvent<S, JsonFields> for JsonLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, JsonFields>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let (now, metadata) = (Timestamp::now(), event.metadata());
        let (level, target) = (metadata.level(), metadata.target());
        write!(line, r#"{{"timestamp":"{now:.6}","level":"{level}""#)?;
        JsonFields.format_fields(line.by_ref(), event)?;
        write!(line, r#","target":"{target}""#)?;
        request::write_current(|request| write_request(&mut line, request))?;
        line.write_str("}\n")
    }
}

/// Without `write!`, as there is nothing to escape in what this server has chosen itself.
fn write_request(line: &mut Writer<'_>, request: &LoggedRequest) -> fmt::Result {
    for part in [
        r#","http":{"method":""#,
        request.method,
        r#"","route":""#,
        request.route(),
        r#"","request_id":""#,
        &request.id,
        r#""}"#,
    ] {
        line.write_str(part)?;
    }
    Ok(())
}

impl<'writer> FormatFields<'writer> for JsonFields {
    fn format_fields<R: RecordFields>(&self, line: Writer<'writer>, fields: R) -> fmt::Result {
        let mut visitor = FieldWriter {
            line,
            result: Ok(()),
        };
        fields.record(&mut visitor);
        visitor.result
    }
}

/// Writes fields, until the first error.
struct FieldWriter<'a> {
    line: Writer<'a>,
    result: fmt::Result,
}

impl FieldWriter<'_> {
    /// Writes a field whose value is valid JSON as it is printed.
    fn write(&mut self, field: &Field, value: impl fmt::Display) {
        self.write_with(field, |line| write!(line, "{value}"));
    }

    fn write_with(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        if self.result.is_ok() {
            self.result =
                write_name(&mut self.line, field.name()).and_then(|()| value(&mut self.line));
        }
    }
}

/// Without `write!`, which takes longer than the copying.
fn write_name(line: &mut Writer<'_>, name: &str) -> fmt::Result {
    line.write_str(",\"")?;
    line.write_str(name)?;
    line.write_str("\":")
}

impl Visit for FieldWriter<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        match value.is_finite() {
            // Not as an integer: some stores of logs take the type of a field from its first value.
            true => self.write(field, format_args!("{value:?}")),
            // JSON has no other numbers (RFC 8259, section 6).
            false => self.write(field, "null"),
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.write(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.write(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.write(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.write_with(field, |line| write_string(line, |it| it.write_str(value)));
    }

    /// Writes an error and its sources.
    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.write_with(field, |line| {
            write_string(line, |it| {
                write!(it, "{value}")?;
                let mut sources = std::iter::successors(value.source(), |error| (*error).source());
                sources.try_for_each(|source| write!(it, ": {source}"))
            })
        });
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.write_with(field, |line| {
            write_string(line, |it| write!(it, "{value:?}"))
        });
    }
}

/// Writes what `write` writes as a string (RFC 8259, section 7).
fn write_string<'a>(
    line: &mut Writer<'a>,
    write: impl FnOnce(&mut Escaped<'_, 'a>) -> fmt::Result,
) -> fmt::Result {
    line.write_char('"')?;
    write(&mut Escaped(line))?;
    line.write_char('"')
}

/// Escapes what is written to it.
struct Escaped<'a, 'b>(&'a mut Writer<'b>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Bytes of other characters are never below 0x80 in UTF-8.
        let is_special = |it: u8| it < b' ' || it == b'"' || it == b'\\';
        let mut rest = text;
        while let Some(at) = rest.bytes().position(is_special) {
            self.0.write_str(&rest[..at])?;
            match rest.as_bytes()[at] {
                b'\n' => self.0.write_str("\\n")?,
                special @ (b'"' | b'\\') => write!(self.0, "\\{}", char::from(special))?,
                special => write!(self.0, "\\u{special:04x}")?,
            }
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use proptest::prelude::*;
    use serde_json::{Value, json};
    use tracing::{info, warn};

    use crate::telemetry::logging::request::{self, LoggedRequest};
    use crate::telemetry::logging::{AsDynError, written_during};

    fn line(work: impl FnOnce()) -> Value {
        let written = written_during(work);
        assert_eq!(written.lines().count(), 1, "{written}");
        serde_json::from_str(&written).unwrap_or_else(|_| panic!("no JSON: {written}"))
    }

    #[test]
    fn a_line_has_the_fields_of_its_event_and_its_request() {
        let request = LoggedRequest {
            method: "GET",
            route: None,
            id: "0123456789abcdef".to_owned(),
        };
        let mut line = line(|| {
            let nothing: Option<u64> = None;
            request::within(&request.into(), || {
                info!(
                    status = 200,
                    duration_ms = 0.25,
                    ratio = f64::NAN,
                    nothing,
                    "completed {}",
                    1
                );
            });
        });
        let timestamp = line["timestamp"].take();
        let timestamp = timestamp.as_str().expect("a text");
        assert_eq!(
            timestamp.len(),
            "2026-11-24T12:00:00.000000Z".len(),
            "{timestamp}"
        );
        timestamp.parse::<jiff::Timestamp>().expect("a time");
        let want = json!({
            "timestamp": null,
            "level": "INFO",
            "message": "completed 1",
            "status": 200,
            "duration_ms": 0.25,
            "ratio": null,
            "target": "store::telemetry::logging::json::tests",
            "http": { "method": "GET", "route": "unknown", "request_id": "0123456789abcdef" },
        });
        assert_eq!(line, want);
    }

    #[test]
    fn an_error_is_logged_with_its_sources() {
        #[derive(Debug, thiserror::Error)]
        #[error("the object can't be read")]
        struct Unreadable(#[source] io::Error);

        let error = Unreadable(io::Error::other("EIO"));
        let line = line(|| warn!(error = error.as_dyn()));
        assert_eq!(line["error"], "the object can't be read: EIO");
    }

    proptest! {
        #[test]
        fn every_message_is_one_line(text: String, more in "[\\x00-\\x1f\"\\\\]*") {
            let line = line(|| info!(text, debug = ?more, "{more}"));
            prop_assert_eq!(&line["text"], &text);
            prop_assert_eq!(&line["debug"], &format!("{more:?}"));
            prop_assert_eq!(&line["message"], &more);
        }
    }
}
