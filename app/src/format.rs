//! Formats durations, sizes, numbers and file names for people. Pure.

/// Formats a duration as minutes and seconds: `0:07`, `12:34`.
pub fn duration(millis: f64) -> String {
    // Clamped to 0; a recording has fewer than 2⁶⁴ seconds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let seconds = (millis / 1000.0).max(0.0) as u64;
    let (minutes, seconds) = ((seconds / 60).to_string(), (seconds % 60).to_string());
    // Without `format!`, whose padding would add to the WASM.
    [
        minutes.as_str(),
        if seconds.len() < 2 { ":0" } else { ":" },
        &seconds,
    ]
    .concat()
}

/// Formats a float as an integer, without the library's code for floats, which would add to the WASM.
#[cfg(feature = "recorder")]
pub fn integer(number: f64) -> String {
    // The cast saturates.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let number = number as u32;
    number.to_string()
}

/// Formats a size in megabytes, rounded up to a tenth: `0.3 MB`.
pub fn megabytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    let (whole, tenth) = ((tenths / 10).to_string(), (tenths % 10).to_string());
    [whole.as_str(), ".", &tenth, " MB"].concat()
}

/// The file name extension of a video's media type, which is given without parameters.
pub fn video_extension(media_type: &str) -> &'static str {
    match media_type {
        "video/mp4" => "mp4",
        "video/quicktime" => "mov",
        "video/x-matroska" => "mkv",
        _ => "webm",
    }
}

/// Formats a number with thousands separators: `1,234,567`.
#[cfg(feature = "console")]
pub fn thousands(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_are_formatted() {
        assert_eq!(duration(-1.0), "0:00");
        assert_eq!(duration(7_999.0), "0:07");
        assert_eq!(duration(754_000.0), "12:34");
        assert_eq!(megabytes(0), "0.0 MB");
        assert_eq!(megabytes(1), "0.1 MB");
        assert_eq!(megabytes(12_345_678), "12.4 MB");
    }

    #[test]
    fn videos_have_the_extension_of_their_type() {
        for (media_type, want) in [
            ("video/mp4", "mp4"),
            ("video/quicktime", "mov"),
            ("video/x-matroska", "mkv"),
            ("video/webm", "webm"),
        ] {
            assert_eq!(video_extension(media_type), want);
        }
    }

    #[cfg(feature = "console")]
    #[test]
    fn thousands_are_separated() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_005), "1,234,005");
    }
}
