//! Sends one request at a time, and of those that come meanwhile only the last. Pure.

/// Whether a request is under way, and whether a newer one waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Latest {
    under_way: bool,
    waits: bool,
}

impl Latest {
    /// There is a request. Whether to send it now; else it waits.
    pub fn begin(&mut self) -> bool {
        self.waits = self.under_way;
        !std::mem::replace(&mut self.under_way, true)
    }

    /// The request was answered. Whether to send another one: the last of those that came meanwhile.
    pub fn end(&mut self) -> bool {
        self.under_way = self.waits;
        std::mem::take(&mut self.waits)
    }

    /// Whether no request is under way.
    pub fn is_idle(self) -> bool {
        !self.under_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_request_is_under_way_and_the_last_one_follows() {
        let mut latest = Latest::default();
        assert!(latest.is_idle() && latest.begin());
        assert!(!latest.begin());
        assert!(!latest.begin());
        assert!(latest.end(), "the last one is sent");
        assert!(!latest.is_idle());
        assert!(!latest.end(), "and no other");
        assert!(latest.is_idle() && latest.begin());
    }
}
