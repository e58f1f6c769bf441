//! Timescales: ticks a second, and conversions between them.

use std::num::NonZeroU32;
use std::time::Duration;

/// The timescales of a movie and of one of its tracks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timescales {
    /// Of the durations of edits, in ticks a second.
    pub movie: NonZeroU32,
    /// Of the times of samples, in ticks a second.
    pub media: NonZeroU32,
}

/// Converts ticks from one timescale to another, rounded to the nearest.
pub(super) fn rescale(ticks: u64, from: NonZeroU32, to: NonZeroU32) -> u64 {
    let (from, to) = (u128::from(from.get()), u128::from(to.get()));
    let ticks = (u128::from(ticks) * to + from / 2) / from;
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// Converts ticks to a duration, rounded down to nanoseconds.
pub(super) fn to_duration(ticks: u64, timescale: NonZeroU32) -> Duration {
    let timescale = u64::from(timescale.get());
    let nanoseconds = u128::from(ticks % timescale) * 1_000_000_000 / u128::from(timescale);
    Duration::from_secs(ticks / timescale).saturating_add(Duration::from_nanos(
        // Less than a second.
        u64::try_from(nanoseconds).unwrap_or(0),
    ))
}

/// The common multiple of all these timescales, or a large one of them if it exceeds 32 bits.
pub(super) fn common_timescale(
    timescales: impl Iterator<Item = NonZeroU32>,
    movie: NonZeroU32,
) -> NonZeroU32 {
    let mut common = movie;
    for timescale in timescales {
        let multiple = u64::from(common.get()) / gcd(common.get(), timescale.get());
        let multiple = multiple.saturating_mul(u64::from(timescale.get()));
        let Some(multiple) = u32::try_from(multiple).ok().and_then(NonZeroU32::new) else {
            return common.max(timescale);
        };
        common = multiple;
    }
    common
}

fn gcd(mut a: u32, mut b: u32) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    u64::from(a.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timescale(ticks: u32) -> NonZeroU32 {
        NonZeroU32::new(ticks).expect("not 0")
    }

    #[test]
    fn timescales_have_a_common_multiple_or_the_largest_is_used() {
        let common = |timescales: &[u32], movie| {
            let timescales = timescales.iter().copied().map(timescale);
            common_timescale(timescales, timescale(movie)).get()
        };
        assert_eq!(common(&[30000, 48000], 1000), 240_000);
        assert_eq!(common(&[], 600), 600);
        assert_eq!(common(&[u32::MAX, 4_294_967_291], 1000), u32::MAX);
    }

    #[test]
    fn large_numbers_are_converted_without_overflow() {
        let seconds = Duration::from_secs(u64::MAX);
        assert_eq!(to_duration(u64::MAX, timescale(1)), seconds);
        let rescaled = rescale(u64::MAX, timescale(1), timescale(u32::MAX));
        assert_eq!(rescaled, u64::MAX);
    }
}
