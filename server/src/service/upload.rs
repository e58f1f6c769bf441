//! Appending to a take: bytes as they arrive become durable chunks.
//!
//! The body is pumped by a task of its own. A sender that hangs up drops the call, but what had arrived
//! by then is still committed, and counts when the sender comes back.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, timeout_at};
use tracing::warn;

use super::limits::check_room;
use super::memory::Share;
use super::orphans::LONGEST_COMMIT;
use super::takes::{bytes, find};
use super::{App, Error};
use crate::blobs::ObjectKey;
use crate::db::{Chunk, Claim, Take, TakeState};

/// The largest object, and the most memory that one upload holds.
const CHUNK_BYTES: usize = 8 << 20;

/// Pieces below this are copied together.
const CRUMB_BYTES: usize = 16 << 10;

/// The longest that a byte waits in memory before it is made durable.
const FLUSH_AFTER: Duration = Duration::from_secs(2);

/// How a take stands after an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
}

/// Appends `body` to a take that stands at `offset`. `last`: the take is complete after it.
pub async fn append<E>(
    app: &App,
    request: &str,
    take: &str,
    offset: u64,
    last: bool,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<Appended, Error>
where
    E: Send + 'static,
{
    let found = find(app, request, take).await?;
    let start = i64::try_from(offset).map_err(|_| elsewhere(&found))?;
    let claim = app
        .db
        .take_claim(&found.request_id, &found.id, start)
        .await?;
    let Some(claim) = claim else {
        // Where it stands now, which an older writer may just have changed.
        return Err(elsewhere(&find(app, request, take).await?));
    };
    let held = app.db.takes_of(&found.request_id).await?;
    let others: u64 = held
        .iter()
        .filter(|it| it.id != found.id)
        .map(|it| bytes(it.committed))
        .sum();
    let writer = Writer {
        most: (app.limits.video_bytes).min(app.limits.request_bytes.saturating_sub(others)),
        app: app.clone(),
        claim,
        committed: start,
    };
    app.to_the_end(writer.pump(body, last)).await
}

/// Why nothing can be appended where the sender wanted to.
fn elsewhere(take: &Take) -> Error {
    let committed = bytes(take.committed);
    match take.state {
        TakeState::Complete => Error::TakeComplete { committed },
        TakeState::Open => Error::OffsetMismatch { committed },
    }
}

/// The one writer of a take, until a newer one claims it.
struct Writer {
    app: App,
    claim: Claim,
    committed: i64,
    /// How long the take may become. Takes of one request that are written at once don't see each
    /// other's growth: then it holds a little more than it may.
    most: u64,
}

/// Bytes that arrived and are not safe yet.
#[derive(Default)]
struct Pending {
    pieces: Vec<Bytes>,
    /// Small pieces, gathered: each one by itself would cost more than it holds.
    crumbs: BytesMut,
    length: usize,
    flush_at: Option<Instant>,
    memory: Share,
}

impl Pending {
    fn push(&mut self, piece: Bytes) {
        if piece.is_empty() {
            return;
        }
        self.flush_at
            .get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
        self.length += piece.len();
        if piece.len() < CRUMB_BYTES {
            self.crumbs.extend_from_slice(&piece);
        } else {
            self.gather();
            self.pieces.push(piece);
        }
    }

    fn gather(&mut self) {
        if !self.crumbs.is_empty() {
            self.pieces.push(self.crumbs.split().freeze());
        }
    }

    fn room(&self) -> usize {
        CHUNK_BYTES - self.length
    }

    /// The bytes, and their share of the memory: to be kept for as long as they are.
    fn into_parts(mut self) -> (Vec<Bytes>, Share) {
        self.gather();
        (self.pieces, self.memory)
    }
}

impl Writer {
    async fn pump<E>(
        mut self,
        mut body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
        last: bool,
    ) -> Result<Appended, Error> {
        let mut pending = Pending::default();
        loop {
            let arrived = match pending.flush_at {
                None => body.next().await,
                Some(at) => match timeout_at(at, body.next()).await {
                    Ok(arrived) => arrived,
                    Err(_) => {
                        self.flush(std::mem::take(&mut pending), false).await?;
                        continue;
                    }
                },
            };
            match arrived {
                Some(Ok(mut piece)) => {
                    let length = bytes(self.committed) + (pending.length + piece.len()) as u64;
                    if length > self.most {
                        return Err(Error::TooLarge { most: self.most });
                    }
                    let share = match self.app.memory.try_take(piece.len()) {
                        Some(share) => share,
                        None => {
                            // Short of memory: what is held becomes durable now, not in a moment.
                            self.flush(std::mem::take(&mut pending), false).await?;
                            self.app.memory.take(piece.len()).await
                        }
                    };
                    pending.memory.add(share);
                    while piece.len() >= pending.room() {
                        pending.push(piece.split_to(pending.room()));
                        self.flush(std::mem::take(&mut pending), false).await?;
                    }
                    pending.push(piece);
                }
                Some(Err(_)) => {
                    // Nobody is there to be told, so it is told here.
                    let flushed = self.flush(pending, false).await;
                    flushed.inspect_err(|error| {
                        warn!(
                            error = error as &dyn std::error::Error,
                            "an interrupted upload"
                        );
                    })?;
                    return Err(Error::Interrupted);
                }
                None => {
                    self.flush(pending, last).await?;
                    return Ok(Appended {
                        offset: bytes(self.committed),
                        complete: last,
                    });
                }
            }
        }
    }

    /// First the bytes, then the row that names them: the order in which a crash can lose nothing
    /// that was acknowledged.
    async fn flush(&mut self, pending: Pending, last: bool) -> Result<(), Error> {
        if pending.length == 0 && !last {
            return Ok(());
        }
        let (request, take) = (&self.claim.request, &self.claim.take);
        let _gate = self.app.gates.write(request).await;
        let from = self.committed;
        let length = pending.length;
        let to = from + i64::try_from(length).map_err(|_| Error::Corrupt)?;
        let object = (length > 0).then(|| ObjectKey::random(request, take));
        let began = Instant::now();
        let (pieces, _held_until_durable) = pending.into_parts();
        if let Some(key) = &object {
            check_room(&self.app, bytes(to - from)).await?;
            self.app.blobs.put(key, pieces).await?;
            if began.elapsed() > LONGEST_COMMIT {
                self.remove(key).await;
                return Err(Error::TooSlow);
            }
        }
        let chunk = object.as_ref().map(|key| Chunk {
            take_id: take.clone(),
            start: from,
            length: to - from,
            object: key.as_str().to_owned(),
        });
        // After an error here nobody knows whether the row is there, so the object stays.
        let db = &self.app.db;
        if db
            .take_commit(&self.claim, from, chunk, last, &self.app.clock)
            .await?
        {
            self.app.usage.add(to - from);
            self.committed = to;
            return Ok(());
        }
        if let Some(key) = &object {
            self.remove(key).await;
        }
        // Somebody else was first, or it is over.
        let take = find(&self.app, request.as_str(), take.as_str()).await?;
        Err(elsewhere(&take))
    }

    /// Removes an object that gets no row. If that fails it is an orphan, and goes as one.
    async fn remove(&self, key: &ObjectKey) {
        if let Err(error) = self.app.blobs.remove(key).await {
            let error: &dyn std::error::Error = &error;
            warn!(error, "an object without a row stays for now");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_pieces_keep_their_order() {
        let lengths = [1, 1, CRUMB_BYTES, 0, 3, CRUMB_BYTES + 1, CRUMB_BYTES - 1];
        let mut pending = Pending::default();
        let mut want = Vec::new();
        for (value, length) in (0_u8..).zip(lengths) {
            want.extend(vec![value; length]);
            pending.push(Bytes::from(vec![value; length]));
        }
        assert_eq!(pending.length, want.len());
        let (pieces, _) = pending.into_parts();
        assert_eq!(pieces.concat(), want);
        assert_eq!(
            pieces.len(),
            5,
            "crumbs are gathered, the rest isn't copied"
        );
    }
}
