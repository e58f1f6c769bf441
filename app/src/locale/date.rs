//! A moment in words, in UTC: until the page knows the reader's time zone. Pure.

use fluent_bundle::FluentArgs;

use super::{Locale, Message};

/// A minute of some year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
}

impl Date {
    /// `21 November, 17:05 UTC`
    pub fn format(self, locale: Locale) -> String {
        let mut values = FluentArgs::new();
        values.set("day", self.day);
        values.set("month", self.month);
        values.set("time", format!("{}:{:02}", self.hour, self.minute));
        locale.format(Message::DateUtc, &values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_writes_a_date_in_its_own_way() {
        let date = Date {
            month: 11,
            day: 2,
            hour: 9,
            minute: 5,
        };
        for (locale, want) in [
            (Locale::English, "2 November, 9:05 UTC"),
            (Locale::German, "2. November, 9:05 Uhr UTC"),
            (Locale::Polish, "2 listopada, 9:05 UTC"),
            (Locale::Arabic, "2 نوفمبر، 9:05 بالتوقيت العالمي"),
            (Locale::Ukrainian, "2 листопада, 9:05 UTC"),
            (Locale::Vietnamese, "9:05 ngày 2 tháng 11 (giờ UTC)"),
            (Locale::TraditionalChinese, "11月2日 9:05（UTC）"),
            (Locale::Japanese, "11月2日 9:05（UTC）"),
        ] {
            assert_eq!(date.format(locale), want);
        }
    }

    #[test]
    fn every_month_of_every_language_has_a_name_of_its_own() {
        for locale in Locale::ALL {
            let dates = (1..=12).map(|month| Date {
                month,
                day: 28,
                hour: 0,
                minute: 0,
            });
            let mut names: Vec<_> = dates.map(|date| date.format(locale)).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), 12, "{locale:?}");
        }
    }
}
