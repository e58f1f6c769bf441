//! A moment in words, in UTC: for as long as nobody knows the reader's time zone. Pure.

use super::{Locale, Message, Piece, pieces};

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
    pub fn in_words(self, locale: Locale) -> String {
        let mut words = String::new();
        for piece in pieces(locale.says(Message::Date)) {
            match piece {
                Piece::Text(text) => words += text,
                Piece::Gap("day") => words += &self.day.to_string(),
                Piece::Gap("month") => words += self.name_of_month(locale),
                Piece::Gap(_) => words += &format!("{}:{:02}", self.hour, self.minute),
            }
        }
        words
    }

    fn name_of_month(self, locale: Locale) -> &'static str {
        let before = usize::from(self.month.saturating_sub(1));
        months(locale).split(' ').nth(before).unwrap_or_default()
    }
}

/// As they stand behind a day: in Polish in the genitive.
const fn months(locale: Locale) -> &'static str {
    match locale {
        Locale::English => {
            "January February March April May June July August September October November December"
        }
        Locale::Spanish => {
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
        }
        Locale::French => {
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
        }
        Locale::German => {
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
        }
        Locale::Portuguese => {
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
        }
        Locale::Italian => {
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre \
             dicembre"
        }
        Locale::Polish => {
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada \
             grudnia"
        }
        Locale::Turkish => {
            "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık"
        }
        Locale::Arabic => {
            "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"
        }
        Locale::Hindi => "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
        Locale::Chinese | Locale::Japanese => "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_names_twelve_months() {
        for locale in Locale::ALL {
            assert_eq!(months(locale).split(' ').count(), 12, "{locale:?}");
        }
    }

    #[test]
    fn each_language_says_a_date_in_its_own_way() {
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
            (Locale::Japanese, "11月2日 9:05（UTC）"),
        ] {
            assert_eq!(date.in_words(locale), want);
        }
    }
}
