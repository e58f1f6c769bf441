//! Which language somebody reads, as far as their browser says: RFC 9110, section 12.5.4, by the lookup of
//! RFC 4647, section 3.4. Pure.

use super::Locale;

impl Locale {
    /// The one with this code, as in `?lang=de`. Longer tags are understood too.
    pub fn named(tag: &str) -> Option<Self> {
        // Lookup drops subtags from the end; ours have only a first one to find.
        let language = tag.split(['-', '_']).next().unwrap_or(tag);
        Self::ALL
            .into_iter()
            .find(|it| it.code().eq_ignore_ascii_case(language))
    }

    /// The best of those in an `Accept-Language` header; of equal ones the first.
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for (range, quality) in header.split(',').map(weighted) {
            let better = best.is_none_or(|(so_far, _)| quality > so_far);
            if quality > 0.0
                && better
                && let Some(locale) = Self::named(range)
            {
                best = Some((quality, locale));
            }
        }
        best.map(|(_, locale)| locale)
    }
}

/// `de;q=0.8`. What isn't a weight between 0 and 1 counts as none wanted.
fn weighted(item: &str) -> (&str, f32) {
    let (range, parameter) = item.split_once(';').unwrap_or((item, "q=1"));
    let parameter = parameter.trim();
    let quality = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="))
        .and_then(|it| it.parse().ok())
        .filter(|it| (0.0..=1.0).contains(it));
    (range.trim(), quality.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_language_that_we_speak_is_chosen() {
        for (header, want) in [
            ("de", Some(Locale::German)),
            ("de-AT,de;q=0.9,en;q=0.8", Some(Locale::German)),
            ("nl, fr;q=0.4, it;q=0.7", Some(Locale::Italian)),
            ("es;q=0.8, pl;q=0.8", Some(Locale::Spanish)),
            ("zh-Hant-TW", Some(Locale::Chinese)),
            ("PT-br ; q=1.0", Some(Locale::Portuguese)),
            ("ar-EG;Q=0.5", Some(Locale::Arabic)),
            ("en;q=0, hi", Some(Locale::Hindi)),
            ("ja;q=0", None),
            ("ja;q=2, tr;q=0.1", Some(Locale::Turkish)),
            ("ja;q=NaN", None),
            ("deu", None),
            ("*", None),
            ("nl", None),
            (";;,,-", None),
            ("", None),
        ] {
            assert_eq!(Locale::accepted(header), want, "{header}");
        }
    }

    #[test]
    fn every_language_is_found_by_its_code_and_its_tag() {
        for locale in Locale::ALL {
            assert_eq!(Locale::named(locale.code()), Some(locale));
            assert_eq!(Locale::named(locale.tag()), Some(locale));
        }
    }
}
