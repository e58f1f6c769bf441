//! Creation of a take with its first bytes.

use app::video_metadata::CapturedAs;
use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::oneshot;
use tracing::warn;

use crate::id::{RequestId, TakeId};
use crate::service::uploads::append::{Append, append};
use crate::service::uploads::lookup::UploadStatus;
use crate::service::uploads::takes::{begin, discard};
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;

/// Begins a take with its first bytes.
///
/// If that fails, or the client has disconnected and can't learn the take's id, nothing of it is kept.
pub async fn begin_with<E>(
    app: &AppState,
    request: &RequestId,
    captured_as: CapturedAs,
    piece: Append,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<(TakeId, UploadStatus), Error>
where
    E: Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let (store, link) = (app.clone(), request.clone());
    let work = async move {
        let (take, _) = begin(&store, &link, captured_as, piece.length).await?;
        let appended = append(&store, &link, &take, piece, body).await;
        if appended.is_err() {
            discard_best_effort(&store, &link, &take).await;
        }
        if let Err(Ok((take, _))) = sender.send(appended.map(|status| (take, status))) {
            discard_best_effort(&store, &link, &take).await;
        }
        Ok(())
    };
    app.spawn_to_completion(work).await?;
    receiver.await.map_err(|_| Error::Corrupt)?
}

/// Discards a take after another failure, and only logs if that fails, too.
pub(in crate::service) async fn discard_best_effort(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) {
    if let Err(error) = discard(app, request, take).await {
        warn!(error = error.as_dyn(), "could not discard a take");
    }
}
