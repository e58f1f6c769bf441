//! The state of the request and of its takes, as the page reads it.

use crate::browser::Json;

/// A [`crate::api::PageState`], the state of the request and of its takes; read without serde.
pub struct PageStateJson(Json);

impl PageStateJson {
    pub(super) fn new(json: Json) -> Self {
        Self(json)
    }

    /// Whether a take was submitted.
    pub fn is_submitted(&self) -> bool {
        self.0.get("status").as_text().as_deref() == Some("submitted")
    }

    /// Whether the server has the take.
    pub fn has_take(&self) -> bool {
        self.0.get("take").is_truthy()
    }

    /// Whether the take is complete.
    pub fn is_complete(&self) -> bool {
        self.take("complete").is_truthy()
    }

    /// Whether at least this many bytes of the take are committed.
    pub fn has_bytes(&self, min: u64) -> bool {
        // Exact up to 2⁵³ bytes.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let min = min as f64;
        let offset = self.take("offset").as_number();
        offset.is_some_and(|offset| offset >= min)
    }

    /// Whether the server has parsed the take: it is sealed, or can't be.
    pub fn is_parsed(&self) -> bool {
        self.take("sealed").is_truthy() || self.take("refused").is_truthy()
    }

    /// Whether the take contains the location where it was filmed.
    pub fn has_location(&self) -> bool {
        self.take("has_location").is_truthy()
    }

    /// Whether another take is growing.
    pub fn is_recorded_elsewhere(&self) -> bool {
        self.0.get("recorded_elsewhere").is_truthy()
    }

    fn take(&self, field: &str) -> Json {
        self.0.get("take").get(field)
    }
}
