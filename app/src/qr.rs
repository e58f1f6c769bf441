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

    /// The side of a module for the reader.
    const PIXELS: usize = 4;

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
    fn an_independent_reader_reads_what_is_drawn() {
        for link in [
            "https://evidence.example.org/r/kX3bT9cQ2mZr8VnLw5YpHd",
            "http://localhost:3000/r/a",
        ] {
            let picture = draw(link).expect("a short text");
            let dark = dark(&picture);
            let side = usize::try_from(picture.size).expect("a size");
            let module = |it: usize| i32::try_from(it / PIXELS).expect("a place");
            let pixels: Vec<u8> = (0..side * PIXELS)
                .flat_map(|y| (0..side * PIXELS).map(move |x| (module(x), module(y))))
                .map(|at| if dark.contains(&at) { 0 } else { 255 })
                .collect();
            let mut reader = quircs::Quirc::default();
            let seen = reader.identify(side * PIXELS, side * PIXELS, &pixels);
            let [Ok(code)] = &seen.collect::<Vec<_>>()[..] else {
                panic!("not one code");
            };
            let read = code.decode().expect("a readable code").payload;
            assert_eq!(read, link.as_bytes());
            // What must stay light around it does.
            let inside = QUIET..picture.size - QUIET;
            assert!(
                dark.iter()
                    .all(|(x, y)| inside.contains(x) && inside.contains(y))
            );
        }
    }

    #[test]
    fn what_is_too_long_is_not_drawn() {
        assert_eq!(draw(&"a".repeat(3000)), None);
    }
}
