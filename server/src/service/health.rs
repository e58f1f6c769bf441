//! Whether this server can do its work: what asks is whatever sends it callers, every few seconds.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::{App, Error};

/// A part that takes longer is as good as away.
const PATIENCE: Duration = Duration::from_secs(2);

/// An answer is as good for so long, however many ask: nobody can load the stores by asking.
const REMEMBERED: Duration = Duration::from_secs(1);

/// What was last seen. Cheap to clone.
#[derive(Clone)]
pub struct Health(Arc<Seen>);

struct Seen {
    /// When that was, by [`crate::clock::Clock::ticking`].
    last: Mutex<Option<(Duration, Parts)>>,
    /// Who looks, looks alone.
    look: tokio::sync::Mutex<()>,
    /// A look that hangs is not joined by another one.
    database: Arc<Semaphore>,
    blobs: Arc<Semaphore>,
}

impl Default for Health {
    fn default() -> Self {
        Self(Arc::new(Seen {
            last: Mutex::default(),
            look: tokio::sync::Mutex::default(),
            database: Arc::new(Semaphore::new(1)),
            blobs: Arc::new(Semaphore::new(1)),
        }))
    }
}

/// Which parts answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Rows can be read.
    pub database: bool,
    /// The folder or the bucket is there.
    pub blobs: bool,
}

impl Health {
    fn remembered(&self, now: Duration) -> Option<Parts> {
        // Written whole: as good after a panic as before.
        let last = *self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, parts) = last?;
        (now.abs_diff(at) < REMEMBERED).then_some(parts)
    }
}

/// Looks at both stores, unless somebody just did.
pub async fn look(app: &App) -> Parts {
    let seen = &app.health.0;
    let _turn = seen.look.lock().await;
    let now = app.clock.ticking();
    if let Some(parts) = app.health.remembered(now) {
        return parts;
    }
    let (rows, bytes) = (app.clone(), app.clone());
    let (database, blobs) = tokio::join!(
        answers(&seen.database, PATIENCE, async move {
            Ok(rows.db.answers().await?)
        }),
        answers(&seen.blobs, PATIENCE, async move {
            Ok(bytes.blobs.answers().await?)
        }),
    );
    let parts = Parts { database, blobs };
    *seen.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, parts));
    parts
}

/// Whether it is done soon. In a task, which keeps its turn for as long as it hangs.
async fn answers(
    turn: &Arc<Semaphore>,
    patience: Duration,
    look: impl Future<Output = Result<(), Error>> + Send + 'static,
) -> bool {
    let Ok(turn) = turn.clone().try_acquire_owned() else {
        return false;
    };
    let looking = tokio::spawn(async move {
        let seen = look.await;
        drop(turn);
        seen.is_ok()
    });
    matches!(timeout(patience, looking).await, Ok(Ok(true)))
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn a_store_that_hangs_is_asked_once_and_is_away() {
        let turn = Arc::new(Semaphore::new(1));
        assert!(answers(&turn, PATIENCE, ready(Ok(()))).await);
        assert!(!answers(&turn, PATIENCE, ready(Err(Error::Corrupt))).await);
        assert!(!answers(&turn, Duration::ZERO, pending()).await);
        // It still hangs, so nobody asks.
        let asked = async { panic!("asked a second time") };
        assert!(!answers(&turn, PATIENCE, asked).await);
        assert_eq!(turn.available_permits(), 0);
    }
}
