//! Revocation of a response whose bytes may no longer be sent.

use std::any::Any;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

/// Signals that a response's bytes may no longer leave this process.
///
/// The response carries it in its extensions to the connection, which can discard what HTTP, TLS and the kernel have
/// buffered.
#[derive(Clone)]
pub struct Revocation {
    revoked: CancellationToken,
    _guard: Arc<dyn Any + Send + Sync>,
}

impl Revocation {
    /// Revokes when `revoked` is cancelled. `guard` is dropped with the last clone, when the response has been
    /// written or discarded.
    pub fn new(revoked: CancellationToken, guard: Arc<dyn Any + Send + Sync>) -> Self {
        Self {
            revoked,
            _guard: guard,
        }
    }

    /// Waits until the bytes may no longer leave.
    pub async fn revoked(&self) {
        self.revoked.cancelled().await;
    }

    /// Whether the bytes may no longer leave.
    pub fn is_revoked(&self) -> bool {
        self.revoked.is_cancelled()
    }
}
