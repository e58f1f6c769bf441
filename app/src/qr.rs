//! A link as a QR code, for a phone to read off the screen. Pure.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// What must stay light around it, in modules: ISO/IEC 18004, section 9.1.
const QUIET: i32 = 4;

/// A picture of squares, as SVG wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height, in modules, with what stays light.
    pub size: i32,
    /// All dark modules, as one path: a rectangle for each run in a row.
    pub path: String,
}

/// Draws a text. `None`: it is longer than any code holds.
pub fn draw(text: &str) -> Option<Picture> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|&x| code.get_module(x, y));
            let length = i32::try_from(run.count()).unwrap_or(i32::MAX);
            if length > 0 {
                let (left, top) = (x + QUIET, y + QUIET);
                // Writing to a string doesn't fail.
                let _ = write!(path, "M{left} {top}h{length}v1h-{length}z");
            }
            x += length + 1;
        }
    }
    let size = code.size() + 2 * QUIET;
    Some(Picture { size, path })
}

/// All modules with what stays light around them, row by row: `true` is dark. `None`: as with [`draw`].
#[cfg(feature = "ssr")]
pub fn rows(text: &str) -> Option<Vec<Vec<bool>>> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let all = -QUIET..code.size() + QUIET;
    let row = |y| all.clone().map(|x| code.get_module(x, y)).collect();
    Some(all.clone().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills the path's rectangles in.
    fn dark(picture: &Picture) -> Vec<(i32, i32)> {
        let mut modules = Vec::new();
        for run in picture.path.split('M').skip(1) {
            let (start, rest) = run.split_once('h').expect("a width");
            let (x, y) = start.split_once(' ').expect("a place");
            let (length, _) = rest.split_once('v').expect("a height");
            let [x, y, length] = [x, y, length].map(|it| it.parse::<i32>().expect("a number"));
            modules.extend((x..x + length).map(|x| (x, y)));
        }
        modules
    }

    #[test]
    fn the_path_is_dark_where_the_code_is() {
        let link = "https://evidence.example.org/r/kX3bT9cQ2mZr8VnLw5YpHd";
        let picture = draw(link).expect("a short text");
        let code = QrCode::encode_text(link, QrCodeEcc::Medium).expect("a short text");
        assert_eq!(picture.size, code.size() + 8);
        let drawn = dark(&picture);
        for y in 0..picture.size {
            for x in 0..picture.size {
                // Outside of it `get_module` says light, too.
                let want = code.get_module(x - QUIET, y - QUIET);
                assert_eq!(drawn.contains(&(x, y)), want, "{x} {y}");
            }
        }
    }

    #[test]
    fn what_is_too_long_is_not_drawn() {
        assert_eq!(draw(&"a".repeat(3000)), None);
    }
}
