//! The operator of this server: settings of name, contact and legal texts, and what they say.

use std::fs;
use std::str::FromStr;

use clap::Args;
use reqwest::Url;

use crate::outbound::report_webhook::webhook_url;

/// The largest legal text: a longer file is given by mistake.
const MAX_TEXT_BYTES: u64 = 1 << 20;

const MAX_NAME_CHARS: usize = 200;

/// The operator's identity and legal texts.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Operator")]
pub struct OperatorArgs {
    /// Name of the operator, shown on the terms and privacy pages
    /// [default: no name]
    #[arg(long, env = "VIDENCE_OPERATOR", value_parser = name)]
    pub operator: Option<String>,

    /// Contact of the operator, for the pages and security.txt: mailto:abuse@example.org, or an https:// URL
    /// [default: no contact and no security.txt]
    #[arg(long, env = "VIDENCE_CONTACT")]
    pub contact: Option<Contact>,

    /// Terms of use: a Markdown file, read at startup, or an https:// URL
    /// [default: the built-in text]
    #[arg(long, env = "VIDENCE_TERMS", value_name = "FILE|URL", value_parser = text)]
    pub terms: Option<LegalText>,

    /// Privacy notice: a Markdown file, read at startup, or an https:// URL
    /// [default: the built-in text]
    #[arg(long, env = "VIDENCE_PRIVACY", value_name = "FILE|URL", value_parser = text)]
    pub privacy: Option<LegalText>,

    /// URL that gets a POST when a request is reported, in a form that Slack, Mattermost, Discord and ntfy take. It is told
    /// that there are reports, and nothing of them
    /// [default: none]
    #[arg(long, env = "VIDENCE_REPORT_WEBHOOK", value_name = "URL", hide_env_values = true, value_parser = webhook_url)]
    pub report_webhook: Option<Url>,
}

impl OperatorArgs {
    /// The operator, as the pages name it.
    pub fn operator(&self) -> Operator {
        Operator {
            name: self.operator.clone(),
            contact: self.contact.clone(),
            terms: self.terms.clone().unwrap_or_default(),
            privacy: self.privacy.clone().unwrap_or_default(),
        }
    }
}

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

fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let chars = text.chars().count();
    if (1..=MAX_NAME_CHARS).contains(&chars) && !text.contains(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "give a name of 1 to {MAX_NAME_CHARS} characters in one line"
        ))
    }
}

fn text(place: &str) -> Result<LegalText, String> {
    if let Some(address) = place.strip_prefix("https://") {
        let is_one = !address.is_empty() && address.chars().all(|it| it.is_ascii_graphic());
        return match is_one {
            true => Ok(LegalText::Url(place.to_owned())),
            false => Err("give an address as https://host/path, in ASCII".to_owned()),
        };
    }
    if place.starts_with("http://") {
        return Err("give a file, or an address that begins with https://".to_owned());
    }
    let unreadable = |error| format!("this file can't be read: {error}");
    if fs::metadata(place).map_err(unreadable)?.len() > MAX_TEXT_BYTES {
        return Err("this file has more than a mebibyte".to_owned());
    }
    let markdown = fs::read_to_string(place).map_err(unreadable)?;
    match markdown.trim().is_empty() {
        true => Err("this file is empty".to_owned()),
        false => Ok(LegalText::Markdown(markdown)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_text_is_a_nonempty_file_or_an_https_url() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, content).expect("a file");
            path.to_str().expect("UTF-8").to_owned()
        };
        let markdown = LegalText::Markdown("# Terms\n".to_owned());
        let elsewhere = LegalText::Url("https://example.org/terms".to_owned());
        for (place, want) in [
            (file("terms.md", b"# Terms\n"), Some(markdown)),
            ("https://example.org/terms".to_owned(), Some(elsewhere)),
            (file("empty.md", b" \n"), None),
            (file("latin1.md", b"caf\xe9"), None),
            (file("large.md", &vec![b'a'; 2 << 20]), None),
            ("/nowhere/terms.md".to_owned(), None),
            ("http://example.org/terms".to_owned(), None),
            ("https://".to_owned(), None),
            ("https://example.org/\r\nSet-Cookie: a=b".to_owned(), None),
        ] {
            assert_eq!(text(&place).ok(), want, "{place}");
        }
    }

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(name(" Example Ltd ").as_deref(), Ok("Example Ltd"));
        for text in ["", " ", "a\nb", &"a".repeat(201)] {
            assert!(name(text).is_err(), "{text:?}");
        }
    }

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
