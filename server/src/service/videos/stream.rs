//! Reading a submitted video: the index in front, then the recording's chunks.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use metrics::counter;
use tracing::warn;

use crate::blobs::BlobError;
use crate::clock::Millis;
use crate::db::{Seal, Take};
use crate::id::{AccessToken, VideoId};
use crate::service::quota::ReadPermit;
use crate::service::requests::access;
use crate::service::requests::access::Current;
use crate::service::state::transfers::TransferGuard;
use crate::service::videos::extents::Extents;
use crate::service::{AppState, Error};
use crate::telemetry::names::{STREAMED, STREAMS_BROKEN};
use media::Container;
use net::Revocation;

/// A video that its creator may watch, now.
pub struct Video {
    app: AppState,
    watch: Arc<TransferGuard>,
    pub(in crate::service) take: Take,
    pub(in crate::service) seal: Option<Seal>,
    admission: ReadPermit,
    token: Option<AccessToken>,
    /// Its name.
    pub id: VideoId,
    /// How many bytes it has.
    pub length: u64,
    /// What it is.
    pub container: Container,
    /// Changes when the bytes do, which is never: the id of a video names one recording, and its index is
    /// made once.
    pub etag: String,
    /// When the bytes became what they are.
    pub modified_at: Millis,
    /// SHA-256 of all of it, if it is known.
    pub sha256: Option<Vec<u8>>,
}

/// Finds the holder's video. [`Error::Gone`] once its time is over.
pub async fn open(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &str,
) -> Result<Video, Error> {
    let current = look(app, admission, token.clone(), id).await?;
    if let Some(video) = load(app, &current, admission, token.clone()).await? {
        return Ok(video);
    }
    // Its rows go when it is deleted or swept: then a second look says which of the two it was.
    look(app, admission, token, id).await?;
    Err(Error::Corrupt)
}

async fn look(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &str,
) -> Result<Current, Error> {
    let holder = access::authenticate(app, admission, token).await?;
    holder.video(app, id).await
}

/// `None`: its rows aren't there.
async fn load(
    app: &AppState,
    current: &Current,
    admission: ReadPermit,
    token: Option<AccessToken>,
) -> Result<Option<Video>, Error> {
    let row = current.row();
    // From before the look at the manifest: a removal that comes now is noticed.
    let watch = Arc::new(app.coordination.transfers.begin(&row.id, row.expires_at));
    let (Some(id), Some(take)) = (&row.video_id, &row.take_id) else {
        return Err(Error::Corrupt);
    };
    let Some(take) = app.db.take_get(&row.id, take).await? else {
        return Ok(None);
    };
    // One that was submitted to an older version has none: then the recording is served as it came.
    let seal = app.db.seal_get(&take.id).await?;
    let container = take.container.as_deref();
    let container = container.and_then(Container::from_media_type);
    let (length, etag) = match &seal {
        Some(seal) => (
            seal.index_length + seal.recording_length,
            format!("\"{id}.{}\"", seal.version),
        ),
        None => (take.committed, format!("\"{id}\"")),
    };
    Ok(Some(Video {
        app: app.clone(),
        watch,
        id: id.clone(),
        length,
        container: container.ok_or(Error::Corrupt)?,
        etag,
        modified_at: seal.as_ref().map_or(take.created_at, |seal| seal.sealed_at),
        sha256: seal.as_ref().map(|seal| seal.served_sha256.clone()),
        take,
        seal,
        admission,
        token,
    }))
}

impl Video {
    /// Whether it was deleted or its time ended since it was opened.
    pub(in crate::service) fn is_cut(&self) -> bool {
        self.watch.is_cancelled()
    }

    /// For the response that carries its bytes, or pictures of it.
    pub fn revocation(&self) -> Revocation {
        TransferGuard::revocation(&self.watch)
    }

    /// Why something of it isn't there any more. Rows and objects go while one looks, as for [`open`].
    pub(in crate::service) async fn look_again(&self) -> Error {
        let again = look(
            &self.app,
            self.admission,
            self.token.clone(),
            self.id.as_str(),
        )
        .await;
        again.err().unwrap_or(Error::Corrupt)
    }

    /// The bytes of `range`, which must lie within the video.
    pub async fn stream(
        self,
        range: Range<u64>,
    ) -> Result<impl Stream<Item = Result<Bytes, BlobError>> + Send + use<>, Error> {
        let layout = Extents::of_video(&self.app.db, &self.take.id, self.seal.as_ref());
        let opened = match range.end <= self.length && self.length <= self.stored() {
            true => layout.open(&self.app.blobs, range).await,
            false => Err(Error::Corrupt),
        };
        match opened {
            Ok(pieces) => Ok(guarded(pieces, self.watch)),
            Err(Error::Corrupt) => Err(self.look_again().await),
            Err(error) => Err(error),
        }
    }

    /// How many bytes its objects have, as far as the rows of take and seal say.
    fn stored(&self) -> u64 {
        let index = self.seal.as_ref().map_or(0, |seal| seal.index_length);
        index + self.take.committed
    }

    /// Bytes that belong to it and are sent when it is their turn.
    pub fn beside(
        &self,
        bytes: Bytes,
    ) -> impl Stream<Item = Result<Bytes, BlobError>> + Send + use<> {
        guarded(stream::iter([Ok(bytes)]), self.watch.clone())
    }
}

/// What was read ahead must not go out after the end either.
fn guarded(
    pieces: impl Stream<Item = Result<Bytes, BlobError>> + Send,
    watch: Arc<TransferGuard>,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    pieces.map(move |piece| match watch.is_cancelled() {
        // The answer has begun, so a failure can only cut it short: nobody else would tell.
        false => piece
            .inspect(|piece| counter!(STREAMED).increment(piece.len() as u64))
            .inspect_err(|error| {
                warn!(error = error as &dyn std::error::Error, "a stream broke");
                counter!(STREAMS_BROKEN).increment(1);
            }),
        true => Err(BlobError::Cut),
    })
}
