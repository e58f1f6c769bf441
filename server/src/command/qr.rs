//! A link as a QR code in a terminal.

use app::qr;

/// Two rows of squares in each line, dark on light whatever the terminal's colours. `None`: the text is too long.
pub(super) fn for_a_terminal(text: &str) -> Option<String> {
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

    #[test]
    fn each_line_holds_two_rows_and_begins_and_ends_light() {
        let link = "https://192.0.2.7:3000";
        let rows = qr::rows(link).expect("a short text");
        let drawn = for_a_terminal(link).expect("a short text");
        let lines: Vec<_> = drawn.lines().collect();
        assert_eq!(lines.len(), rows.len().div_ceil(2));
        let first = lines[0].trim_start_matches("\x1b[30;107m");
        assert!(first.trim_end_matches("\x1b[0m").trim().is_empty());
        let dark = |line: &str| {
            line.chars()
                .map(|it| match it {
                    '█' => 2,
                    '▀' | '▄' => 1,
                    _ => 0,
                })
                .sum::<usize>()
        };
        let want = rows.iter().flatten().filter(|it| **it).count();
        assert_eq!(lines.iter().map(|it| dark(it)).sum::<usize>(), want);
    }
}
