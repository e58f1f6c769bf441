//! The time under a picture.

use std::time::Duration;

use crate::image::RgbImage;

/// Height of the strip for a label, with its margins, in pixels.
pub(super) const STRIP: u32 = HEIGHT * SCALE + 2 * MARGIN;

/// Above and below a label, in pixels.
pub(super) const MARGIN: u32 = 4;

/// Width of the longest usual label, "10:00.0".
pub(super) const MAX_WIDTH: u32 = 7 * ADVANCE * SCALE;

/// Each dot of a glyph is a square of so many pixels.
const SCALE: u32 = 2;

const HEIGHT: u32 = 7;

/// From one glyph to the next, in dots.
const ADVANCE: u32 = 6;

const INK: u8 = 240;

/// What a label consists of.
const CHARACTERS: &str = "0123456789:.";

/// Their dots, side by side, with an empty column after each.
const GLYPHS: [&str; HEIGHT as usize] = [
    ".###....#....###..#####....#..#####...##..#####..###...###..............",
    "#...#..##...#...#....#....##..#......#........#.#...#.#...#...#.........",
    "#..##...#.......#...#....#.#..####..#........#..#...#.#...#...#.........",
    "#.#.#...#......#.....#..#..#......#.####....#....###...####.............",
    "##..#...#.....#.......#.#####.....#.#...#..#....#...#.....#...#.........",
    "#...#...#....#....#...#....#..#...#.#...#..#....#...#....#....#....##...",
    ".###...###..#####..###.....#...###...###...#.....###...##..........##...",
];

/// Minutes, seconds and tenths: "0:07.5". Cut, not rounded, as players show it.
fn text(at: Duration) -> String {
    let tenths = at.as_millis() / 100;
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
    format!("{minutes}:{seconds:02}.{}", tenths % 10)
}

/// Draws a time on this shade of grey.
pub(super) fn draw(at: Duration, background: u8) -> RgbImage {
    let text = text(at);
    let glyphs = text.chars().filter_map(|it| CHARACTERS.find(it));
    let glyphs: Vec<usize> = glyphs.collect();
    let width = u32::try_from(glyphs.len()).unwrap_or(u32::MAX / ADVANCE / SCALE) * ADVANCE * SCALE;
    let pixel = |x: u32, y: u32| {
        let (column, row) = (x / SCALE, (y / SCALE) as usize);
        let glyph = glyphs[(column / ADVANCE) as usize];
        let dot = glyph * ADVANCE as usize + (column % ADVANCE) as usize;
        match GLYPHS[row].as_bytes()[dot] == b'#' {
            true => [INK; 3],
            false => [background; 3],
        }
    };
    let height = HEIGHT * SCALE;
    let rgb = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y)));
    RgbImage {
        width,
        height,
        rgb: rgb.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_players_show_it() {
        for (millis, want) in [
            (0, "0:00.0"),
            (7590, "0:07.5"),
            (61_000, "1:01.0"),
            (3_600_000, "60:00.0"),
        ] {
            assert_eq!(text(Duration::from_millis(millis)), want);
        }
    }

    #[test]
    fn a_label_has_all_its_glyphs() {
        let label = draw(Duration::from_millis(61_000), 0);
        assert_eq!((label.width, label.height), (6 * 12, 14));
        // The foot of the first 1, which is the widest row of it.
        let row = &label.rgb[13 * 72 * 3..];
        let inked = row.iter().step_by(3).take(12).filter(|it| **it == INK);
        assert_eq!(inked.count(), 6);
        // A time that no video has does no harm.
        draw(Duration::MAX, 0);
    }
}
