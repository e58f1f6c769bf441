//! Where the pictures of a contact sheet lie.

use std::cmp::Reverse;

use super::label;

/// Between two pictures, in pixels.
const GAP: u32 = 4;

/// Rows and columns of equal cells, each with room for a label under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    columns: u32,
    rows: u32,
    /// Width of a cell: of the widest picture, or of a label.
    pub cell_width: u32,
    /// Height of the highest picture.
    pub cell_height: u32,
    /// The width of the widest picture, and what it is before it is scaled.
    scale: (u32, u32),
}

impl Grid {
    /// The grid for `count` pictures of at most this size that shows them largest, with no side longer than `side`; of
    /// equal ones the one with the smallest area. `None`: there is no room for them.
    pub(super) fn new(count: u32, width: u32, height: u32, side: u32) -> Option<Self> {
        let grids = (1..=count).filter_map(|columns| {
            let rows = count.div_ceil(columns);
            let room = |cells: u32, extra: u32| {
                (side / cells).checked_sub(GAP + extra).filter(|it| *it > 0)
            };
            // Neither wider nor higher than its room, and never enlarged.
            let wide = room(columns, 0)?;
            let high = room(rows, label::STRIP)?;
            let scaled = u64::from(high) * u64::from(width) / u64::from(height.max(1));
            let fitting = u32::try_from(scaled).unwrap_or(wide);
            let picture_width = wide.min(fitting).min(width).max(1);
            let cell_height =
                u64::from(picture_width) * u64::from(height) / u64::from(width.max(1));
            Some(Self {
                columns,
                rows,
                cell_width: picture_width.max(label::MAX_WIDTH.min(wide)),
                cell_height: u32::try_from(cell_height).ok()?.max(1),
                scale: (picture_width, width),
            })
        });
        let area = |it: &Self| u64::from(it.width()) * u64::from(it.height());
        grids.max_by_key(|it| (it.scale.0, Reverse(area(it))))
    }

    pub(super) fn width(&self) -> u32 {
        self.columns * (self.cell_width + GAP)
    }

    pub(super) fn height(&self) -> u32 {
        self.rows * (self.cell_height + GAP + label::STRIP)
    }

    /// The upper left corner of a picture's cell.
    pub(super) fn position(&self, index: u32) -> (u32, u32) {
        let (column, row) = (index % self.columns, index / self.columns);
        (
            column * (self.cell_width + GAP) + GAP / 2,
            row * (self.cell_height + GAP + label::STRIP) + GAP / 2,
        )
    }

    /// A length in a picture as it is in the grid.
    pub(super) fn scaled(&self, length: u32) -> u32 {
        let (to, from) = self.scale;
        let scaled = u64::from(length) * u64::from(to) / u64::from(from.max(1));
        u32::try_from(scaled)
            .unwrap_or(length)
            .clamp(1, length.max(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forty_eight_pictures_fill_a_sheet() {
        let grid = Grid::new(48, 256, 144, 1568).expect("a grid");
        assert_eq!((grid.columns, grid.rows, grid.cell_width), (6, 8, 256));
        let upright = Grid::new(48, 144, 256, 1568).expect("a grid");
        assert_eq!(upright.cell_width, 144);
    }

    #[test]
    fn few_pictures_make_a_small_sheet() {
        let grid = Grid::new(4, 256, 144, 1568).expect("a grid");
        assert!(grid.width() * grid.height() < 4 * 300 * 200, "{grid:?}");
    }

    proptest! {
        #[test]
        fn each_picture_has_a_place_of_its_own_within_the_sheet(
            count in 1_u32..=48, width in 1_u32..=256, height in 1_u32..=256,
        ) {
            let grid = Grid::new(count, width, height, 1568).expect("a grid");
            prop_assert!(grid.width() <= 1568 && grid.height() <= 1568, "{:?}", grid);
            let places: std::collections::HashSet<_> = (0..count).map(|index| grid.position(index)).collect();
            prop_assert_eq!(places.len(), count as usize);
            for (x, y) in places {
                prop_assert!(x + grid.cell_width <= grid.width());
                prop_assert!(y + grid.cell_height + label::STRIP <= grid.height());
            }
            prop_assert!(grid.scaled(width) <= grid.cell_width);
        }
    }
}
