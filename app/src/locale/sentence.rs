//! Sentences with values in their middle, where each language has its own place for them. Pure.

/// A part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// To be shown as it is.
    Text(&'a str),
    /// The place of the value with this name.
    Gap(&'a str),
}

/// `Recorded {recorded}.` is a text, a gap and a text. A brace that isn't closed is text.
pub fn pieces(message: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let begin = rest.find('{').unwrap_or(rest.len());
        let (text, at_gap) = rest.split_at(begin);
        if !text.is_empty() {
            rest = at_gap;
            return Some(Piece::Text(text));
        }
        let inside = at_gap.strip_prefix('{')?;
        let Some((name, after)) = inside.split_once('}') else {
            rest = "";
            return Some(Piece::Text(at_gap));
        };
        rest = after;
        Some(Piece::Gap(name))
    })
}

#[cfg(test)]
mod tests {
    use super::Piece::{Gap, Text};
    use super::*;

    #[test]
    fn a_message_is_split_at_its_gaps() {
        for (message, want) in [
            ("", vec![]),
            ("Stop", vec![Text("Stop")]),
            ("{left}", vec![Gap("left")]),
            ("{left} left", vec![Gap("left"), Text(" left")]),
            (
                "Length {recorded} · size {size}",
                vec![
                    Text("Length "),
                    Gap("recorded"),
                    Text(" · size "),
                    Gap("size"),
                ],
            ),
            ("{day}{month}", vec![Gap("day"), Gap("month")]),
            ("a { b", vec![Text("a "), Text("{ b")]),
            ("a } b", vec![Text("a } b")]),
        ] {
            assert_eq!(pieces(message).collect::<Vec<_>>(), want, "{message}");
        }
    }
}
