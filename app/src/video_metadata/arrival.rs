//! When a video arrived, and as what.

use serde::{Deserialize, Serialize};

/// What a video is, as its sender says: a client can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CapturedAs {
    /// Recorded by the recording page.
    Recorded,
    /// A file that was chosen on the recording page.
    File,
    /// A file that came by the page's form, without JavaScript.
    Form,
    /// Sent by another client.
    Client,
}

/// When the bytes of a video arrived, by the server's clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct Arrival {
    /// When the first byte arrived: RFC 3339, in UTC.
    #[cfg_attr(feature = "ssr", schema(format = DateTime))]
    pub first_byte_at: String,
    /// When the last byte was stored.
    #[cfg_attr(feature = "ssr", schema(format = DateTime))]
    pub last_byte_at: String,
    /// Whether the bytes came as they do while the page records: its claim, and none came before it could have been
    /// recorded, or long after: half of the duration, at least 4 and at most 15 seconds. No proof: another program can claim
    /// the same and send as slowly, and a video of up to 4 seconds may have come in one piece.
    pub while_recorded: bool,
}

#[cfg(feature = "ssr")]
impl Arrival {
    /// When and how the video arrived, for people: `2026-11-21 12:01:03–12:02:41 UTC, as a file by the form
    /// without JavaScript`. What only the sender claims is shown as a claim.
    pub fn summary(&self, captured_as: Option<CapturedAs>) -> Option<String> {
        let (from, until) = (
            date_and_time(&self.first_byte_at),
            date_and_time(&self.last_byte_at),
        );
        let ((day, from), (last_day, until)) = (from?, until?);
        let until = match day == last_day {
            true => until.to_owned(),
            false => format!("{last_day} {until}"),
        };
        let how = match captured_as {
            Some(CapturedAs::Recorded) if self.while_recorded => {
                ", while it was recorded, as its sender says"
            }
            Some(CapturedAs::Recorded) => {
                ", recorded by the page, as its sender says, and sent at least partly afterwards"
            }
            Some(CapturedAs::File) => ", as a file that was chosen on the page, as its sender says",
            Some(CapturedAs::Form) => ", as a file by the form without JavaScript",
            Some(CapturedAs::Client) => ", from a sender that doesn’t call itself the page",
            None => "",
        };
        Some(format!("{day} {from}–{until} UTC{how}"))
    }
}

/// An RFC 3339 time as `2026-11-21 12:01:03 UTC`.
pub fn moment(at: &str) -> Option<String> {
    let (day, time) = date_and_time(at)?;
    Some([day, " ", time, " UTC"].concat())
}

/// The date of an RFC 3339 time, and its time to the second.
fn date_and_time(at: &str) -> Option<(&str, &str)> {
    Some((at.get(..10)?, at.get(11..19)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrival_is_described_in_one_line() {
        use CapturedAs::{Client, File, Form, Recorded};
        let (first, soon, next_day) = (
            "2026-11-21T12:01:03.250Z",
            "2026-11-21T12:02:41.000Z",
            "2026-11-22T00:00:01.999Z",
        );
        for (captured_as, while_recorded, last, want) in [
            (
                Some(Recorded),
                true,
                soon,
                "2026-11-21 12:01:03–12:02:41 UTC, while it was recorded, as its sender says",
            ),
            (
                Some(Recorded),
                false,
                next_day,
                "2026-11-21 12:01:03–2026-11-22 00:00:01 UTC, recorded by the page, as its sender says, and sent at least partly afterwards",
            ),
            (
                Some(File),
                false,
                soon,
                "2026-11-21 12:01:03–12:02:41 UTC, as a file that was chosen on the page, as its sender says",
            ),
            (
                Some(Form),
                false,
                soon,
                "2026-11-21 12:01:03–12:02:41 UTC, as a file by the form without JavaScript",
            ),
            (
                Some(Client),
                false,
                soon,
                "2026-11-21 12:01:03–12:02:41 UTC, from a sender that doesn’t call itself the page",
            ),
            (None, false, soon, "2026-11-21 12:01:03–12:02:41 UTC"),
        ] {
            let arrival = Arrival {
                first_byte_at: first.to_owned(),
                last_byte_at: last.to_owned(),
                while_recorded,
            };
            assert_eq!(arrival.summary(captured_as).as_deref(), Some(want));
        }
    }
}
