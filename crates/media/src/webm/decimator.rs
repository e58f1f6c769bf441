//! A list that stays short, however much is put into it, and covers all of it evenly.

/// When the list is full, every second entry goes, and from then on every second newcomer.
#[derive(Debug)]
pub(super) struct Thinned<T> {
    kept: Vec<T>,
    most: usize,
    stride: u64,
    seen: u64,
}

impl<T> Thinned<T> {
    /// Keeps at most so many entries.
    pub(super) fn new(most: usize) -> Self {
        Self {
            kept: Vec::new(),
            most,
            stride: 1,
            seen: 0,
        }
    }

    /// The first one is always kept.
    pub(super) fn push(&mut self, entry: T) {
        if self.kept.len() >= self.most {
            let mut keep = false;
            self.kept.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride = self.stride.saturating_mul(2);
        }
        if self.seen.is_multiple_of(self.stride) {
            self.kept.push(entry);
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
    fn what_is_kept_lies_evenly_and_begins_with_the_first() {
        for count in [0, 1, 7, 8, 9, 16, 17, 1000] {
            let mut list = Thinned::new(8);
            (0..count).for_each(|entry| list.push(entry));
            let kept = list.into_vec();
            assert!(kept.len() <= 8 && kept.len() >= count.min(4), "{count}");
            let strides: Vec<_> = kept.windows(2).map(|two| two[1] - two[0]).collect();
            assert!(strides.windows(2).all(|two| two[0] == two[1]), "{kept:?}");
            assert_eq!(kept.first().copied(), (count > 0).then_some(0));
        }
    }
}
