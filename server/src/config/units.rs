//! Sizes and durations of settings: a number with a unit, or a plain number of bytes or seconds.

use std::time::Duration;

use bytesize::ByteSize;

/// The value name of a setting that holds a number of bytes.
pub(super) const SIZE: &str = "SIZE";

/// The value name of a setting that holds a size for each network.
pub(super) const NETWORK_SIZE: &str = "NETWORK=SIZE";

/// The value name of a setting that holds a time.
pub(super) const DURATION: &str = "DURATION";

/// What `--help` says about both.
pub(super) const HELP: &str = "SIZE is a number of bytes, or has a unit: 64MiB, 1.5GB. \
     DURATION is a number of seconds, or has a unit: 500ms, 10s, 2m.";

/// Reads a size as a number of bytes.
pub(super) fn size(text: &str) -> Result<u64, &'static str> {
    let size: Result<ByteSize, _> = text.parse();
    size.map(|size| size.as_u64())
        .map_err(|_| "give a number of bytes, or a number with a unit, such as 64MiB or 1.5GB")
}

/// Reads the size of a limit under which something must fit.
pub(super) fn positive_size(text: &str) -> Result<u64, &'static str> {
    match size(text)? {
        0 => Err("nothing fits into 0 bytes; there is no value for \"no limit\""),
        bytes => Ok(bytes),
    }
}

/// Reads a duration.
pub(super) fn duration(text: &str) -> Result<Duration, &'static str> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    humantime::parse_duration(text)
        .map_err(|_| "give a number of seconds, or a number with a unit, such as 10s or 2m")
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
}
