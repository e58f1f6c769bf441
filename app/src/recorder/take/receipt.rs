//! The receipt: what was sent and when, for the person.
//! This browser keeps it until the link is over, so that a page that is loaded again still knows;
//! `frontend/closed.js` reads it there.

use crate::browser;
use crate::browser::storage::local_storage;
use crate::recorder::bindings::{Element, Flag, Slot};
use crate::recorder::controller::Recorder;

/// The key in `localStorage` for the receipts, the newest first.
/// Each is a line of fields, separated by tabs: the request, when it ends, and the texts of the slots `time`,
/// `summary` and `until`.
const KEY: &str = "vidence.receipts";

/// How many receipts to keep.
const MAX_KEPT: usize = 20;

impl Recorder {
    /// Shows the receipt of the take that was just submitted, and keeps it for later visits.
    pub(in crate::recorder) fn issue_receipt(self) {
        let locale = browser::page_locale();
        let time = |millis| browser::format_local_time(millis, &locale).unwrap_or_default();
        let sent_at = time(self.now());
        let size = self.page.slot_text(Slot::Size);
        let summary = match self.has_flag(Flag::NotPlayable) {
            // Nobody has told its duration.
            true => size,
            false => self.page.slot_text(Slot::Recorded) + " · " + &size,
        };
        self.page.fill_slot(Slot::SentAt, &sent_at);
        self.page.fill_slot(Slot::Summary, &summary);
        self.set_flag(Flag::HasReceipt, true);
        let ends_at = self.page.data("expiresAt");
        let until = time(self.expires_at);
        let receipt = [&self.request, &ends_at, &sent_at, &summary, &until];
        let mut receipts = self.current_receipts();
        receipts.insert(0, receipt.map(String::as_str).join("\t"));
        receipts.truncate(MAX_KEPT);
        local_storage::set(KEY, &receipts.join("\n"));
    }

    /// Deletes the receipts of requests that are over.
    pub(in crate::recorder) fn delete_expired_receipts(self) {
        local_storage::set(KEY, &self.current_receipts().join("\n"));
    }

    /// Whether a take of this request was submitted in this browser.
    pub(super) fn has_receipt(self) -> bool {
        let receipts = self.current_receipts();
        receipts.iter().any(|it| it.starts_with(&self.request))
    }

    fn current_receipts(self) -> Vec<String> {
        let receipts = local_storage::get(KEY).unwrap_or_default();
        let current = receipts.lines().filter(|receipt| {
            let ends_at = receipt.split('\t').nth(1);
            ends_at.is_some_and(|it| self.now() < browser::parse_time(it))
        });
        current.map(str::to_owned).collect()
    }

    /// Saves the receipt as a text file on this device.
    pub(in crate::recorder) fn save_receipt(self) {
        if let Some(receipt) = self.page.elements(Element::Receipt).next() {
            let text = receipt.inner_text() + "\n" + &browser::page_url() + "\n";
            browser::save_text(&text, "receipt.txt");
        }
    }
}
