//! A list of bounded length that keeps an even selection of what is pushed.

/// Keeps every `stride`-th item. When it is full it drops every second one, and doubles the stride.
#[derive(Debug)]
pub(super) struct Decimator<T> {
    kept: Vec<T>,
    max: usize,
    stride: u64,
    seen: u64,
}

impl<T> Decimator<T> {
    /// A list of at most `max` items.
    pub(super) fn new(max: usize) -> Self {
        Self {
            kept: Vec::new(),
            max,
            stride: 1,
            seen: 0,
        }
    }

    /// Adds an item. The first one is always kept.
    pub(super) fn push(&mut self, item: T) {
        if self.kept.len() >= self.max {
            let mut keep = false;
            self.kept.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride = self.stride.saturating_mul(2);
        }
        if self.seen.is_multiple_of(self.stride) {
            self.kept.push(item);
        }
        self.seen = self.seen.saturating_add(1);
    }

    pub(super) fn into_vec(self) -> Vec<T> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_items_are_evenly_spaced_and_begin_with_the_first() {
        for count in [0, 1, 7, 8, 9, 16, 17, 1000] {
            let mut list = Decimator::new(8);
            (0..count).for_each(|item| list.push(item));
            let kept = list.into_vec();
            assert!(kept.len() <= 8 && kept.len() >= count.min(4), "{count}");
            let strides: Vec<_> = kept.windows(2).map(|two| two[1] - two[0]).collect();
            assert!(strides.windows(2).all(|two| two[0] == two[1]), "{kept:?}");
            assert_eq!(kept.first().copied(), (count > 0).then_some(0));
        }
    }
}
