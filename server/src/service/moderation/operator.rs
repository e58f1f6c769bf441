//! Who runs this server, how they are reached, and what they say about it.

use std::str::FromStr;

/// Whoever runs this server.
#[derive(Clone, Debug, Default)]
pub struct Operator {
    /// What they call themselves.
    pub name: Option<String>,
    /// How they are reached.
    pub contact: Option<Contact>,
    /// On what terms they run it.
    pub terms: LegalText,
    /// What they say about what is stored.
    pub privacy: LegalText,
}

/// What an operator says at length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LegalText {
    /// What comes with Vidence.
    #[default]
    Builtin,
    /// This, in Markdown.
    Markdown(String),
    /// It is at this address: `https:`.
    Url(String),
}

/// An address for reports of misuse: `mailto:` or `https:`, so that a page can link to it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact(String);

impl Contact {
    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Contact {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let letter = text.strip_prefix("mailto:").filter(|it| it.contains('@'));
        let page = text.strip_prefix("https://").filter(|it| !it.is_empty());
        // Nothing that a browser runs, and nothing that isn't one address.
        if (letter.is_some() || page.is_some()) && !text.contains(char::is_whitespace) {
            Ok(Self(text.to_owned()))
        } else {
            Err("give it as mailto:name@host or https://host/path")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_a_letter_or_a_page() {
        for (text, good) in [
            ("mailto:abuse@example.org", true),
            ("https://example.org/report", true),
            ("mailto:abuse", false),
            ("abuse@example.org", false),
            ("http://example.org", false),
            ("https://", false),
            ("javascript:alert(1)", false),
            ("https://example.org /x", false),
            ("", false),
        ] {
            assert_eq!(text.parse::<Contact>().is_ok(), good, "{text}");
        }
    }
}
