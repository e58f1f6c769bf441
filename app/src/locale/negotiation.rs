//! Which of the languages a reader prefers: RFC 9110, section 12.5.4. Pure.

use std::sync::LazyLock;

use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;
use unic_langid::subtags::Region;

use super::Locale;

/// How many ranges of an `Accept-Language` header are read. Browsers send up to ten.
const MAX_RANGES: usize = 50;

static AVAILABLE: LazyLock<[LanguageIdentifier; Locale::ALL.len()]> =
    LazyLock::new(|| Locale::ALL.map(Locale::language));

impl Locale {
    /// The language of a tag such as `de` or `de-AT`, as in `?lang=de`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        negotiate(&[parse(tag)?])
    }

    /// The best language for an `Accept-Language` header.
    pub fn from_accept_language(header: &str) -> Option<Self> {
        negotiate(&preferences(header))
    }

    /// The region for whose variant of this language an `Accept-Language` header asks first: Austria for German in
    /// `en, de-AT`. Its people write times and numbers in their own way.
    pub fn region(self, header: &str) -> Option<Region> {
        let own = self.language();
        let ranges = preferences(header).into_iter();
        let mut variants =
            ranges.filter(|it| (it.language, it.script) == (own.language, own.script));
        variants.find_map(|it| it.region)
    }
}

/// The languages of an `Accept-Language` header, the best first.
fn preferences(header: &str) -> Vec<LanguageIdentifier> {
    let ranges = header.split(',').take(MAX_RANGES);
    let mut ranges: Vec<_> = ranges.filter_map(weighted).collect();
    // fluent-langneg goes by the order alone. Ranges of the same weight keep theirs.
    ranges.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    ranges.into_iter().map(|(_, range)| range).collect()
}

fn negotiate(requested: &[LanguageIdentifier]) -> Option<Locale> {
    let strategy = NegotiationStrategy::Lookup;
    let found = *negotiate_languages(requested, &*AVAILABLE, None, strategy).first()?;
    let mut languages = Locale::ALL.into_iter().zip(&*AVAILABLE);
    Some(languages.find(|(_, it)| *it == found)?.0)
}

/// Parses a tag such as `de-AT`, and names the language as it is named here.
fn parse(tag: &str) -> Option<LanguageIdentifier> {
    let mut language: LanguageIdentifier = tag.parse().ok()?;
    match language.language.as_str() {
        // The script that is usual in that region: CLDR, likely subtags.
        "zh" if language.script.is_none() => {
            let region = language.region.as_ref().map(Region::as_str);
            let script = match region {
                Some("TW" | "HK" | "MO") => Locale::TraditionalChinese,
                _ => Locale::SimplifiedChinese,
            };
            language.script = script.language().script;
        }
        // The code of Indonesian until 1989, which Java and Android have kept.
        "in" => language.language = Locale::Indonesian.language().language,
        _ => {}
    }
    Some(language)
}

/// Reads `de;q=0.8`. `None` for what isn't a language, or isn't weighted above 0 and at most 1.
fn weighted(item: &str) -> Option<(f32, LanguageIdentifier)> {
    let (range, weight) = item.split_once(';').unwrap_or((item, "q=1"));
    let weight = weight.trim().strip_prefix(['q', 'Q'])?.strip_prefix('=')?;
    let weight: f32 = weight.parse().ok()?;
    let range = parse(range.trim())?;
    (weight > 0.0 && weight <= 1.0).then_some((weight, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_language_there_is_gets_chosen() {
        for (header, want) in [
            ("de", Some(Locale::German)),
            ("de-AT,de;q=0.9,en;q=0.8", Some(Locale::German)),
            ("sw, fr;q=0.4, it;q=0.7", Some(Locale::Italian)),
            ("es;q=0.8, pl;q=0.8", Some(Locale::Spanish)),
            ("uk-UA,uk;q=0.9,ru;q=0.8,en;q=0.7", Some(Locale::Ukrainian)),
            ("in-ID, en;q=0.8", Some(Locale::Indonesian)),
            ("zh", Some(Locale::SimplifiedChinese)),
            (
                "zh-CN,zh;q=0.9,zh-TW;q=0.8",
                Some(Locale::SimplifiedChinese),
            ),
            ("zh-SG", Some(Locale::SimplifiedChinese)),
            ("zh-Hans-HK", Some(Locale::SimplifiedChinese)),
            ("zh-TW,zh;q=0.9,en;q=0.8", Some(Locale::TraditionalChinese)),
            ("zh-HK", Some(Locale::TraditionalChinese)),
            ("zh-mo", Some(Locale::TraditionalChinese)),
            ("zh-Hant", Some(Locale::TraditionalChinese)),
            ("zh-Hant-CN", Some(Locale::TraditionalChinese)),
            ("PT-br ; q=1.0", Some(Locale::Portuguese)),
            ("ar-EG;Q=0.5", Some(Locale::Arabic)),
            ("en;q=0, hi", Some(Locale::Hindi)),
            ("ja;q=0", None),
            ("ja;q=2, tr;q=0.1", Some(Locale::Turkish)),
            ("ja;q=NaN", None),
            ("deu", None),
            ("*", None),
            ("sw", None),
            (";;,,-", None),
            ("", None),
        ] {
            assert_eq!(Locale::from_accept_language(header), want, "{header}");
        }
    }

    #[test]
    fn the_region_is_that_of_the_preferred_variant_of_the_language() {
        for (locale, header, want) in [
            (Locale::English, "en-GB,en;q=0.9", Some("GB")),
            (
                Locale::English,
                "en;q=0.9,en-AU;q=0.8,en-US;q=0.7",
                Some("AU"),
            ),
            (Locale::English, "de-CH,de;q=0.9", None),
            (Locale::German, "en-GB, de-CH;q=0.5", Some("CH")),
            (Locale::TraditionalChinese, "zh-CN, zh-TW", Some("TW")),
            (Locale::Spanish, "es-419", Some("419")),
            (Locale::Spanish, "", None),
        ] {
            let region = locale.region(header);
            assert_eq!(region.as_ref().map(Region::as_str), want, "{header}");
        }
    }

    #[test]
    fn every_language_is_found_by_its_code_and_its_tag() {
        for locale in Locale::ALL {
            assert_eq!(Locale::from_tag(locale.code()), Some(locale));
            assert_eq!(Locale::from_tag(locale.tag()), Some(locale));
        }
    }
}
