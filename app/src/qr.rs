//! QR codes of links, to be scanned off a screen. Pure.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// Width of the quiet zone, in modules: ISO/IEC 18004, section 9.1.
const QUIET_ZONE: i32 = 4;

/// A QR code as an SVG path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrImage {
    /// Width and height in modules, with the quiet zone.
    pub size: i32,
    /// The dark modules: a rectangle for each run in a row.
    pub path: String,
}

/// Draws a text. `None`: it is longer than a QR code can hold.
pub fn draw(text: &str) -> Option<QrImage> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|&x| code.get_module(x, y));
            let length = i32::try_from(run.count()).unwrap_or(i32::MAX);
            if length > 0 {
                let (left, top) = (x + QUIET_ZONE, y + QUIET_ZONE);
                // Writing to a string doesn't fail.
                let _ = write!(path, "M{left} {top}h{length}v1h-{length}z");
            }
            x += length + 1;
        }
    }
    let size = code.size() + 2 * QUIET_ZONE;
    Some(QrImage { size, path })
}

/// The modules of a text and their quiet zone, row by row; `true` is dark. `None`: as in [`draw`].
#[cfg(feature = "ssr")]
pub fn rows(text: &str) -> Option<Vec<Vec<bool>>> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let all = -QUIET_ZONE..code.size() + QUIET_ZONE;
    let row = |y| all.clone().map(|x| code.get_module(x, y)).collect();
    Some(all.clone().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels a side of a module, for the decoder.
    const PIXELS: usize = 4;

    /// The modules that the path covers.
    fn dark_modules(image: &QrImage) -> Vec<(i32, i32)> {
        let mut modules = Vec::new();
        for run in image.path.split('M').skip(1) {
            let (start, rest) = run.split_once('h').expect("a width");
            let (x, y) = start.split_once(' ').expect("a place");
            let (length, _) = rest.split_once('v').expect("a height");
            let [x, y, length] = [x, y, length].map(|it| it.parse::<i32>().expect("a number"));
            modules.extend((x..x + length).map(|x| (x, y)));
        }
        modules
    }

    #[test]
    fn an_independent_decoder_reads_what_is_drawn() {
        for link in [
            "https://evidence.example.org/r/kX3bT9cQ2mZr8VnLw5YpHd",
            "http://localhost:3000/r/a",
        ] {
            let image = draw(link).expect("a short text");
            let dark = dark_modules(&image);
            let side = usize::try_from(image.size).expect("a size");
            let module = |it: usize| i32::try_from(it / PIXELS).expect("a place");
            let pixels: Vec<u8> = (0..side * PIXELS)
                .flat_map(|y| (0..side * PIXELS).map(move |x| (module(x), module(y))))
                .map(|at| if dark.contains(&at) { 0 } else { 255 })
                .collect();
            let mut decoder = quircs::Quirc::default();
            let codes = decoder.identify(side * PIXELS, side * PIXELS, &pixels);
            let [Ok(code)] = &codes.collect::<Vec<_>>()[..] else {
                panic!("not one code");
            };
            let decoded = code.decode().expect("a readable code").payload;
            assert_eq!(decoded, link.as_bytes());
            let inside = QUIET_ZONE..image.size - QUIET_ZONE;
            assert!(
                dark.iter()
                    .all(|(x, y)| inside.contains(x) && inside.contains(y))
            );
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_not_drawn() {
        assert_eq!(draw(&"a".repeat(3000)), None);
    }
}
