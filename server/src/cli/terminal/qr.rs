//! QR codes in a terminal.

use app::qr;

/// Renders a text as a QR code, two rows of modules a line.
/// `None`: the text is too long. The code is dark on light, whatever the terminal's colours.
pub(in crate::cli) fn render(text: &str) -> Option<String> {
    const BLACK_ON_WHITE: &str = "\x1b[30;107m";
    const PLAIN: &str = "\x1b[0m";
    let rows = qr::rows(text)?;
    let light = vec![false; rows.first().map_or(0, Vec::len)];
    let mut drawn = String::new();
    for pair in rows.chunks(2) {
        let upper = &pair[0];
        let lower = pair.get(1).unwrap_or(&light);
        drawn += BLACK_ON_WHITE;
        drawn.extend(upper.iter().zip(lower).map(|pair| match pair {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        }));
        drawn += PLAIN;
        drawn.push('\n');
    }
    Some(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The side of a module in pixels.
    const PIXELS: usize = 4;

    #[test]
    fn an_independent_reader_reads_what_a_terminal_shows() {
        let link = "https://192.0.2.7:3000";
        let drawn = render(link).expect("a short text");
        let line = |line: &str| -> Vec<char> {
            let line = line.strip_prefix("\x1b[30;107m").expect("black on white");
            line.strip_suffix("\x1b[0m")
                .expect("an end")
                .chars()
                .collect()
        };
        let lines: Vec<Vec<char>> = drawn.lines().map(line).collect();
        let is_dark = |x: usize, y: usize| match lines[y / 2][x] {
            '█' => true,
            '▀' => y.is_multiple_of(2),
            '▄' => !y.is_multiple_of(2),
            _ => false,
        };
        let (width, height) = (lines[0].len(), 2 * lines.len());
        let pixels: Vec<u8> = (0..height * PIXELS)
            .flat_map(|y| (0..width * PIXELS).map(move |x| (x / PIXELS, y / PIXELS)))
            .map(|(x, y)| if is_dark(x, y) { 0 } else { 255 })
            .collect();
        let mut reader = quircs::Quirc::default();
        let seen = reader.identify(width * PIXELS, height * PIXELS, &pixels);
        let [Ok(code)] = &seen.collect::<Vec<_>>()[..] else {
            panic!("not one code:\n{drawn}");
        };
        let read = code.decode().expect("a readable code").payload;
        assert_eq!(read, link.as_bytes());
        // The quiet zone of four light modules: ISO/IEC 18004, section 9.1.
        let edge = |it: usize, end: usize| it < 4 || it + 4 >= end;
        for (x, y) in (0..width).flat_map(|x| (0..width).map(move |y| (x, y))) {
            assert!(
                !(edge(x, width) || edge(y, width)) || !is_dark(x, y),
                "{x} {y}"
            );
        }
    }
}
