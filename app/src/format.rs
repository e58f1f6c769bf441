//! Times and sizes for people. Pure.

/// `0:07`, `12:34`.
pub fn duration(millis: f64) -> String {
    // A recording has neither negative time nor 2⁶⁴ seconds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let seconds = (millis / 1000.0).max(0.0) as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A small whole number, without what the standard library brings to write any float.
#[cfg(feature = "recorder")]
pub fn whole(number: f64) -> String {
    // Saturates, and nobody counts that far.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let number = number as u32;
    number.to_string()
}

/// `0.3 MB`.
pub fn megabytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// `1,234,567`.
#[cfg(feature = "console")]
pub fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_for_people() {
        assert_eq!(duration(-1.0), "0:00");
        assert_eq!(duration(7_999.0), "0:07");
        assert_eq!(duration(754_000.0), "12:34");
        assert_eq!(megabytes(0), "0.0 MB");
        assert_eq!(megabytes(1), "0.1 MB");
        assert_eq!(megabytes(12_345_678), "12.4 MB");
    }

    #[cfg(feature = "console")]
    #[test]
    fn long_numbers_can_be_read() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_005), "1,234,005");
    }
}
