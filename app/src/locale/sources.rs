//! The messages of a language as its file has them, for the page on which native readers check them.

use fluent_syntax::ast::{self, Comment, Resource};
use fluent_syntax::{parser, serializer};

use super::Locale;

/// An entry of a Fluent file.
pub(crate) enum LocaleEntry {
    /// `##`: what the messages below are for.
    Group(String),
    /// A message.
    Message {
        /// Its id.
        id: String,
        /// What a translator needs to know, in the English file.
        comment: String,
        /// The text with its variables, and with all its plural forms.
        text: String,
    },
}

/// All entries of a language, in the order of its file, which is the same for each language.
pub(crate) fn entries(locale: Locale) -> Vec<LocaleEntry> {
    let resource = parser::parse(locale.source()).expect("a test parses each file");
    let entries = resource.body.into_iter().filter_map(|entry| match entry {
        ast::Entry::GroupComment(name) => Some(LocaleEntry::Group(lines(&name))),
        ast::Entry::Message(message) => Some(message_entry(message)),
        _ => None,
    });
    entries.collect()
}

fn message_entry(mut message: ast::Message<&str>) -> LocaleEntry {
    let id = message.id.name.to_owned();
    let comment = message.comment.take().as_ref().map(lines);
    let body = vec![ast::Entry::Message(message)];
    let source = serializer::serialize(&Resource { body });
    let text = source.split_once('=').map_or("", |(_, text)| text);
    LocaleEntry::Message {
        id,
        comment: comment.unwrap_or_default(),
        text: text.replace("\n    ", "\n").trim().to_owned(),
    }
}

fn lines(comment: &Comment<&str>) -> String {
    comment.content.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(locale: Locale, wanted: &str) -> (String, String) {
        let found = entries(locale).into_iter().find_map(|entry| match entry {
            LocaleEntry::Message { id, comment, text } if id == wanted => Some((comment, text)),
            _ => None,
        });
        found.expect("a message")
    }

    #[test]
    fn a_message_is_read_with_its_comment_and_all_its_lines() {
        assert_eq!(
            message(Locale::English, "review-facts"),
            (
                "$recorded: a length, such as 0:42. $size: such as 12.4 MB.".to_owned(),
                "Length { $recorded } · size { $size }".to_owned(),
            )
        );
        let (comment, text) = message(Locale::Polish, "unblock-android");
        assert_eq!((comment.as_str(), text.lines().count()), ("", 2));
        let (_, text) = message(Locale::Ukrainian, "announce-countdown");
        assert!(
            text.contains("\n    [few] { $seconds } секунди\n"),
            "{text}"
        );
    }

    #[test]
    fn every_file_has_the_same_groups() {
        let groups = |locale| {
            let entries = entries(locale).into_iter().enumerate();
            let groups = entries.filter_map(|(at, entry)| match entry {
                LocaleEntry::Group(name) => Some((at, name)),
                LocaleEntry::Message { .. } => None,
            });
            groups.collect::<Vec<_>>()
        };
        let want = groups(Locale::English);
        assert!(want.len() > 10, "{want:?}");
        for locale in Locale::ALL {
            assert_eq!(groups(locale), want, "{locale:?}");
        }
    }
}
