//! The languages of the pages that people see, and their texts: `app/locales/*.ftl`, read on the server only. The
//! WASM carries no text. The pages for developers are in English.

mod bundle;
mod date;
mod message;
mod negotiation;
#[cfg(test)]
mod tests;

pub use date::Date;

pub(crate) use bundle::{Part, parts};
pub(crate) use message::Message;

/// A language of the pages that people see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// Also for a reader who accepts none of the languages here.
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

    /// The value of `dir`: HTML, section 3.2.6.4.
    pub const fn direction(self) -> &'static str {
        match self {
            Self::Arabic => "rtl",
            _ => "ltr",
        }
    }
}
