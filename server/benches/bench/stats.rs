//! Statistics of measured values.

use std::time::Duration;

/// The median; of an even number of values, the lower one of the middle pair.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or(f64::NAN)
}

/// The smallest of the sorted values that at least `percent` of them don't exceed.
pub fn quantile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}
