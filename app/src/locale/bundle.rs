//! Formats messages by the Fluent files. Each file is parsed when its language is first asked for.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use unic_langid::LanguageIdentifier;

use super::{Locale, Message};

type Bundle = FluentBundle<FluentResource>;

/// The texts of a language.
struct Texts {
    bundle: Bundle,
    /// Formatted once.
    /// To format them for each view doubled the time that the recording page takes to render.
    templates: [OnceLock<String>; Message::COUNT],
}

static TEXTS: [OnceLock<Texts>; Locale::ALL.len()] = [const { OnceLock::new() }; Locale::ALL.len()];

/// Encloses the name of a variable in a template. For private use, so that no text contains it.
const MARK: char = '\u{E000}';

impl Locale {
    /// A message without variables.
    pub(crate) fn text(self, message: Message) -> &'static str {
        debug_assert!(message.variables().is_empty(), "{message:?}");
        self.template(message)
    }

    /// A message whose variables become elements, for [`parts`].
    pub(crate) fn template(self, message: Message) -> &'static str {
        self.texts().templates[message as usize].get_or_init(|| {
            let names = message.variables().iter();
            let values = names.map(|name| (*name, format!("{MARK}{name}{MARK}")));
            self.format(message, &values.collect())
        })
    }

    /// A message with the values of its variables.
    pub(crate) fn format(self, message: Message, values: &FluentArgs) -> String {
        let bundle = &self.texts().bundle;
        let pattern = bundle.get_message(message.id()).and_then(|it| it.value());
        let pattern = pattern.expect("a test compares each file with the list of messages");
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(values), &mut errors);
        debug_assert!(errors.is_empty(), "{self:?}: {message:?}: {errors:?}");
        text.into_owned()
    }

    fn texts(self) -> &'static Texts {
        TEXTS[self as usize].get_or_init(|| Texts {
            bundle: self.parse(),
            templates: [const { OnceLock::new() }; Message::COUNT],
        })
    }

    fn parse(self) -> Bundle {
        let resource = FluentResource::try_new(self.source().to_owned());
        let resource = resource.expect("a test parses each file");
        let mut bundle = Bundle::new_concurrent(vec![self.language()]);
        // In pages `<bdi>` isolates: as characters, U+2068 and U+2069 would be copied and searched with the text.
        // Only plain numbers stand in a text itself, and those need no isolation in Arabic (UAX #9, rule W2).
        bundle.set_use_isolating(false);
        let added = bundle.add_resource(resource);
        added.expect("a test finds ids that occur twice");
        bundle
    }

    pub(super) fn language(self) -> LanguageIdentifier {
        self.tag().parse().expect("a language by RFC 5646")
    }
}

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Shown as it is.
    Text(&'static str),
    /// The name of a variable, in whose place an element is shown.
    Variable(&'static str),
}

/// Splits a template, or a line of one, at its variables.
pub(crate) fn parts(template: &'static str) -> impl Iterator<Item = Part> {
    let parts = template.split(MARK).enumerate();
    let parts = parts.filter(|(_, part)| !part.is_empty());
    parts.map(|(at, part)| match at % 2 {
        0 => Part::Text(part),
        _ => Part::Variable(part),
    })
}
