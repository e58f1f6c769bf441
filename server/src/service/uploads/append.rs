//! Appends to a take: bytes that arrive become durable chunks.

use bytes::Bytes;
use futures_util::Stream;

use crate::id::{RequestId, TakeId};
use crate::service::requests::access;
use crate::service::uploads::lookup::{UploadStatus, explain_conflict, find};
use crate::service::uploads::writer::{ChunkWriter, explain_refusal, max_length};
use crate::service::{AppState, Error};

pub use crate::service::uploads::parameters::{Append, End};

/// Appends `body` to a take.
///
/// The newest append of a take wins: an append or a status request that comes later ends this one. What had arrived
/// by then is committed, and the result is [`Error::Superseded`] with the offset after it. The body is consumed by a
/// task, so what had arrived of it is committed even if the client disconnects and this future is dropped.
pub async fn append<E>(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
    append: Append,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<UploadStatus, Error>
where
    E: Send + 'static,
{
    // Tickets are drawn before anything is awaited, so that they are in the order of arrival.
    let locks = &app.coordination.upload_locks;
    let ticket = locks.draw_ticket(take);
    let request_row = access::awaiting(app, request).await?;
    let (request_id, expires_at) = (request_row.id(), request_row.row().expires_at);
    // The take must belong to this link before its current writer is superseded.
    let takes = app.db.takes_of(request_id).await?;
    let own = takes.iter().find(|it| it.id == *take);
    let Some(own) = own else {
        return Err(explain_conflict(app, request).await);
    };
    let pending = app.storage_usage.pending_of(request_id);
    let max_length = max_length(&app.storage_limits, &takes, &own.id, pending);
    let Some(lock) = ticket.supersede().await else {
        let committed = find(app, request, take).await?.take.committed;
        return Err(Error::Superseded { committed });
    };
    if app.coordination.poisoned.contains(&own.id) {
        return Err(Error::TakeFailed);
    }
    let transfer = app.coordination.transfers.begin(request_id, expires_at);
    let (state, of, id) = (app.clone(), request_id.clone(), own.id.clone());
    let (offset, length) = (append.offset, append.length);
    // To completion: a claim that comes after its client has hung up would take the take from the next writer.
    let claim = app.spawn_to_completion(async move {
        let claim = state
            .db
            .take_claim(&of, &id, Some(offset), length, &state.clock);
        Ok((claim.await?, lock))
    });
    let (claim, lock) = claim.await?;
    let Some(claim) = claim else {
        // Loaded again, because an older writer may have moved the offset meanwhile.
        let found = find(app, request, take).await?;
        return Err(explain_refusal(&found.take, append.offset, append.length));
    };
    let appended = async {
        let writer =
            ChunkWriter::new(app, claim, append, max_length, expires_at, lock, transfer).await?;
        app.spawn_to_completion(writer.write_body(body)).await
    };
    match appended.await {
        // Its objects or its folder may be missing because the take was removed meanwhile.
        Err(Error::Blobs(failure)) => match find(app, request, take).await {
            Err(why) if !why.is_internal() => Err(why),
            _ => Err(Error::Blobs(failure)),
        },
        appended => appended,
    }
}
