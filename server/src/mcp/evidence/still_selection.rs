//! Selects stills if a result can't hold all of them.

/// The indices of as many stills as fit into `budget` bytes, at most `max`, spread evenly and in order.
pub(super) fn select_evenly(sizes: &[u64], budget: u64, max: usize) -> Vec<usize> {
    (0..=sizes.len().min(max))
        .rev()
        .map(|count| spread(sizes.len(), count))
        .find(|some| some.iter().map(|index| sizes[*index]).sum::<u64>() <= budget)
        .unwrap_or_default()
}

/// The same of these stills alone, which are in order.
pub(super) fn select_among(stills: &[usize], sizes: &[u64], budget: u64, max: usize) -> Vec<usize> {
    let some: Vec<u64> = stills.iter().map(|index| sizes[*index]).collect();
    let selected = select_evenly(&some, budget, max).into_iter();
    selected.map(|index| stills[index]).collect()
}

/// `count` of `all` indices: the middle of each of `count` equal parts.
///
/// Neither end is favoured.
fn spread(all: usize, count: usize) -> Vec<usize> {
    (0..count)
        .map(|part| (2 * part + 1) * all / (2 * count))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn selected_stills_are_spread_evenly() {
        assert_eq!(
            select_evenly(&[10; 12], u64::MAX, 12),
            (0..12).collect::<Vec<_>>()
        );
        assert_eq!(select_evenly(&[10; 12], 40, 12), [1, 4, 7, 10]);
        assert_eq!(select_evenly(&[10; 12], 40, 1), [6]);
        assert_eq!(select_evenly(&[10; 12], 10, 12), [6]);
        assert_eq!(select_evenly(&[10; 12], 9, 12), Vec::<usize>::new());
        assert_eq!(select_evenly(&[], 10, 12), Vec::<usize>::new());
        assert_eq!(select_among(&[1, 4, 5], &[10; 12], 25, 3), [1, 5]);
    }

    proptest! {
        #[test]
        fn the_budget_is_kept_and_nothing_is_selected_twice(
            sizes in prop::collection::vec(0_u64..1000, 0..13), budget in 0_u64..5000, max in 0_usize..13,
        ) {
            let selected = select_evenly(&sizes, budget, max);
            prop_assert!(selected.len() <= max);
            prop_assert!(selected.iter().map(|it| sizes[*it]).sum::<u64>() <= budget);
            prop_assert!(selected.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
