//! Text of strangers and servers, made safe for a terminal.

/// Removes characters that control a terminal, or the order of text, from a line.
pub(in crate::cli) fn printable(line: &str) -> String {
    line.chars().filter(|it| !is_control(*it)).collect()
}

/// Escapes them in JSON, which loses nothing: JSON may escape any character (RFC 8259, section 7).
/// Line breaks of its layout stay; those within its strings are escaped already.
pub(in crate::cli) fn printable_json(json: &str) -> String {
    let mut safe = String::new();
    for letter in json.chars() {
        match letter {
            '\n' => safe.push(letter),
            letter if is_control(letter) => safe += &format!("\\u{:04x}", u32::from(letter)),
            letter => safe.push(letter),
        }
    }
    safe
}

fn is_control(letter: char) -> bool {
    // Directional formatting characters (UAX #9, section 2), line separators that `str::lines` ignores, and characters
    // that are invisible, by which a text could look like another.
    let is_formatting = matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    letter.is_control() || is_formatting
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters that control a terminal.
    /// They clear the screen, in both forms of the escape sequence, ring the bell, and reverse text.
    const HOSTILE: &str = "a\u{1b}[2Jb\u{7}c\u{9b}2Jd\u{202e}e\u{2028}f\rg\u{7f}h\ni";

    #[test]
    fn printed_text_has_no_control_characters_and_one_line() {
        assert_eq!(printable(HOSTILE), "a[2Jbc2Jdefghi");
    }

    #[test]
    fn printable_json_has_no_control_characters_and_keeps_every_value() {
        let json = serde_json::to_string_pretty(&[HOSTILE]).expect("JSON");
        let safe = printable_json(&json);
        let control = safe.chars().filter(|it| *it != '\n' && is_control(*it));
        assert_eq!(control.count(), 0, "{safe:?}");
        let read: serde_json::Value = serde_json::from_str(&safe).expect("JSON");
        assert_eq!(read[0], HOSTILE);
    }
}
