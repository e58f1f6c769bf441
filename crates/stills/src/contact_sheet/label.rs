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

const WIDTH: u32 = 5;
const HEIGHT: u32 = 7;

/// From one glyph to the next, in dots.
const ADVANCE: u32 = WIDTH + 1;

const INK: u8 = 240;

/// The digits, the colon and the point: seven rows of five dots each, from the top.
const GLYPHS: [(char, [u8; 7]); 12] = [
    (
        '0',
        [
            0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110,
        ],
    ),
    (
        '1',
        [
            0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110,
        ],
    ),
    (
        '2',
        [
            0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111,
        ],
    ),
    (
        '3',
        [
            0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110,
        ],
    ),
    (
        '4',
        [
            0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010,
        ],
    ),
    (
        '5',
        [
            0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110,
        ],
    ),
    (
        '6',
        [
            0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110,
        ],
    ),
    (
        '7',
        [
            0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000,
        ],
    ),
    (
        '8',
        [
            0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110,
        ],
    ),
    (
        '9',
        [
            0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100,
        ],
    ),
    (
        ':',
        [
            0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000,
        ],
    ),
    (
        '.',
        [
            0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100,
        ],
    ),
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
    let glyphs = text.chars().filter_map(|character| {
        let found = GLYPHS.iter().find(|(it, _)| *it == character);
        found.map(|(_, rows)| rows)
    });
    let glyphs: Vec<&[u8; 7]> = glyphs.collect();
    let width = u32::try_from(glyphs.len()).unwrap_or(u32::MAX / ADVANCE / SCALE) * ADVANCE * SCALE;
    let pixel = |x: u32, y: u32| {
        let (column, row) = (x / SCALE, (y / SCALE) as usize);
        let dot = column % ADVANCE;
        let rows = glyphs[(column / ADVANCE) as usize];
        match dot < WIDTH && rows[row] >> (WIDTH - 1 - dot) & 1 == 1 {
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
