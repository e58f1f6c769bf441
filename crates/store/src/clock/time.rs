//! Times as numbers, and as texts of APIs, headers and pages.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::DateTimePrinter;
use jiff::tz::TimeZone;

/// Milliseconds since 1970 UTC, the unit of all times in the database.
pub type Millis = i64;

/// Formats a time as all APIs do: RFC 3339 in UTC.
/// Milliseconds are always included, so that times sort as text.
pub fn rfc3339(at: Millis) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    // Only years beyond 9999 are outside of jiff's range, and no request expires then.
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    PRINTER.timestamp_to_string(&at)
}

/// Formats a time for HTTP headers: RFC 9110, section 5.6.7.
pub fn http_date(at: Millis) -> String {
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Converts a time to date and time in UTC, for texts to a reader whose time zone is unknown.
pub fn civil(at: Millis) -> DateTime {
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    at.to_zoned(TimeZone::UTC).datetime()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_utc() {
        assert_eq!(rfc3339(1_795_219_200_000), "2026-11-21T00:00:00.000Z");
        assert_eq!(rfc3339(1_795_219_200_250), "2026-11-21T00:00:00.250Z");
        assert_eq!(
            civil(1_795_219_200_250).to_string(),
            "2026-11-21T00:00:00.25"
        );
        assert_eq!(
            http_date(1_795_219_200_250),
            "Sat, 21 Nov 2026 00:00:00 GMT"
        );
    }
}
