//! Operator of this server: name, contact and legal texts.

use std::str::FromStr;

/// Operator of this server.
#[derive(Clone, Debug, Default)]
pub struct Operator {
    /// Name of the operator.
    pub name: Option<String>,
    /// Address for reports of misuse.
    pub contact: Option<Contact>,
    /// Terms of service.
    pub terms: LegalText,
    /// Privacy policy.
    pub privacy: LegalText,
}

/// Source of a legal text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LegalText {
    /// The text that is part of Vidence.
    #[default]
    Builtin,
    /// The operator's own text, in Markdown.
    Markdown(String),
    /// Address of the operator's own text: `https:`.
    Url(String),
}

/// Address for reports of misuse: `mailto:` or `https:`, so that a page can link to it as it is.
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
        // Whitespace is refused, because this must be exactly one address; other schemes could run scripts in a
        // browser.
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
