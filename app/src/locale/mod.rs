//! The languages in which people are spoken to: which one somebody reads, and what is said in it. The server
//! renders all texts; none of this reaches the WASM. What developers read is English.

mod arabic;
mod chinese;
mod date;
mod english;
mod french;
mod german;
mod hindi;
mod italian;
mod japanese;
mod message;
mod negotiation;
mod polish;
mod portuguese;
mod sentence;
mod spanish;
mod turkish;

pub use date::Date;
pub use message::Message;
pub use sentence::{Piece, pieces};

/// A language that the pages for people speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// Also what is spoken to somebody of whose languages we know none.
    #[default]
    English,
    /// `es`
    Spanish,
    /// `fr`
    French,
    /// `de`
    German,
    /// `pt`
    Portuguese,
    /// `it`
    Italian,
    /// `pl`
    Polish,
    /// `tr`
    Turkish,
    /// `ar`
    Arabic,
    /// `hi`
    Hindi,
    /// `zh`, simplified.
    Chinese,
    /// `ja`
    Japanese,
}

impl Locale {
    /// In the order in which they are offered.
    pub const ALL: [Self; 12] = [
        Self::English,
        Self::Spanish,
        Self::French,
        Self::German,
        Self::Portuguese,
        Self::Italian,
        Self::Polish,
        Self::Turkish,
        Self::Arabic,
        Self::Hindi,
        Self::Chinese,
        Self::Japanese,
    ];

    /// As it stands in an address: ISO 639-1.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::French => "fr",
            Self::German => "de",
            Self::Portuguese => "pt",
            Self::Italian => "it",
            Self::Polish => "pl",
            Self::Turkish => "tr",
            Self::Arabic => "ar",
            Self::Hindi => "hi",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
        }
    }

    /// As it stands in documents and headers: RFC 5646. The script of Chinese chooses the font.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh-Hans",
            _ => self.code(),
        }
    }

    /// What its speakers call it.
    pub const fn native_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
            Self::French => "Français",
            Self::German => "Deutsch",
            Self::Portuguese => "Português",
            Self::Italian => "Italiano",
            Self::Polish => "Polski",
            Self::Turkish => "Türkçe",
            Self::Arabic => "العربية",
            Self::Hindi => "हिन्दी",
            Self::Chinese => "简体中文",
            Self::Japanese => "日本語",
        }
    }

    /// For `dir`: where lines begin.
    pub const fn direction(self) -> &'static str {
        match self {
            Self::Arabic => "rtl",
            _ => "ltr",
        }
    }

    /// A message in this language.
    pub const fn says(self, message: Message) -> &'static str {
        match self {
            Self::English => english::says(message),
            Self::Spanish => spanish::says(message),
            Self::French => french::says(message),
            Self::German => german::says(message),
            Self::Portuguese => portuguese::says(message),
            Self::Italian => italian::says(message),
            Self::Polish => polish::says(message),
            Self::Turkish => turkish::says(message),
            Self::Arabic => arabic::says(message),
            Self::Hindi => hindi::says(message),
            Self::Chinese => chinese::says(message),
            Self::Japanese => japanese::says(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(text: &str) -> Vec<&str> {
        let mut gaps: Vec<_> = pieces(text)
            .filter_map(|piece| match piece {
                Piece::Gap(name) => Some(name),
                Piece::Text(_) => None,
            })
            .collect();
        gaps.sort_unstable();
        gaps
    }

    #[test]
    fn a_translation_has_the_gaps_and_the_lines_of_the_english_text() {
        for locale in Locale::ALL {
            for message in Message::ALL {
                let (text, english) = (locale.says(*message), Locale::English.says(*message));
                assert_eq!(gaps(text), gaps(english), "{locale:?}: {message:?}");
                let lines = |text: &str| text.lines().count();
                assert_eq!(lines(text), lines(english), "{locale:?}: {message:?}");
                assert_eq!(text, text.trim(), "{locale:?}: {message:?}");
                assert!(!text.is_empty(), "{locale:?}: {message:?}");
            }
        }
    }

    #[test]
    fn every_language_has_a_code_of_its_own() {
        for locale in Locale::ALL {
            let same = Locale::ALL.iter().filter(|it| it.code() == locale.code());
            assert_eq!(same.count(), 1, "{locale:?}");
            assert!(locale.tag().starts_with(locale.code()), "{locale:?}");
        }
    }
}
