//! Sizes and durations of settings: a number with a unit, or a plain number of bytes or seconds.

use std::time::Duration;

use bytesize::ByteSize;

/// The value name of a setting that holds a number of bytes. `vidence config` prints its value with a unit.
pub(crate) const SIZE: &str = "SIZE";

/// The value name of a setting that holds a size for each network.
pub(crate) const NETWORK_SIZE: &str = "NETWORK=SIZE";

/// The value name of a setting that holds a time. `vidence config` prints its value with a unit.
pub(crate) const DURATION: &str = "DURATION";

/// What `--help` says about both.
pub(super) const HELP: &str = "SIZE is a number of bytes, or has a unit: 64MiB, 1.5GB. \
     DURATION is a number of seconds, or has a unit: 500ms, 10s, 2m.";

/// Reads a size as a number of bytes.
pub(crate) fn size(text: &str) -> Result<u64, &'static str> {
    let size: Result<ByteSize, _> = text.parse();
    size.map(|size| size.as_u64())
        .map_err(|_| "give a number of bytes, or a number with a unit, such as 64MiB or 1.5GB")
}

/// Reads a duration.
pub(crate) fn duration(text: &str) -> Result<Duration, &'static str> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    humantime::parse_duration(text)
        .map_err(|_| "give a number of seconds, or a number with a unit, such as 10s or 2m")
}

/// Writes a size in the largest unit of which it is a whole number. [`size`] reads the same number of bytes from it.
pub(crate) fn show_size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 8] = [
        (bytesize::TIB, "TiB"),
        (bytesize::TB, "TB"),
        (bytesize::GIB, "GiB"),
        (bytesize::GB, "GB"),
        (bytesize::MIB, "MiB"),
        (bytesize::MB, "MB"),
        (bytesize::KIB, "KiB"),
        (bytesize::KB, "kB"),
    ];
    let unit = UNITS.iter().find(|(unit, _)| bytes.is_multiple_of(*unit));
    match unit {
        Some((unit, name)) if bytes > 0 => format!("{}{name}", bytes / unit),
        _ => format!("{bytes}B"),
    }
}

/// Writes a duration as [`duration`] reads it.
pub(crate) fn show_duration(duration: Duration) -> String {
    humantime::format_duration(duration).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_of_bytes_or_has_a_unit() {
        for (text, want) in [
            ("0", Some(0)),
            ("67108864", Some(64 << 20)),
            ("64MiB", Some(64 << 20)),
            ("64 MiB", Some(64 << 20)),
            ("64mib", Some(64 << 20)),
            ("500MB", Some(500_000_000)),
            ("1.5GB", Some(1_500_000_000)),
            ("2000000000000", Some(2_000_000_000_000)),
            ("18446744073709551615", Some(u64::MAX)),
            ("", None),
            ("MiB", None),
            ("-1", None),
            ("64 elephants", None),
        ] {
            assert_eq!(size(text).ok(), want, "{text}");
        }
    }

    #[test]
    fn a_duration_is_a_number_of_seconds_or_has_a_unit() {
        for (text, want) in [
            ("0", Some(Duration::ZERO)),
            ("10", Some(Duration::from_secs(10))),
            ("10s", Some(Duration::from_secs(10))),
            ("500ms", Some(Duration::from_millis(500))),
            ("2m", Some(Duration::from_mins(2))),
            ("1m 30s", Some(Duration::from_secs(90))),
            ("", None),
            ("s", None),
            ("-1", None),
            ("1.5", None),
            ("10 elephants", None),
        ] {
            assert_eq!(duration(text).ok(), want, "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_read_as_the_same_value() {
        for (bytes, shown) in [
            (0, "0B"),
            (5 << 20, "5MiB"),
            (20 << 30, "20GiB"),
            (1025 << 30, "1025GiB"),
            (50_000_000_000, "50GB"),
            (1_500_000, "1500kB"),
            (1_234_567, "1234567B"),
            (u64::MAX, "18446744073709551615B"),
        ] {
            assert_eq!(show_size(bytes), shown);
            assert_eq!(size(shown), Ok(bytes));
        }
        for (time, shown) in [
            (Duration::ZERO, "0s"),
            (Duration::from_secs(10), "10s"),
            (Duration::from_millis(90_500), "1m 30s 500ms"),
        ] {
            assert_eq!(show_duration(time), shown);
            assert_eq!(duration(shown), Ok(time));
        }
    }
}
