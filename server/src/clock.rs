//! Time, injected: expiry is tested by moving a clock, never by waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Milliseconds since 1970, UTC: how the database keeps every time.
pub type Millis = i64;

/// Where "now" comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still until somebody moves it.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that starts at the present and moves only by [`Clock::advance`].
    pub fn manual() -> Self {
        Self::Manual(Arc::new(AtomicI64::new(Self::System.now())))
    }

    /// The present.
    pub fn now(&self) -> Millis {
        match self {
            Self::System => Timestamp::now().as_millisecond(),
            Self::Manual(at) => at.load(Ordering::SeqCst),
        }
    }

    /// Moves a manual clock, backwards too. The machine's clock stays as it is.
    pub fn advance(&self, by: Millis) {
        if let Self::Manual(at) = self {
            at.fetch_add(by, Ordering::SeqCst);
        }
    }
}

/// RFC 3339 in UTC, as every API answer shows times.
pub fn rfc3339(at: Millis) -> String {
    // Outside jiff's range lie only the years beyond 9999, where no request expires.
    Timestamp::from_millisecond(at)
        .unwrap_or(Timestamp::MAX)
        .to_string()
}

/// For a reader whose time zone isn't known.
pub fn for_people(at: Millis) -> String {
    let at = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX);
    at.strftime("%A, %-d %B, %H:%M UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_utc() {
        assert_eq!(rfc3339(1_795_219_200_000), "2026-11-21T00:00:00Z");
        assert_eq!(rfc3339(1_795_219_200_250), "2026-11-21T00:00:00.25Z");
        assert_eq!(
            for_people(1_795_219_200_250),
            "Saturday, 21 November, 00:00 UTC"
        );
    }
}
