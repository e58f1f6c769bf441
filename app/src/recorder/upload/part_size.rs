//! How many bytes a part carries, adapted to the throughput. Pure.

/// The size of the next part.
#[derive(Clone, Copy, Debug)]
pub struct PartSize(u64);

impl PartSize {
    /// Small enough to show progress, large enough to be worth a request.
    pub(super) const INITIAL: u64 = 1 << 20;

    /// On a fast connection: fewer round trips to upload what is waiting.
    pub(super) const MAX: u64 = 4 << 20;

    /// On a slow connection: at 9 kbit/s it takes 30 s, after which a request has timed out.
    pub(super) const MIN: u64 = 32 << 10;

    /// How long a part should take, in milliseconds.
    pub(super) const TARGET_MS: f64 = 5000.0;

    /// The size in bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }

    /// Adapts the size after a full part of this many bytes was committed at once.
    ///
    /// A part that takes longer than a request may would be sent again and again.
    pub fn adapt(&mut self, bytes: u64, took_ms: f64) {
        // A few megabytes.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let carried = (bytes as f64 / took_ms.max(1.0) * Self::TARGET_MS) as u64;
        self.0 = carried.clamp(Self::MIN, Self::MAX.min(self.0 * 2));
    }

    /// Halves the size after a part failed, perhaps because it took too long.
    pub fn halve(&mut self) {
        self.0 = (self.0 / 2).max(Self::MIN);
    }
}

impl Default for PartSize {
    fn default() -> Self {
        Self(Self::INITIAL)
    }
}
