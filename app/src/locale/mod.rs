//! The languages of the pages that people see, and their texts: `app/locales/*.ftl`, read on the server only. The
//! WASM carries no text. The pages for developers are in English.

mod bundle;
mod date;
mod message;
mod negotiation;
mod sources;
#[cfg(test)]
mod tests;

pub use date::Date;
pub use unic_langid::subtags::Region;

pub(crate) use bundle::{Part, parts};
pub(crate) use message::Message;
pub(crate) use sources::{LocaleEntry, entries};

/// Declares the languages: `Variant = "code" "what its speakers call it"`.
/// The code is also the name of the file.
macro_rules! languages {
    ($($(#[$attribute:meta])* $language:ident = $code:literal $name:literal,)*) => {
        /// A language of the pages that people see.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Locale {
            $(
                #[doc = $name]
                $(#[$attribute])*
                $language,
            )*
        }

        impl Locale {
            /// In the order in which they are offered.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$language),*];

            /// As it stands in an address and in the name of its file: ISO 639-1, with a script where one language
            /// is written in two.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$language => $code,)* }
            }

            /// What its speakers call it.
            pub const fn native_name(self) -> &'static str {
                match self { $(Self::$language => $name,)* }
            }

            /// Its Fluent file.
            const fn source(self) -> &'static str {
                match self {
                    $(Self::$language => include_str!(concat!("../../locales/", $code, ".ftl")),)*
                }
            }
        }
    };
}

languages! {
    /// Also for a reader who accepts none of the languages here.
    #[default]
    English = "en" "English",
    Spanish = "es" "Español",
    French = "fr" "Français",
    German = "de" "Deutsch",
    Portuguese = "pt" "Português",
    Italian = "it" "Italiano",
    Dutch = "nl" "Nederlands",
    Polish = "pl" "Polski",
    Ukrainian = "uk" "Українська",
    Turkish = "tr" "Türkçe",
    Arabic = "ar" "العربية",
    Hindi = "hi" "हिन्दी",
    Indonesian = "id" "Bahasa Indonesia",
    Vietnamese = "vi" "Tiếng Việt",
    SimplifiedChinese = "zh" "简体中文",
    TraditionalChinese = "zh-Hant" "繁體中文",
    Japanese = "ja" "日本語",
    Korean = "ko" "한국어",
}

impl Locale {
    /// As it stands in documents and headers: RFC 5646. The script of Chinese chooses the font.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::SimplifiedChinese => "zh-Hans",
            _ => self.code(),
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
