//! Streaming of a submitted video: the index, then the chunks of the recording.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use metrics::counter;
use tracing::{error, warn};

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
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{STREAMED, STREAMS_BROKEN};
use media::Container;
use net::Revocation;

/// The bytes of a picture that are sent at a time.
const SLICE: usize = 64 << 10;

/// A submitted video that the access token grants.
pub struct Video {
    app: AppState,
    transfer: Arc<TransferGuard>,
    pub(in crate::service) take: Take,
    pub(in crate::service) seal: Option<Seal>,
    admission: ReadPermit,
    token: Option<AccessToken>,
    /// Identifier of the video.
    pub id: VideoId,
    /// Length in bytes.
    pub length: u64,
    /// Container format.
    pub container: Container,
    /// Entity tag. It never changes: a video id names one recording, and its index is made once.
    pub etag: String,
    /// Time at which the bytes became final.
    pub modified_at: Millis,
    /// SHA-256 of all bytes, if known.
    pub sha256: Option<Vec<u8>>,
}

/// Opens the token's own video.
/// [`Error::Gone`]: its request has expired. [`Error::Damaged`]: a check has found that it isn't as it was sealed.
pub async fn open(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<Video, Error> {
    let (video, _) = open_with_request(app, admission, token, id).await?;
    Ok(video)
}

/// Opens the token's own video as [`open`] does, and returns its request, too.
pub(in crate::service) async fn open_with_request(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<(Video, Current), Error> {
    let current = authorize(app, admission, token.clone(), id).await?;
    if let Some(video) = load(app, &current, admission, token.clone()).await? {
        return Ok((video, current));
    }
    // A deletion or a sweep removes the rows, so another access check returns which of the two it was.
    authorize(app, admission, token, id).await?;
    Err(Error::Corrupt)
}

async fn authorize(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<Current, Error> {
    let owner = access::authenticate(app, admission, token).await?;
    owner.video(app, id).await
}

/// `None`: the rows of the take are missing.
async fn load(
    app: &AppState,
    current: &Current,
    admission: ReadPermit,
    token: Option<AccessToken>,
) -> Result<Option<Video>, Error> {
    let row = current.row();
    // Registering before the manifest is read makes sure that a removal from now on is noticed.
    let transfer = Arc::new(app.coordination.transfers.begin(&row.id, row.expires_at));
    let (Some(id), Some(take)) = (&row.video_id, &row.take_id) else {
        return Err(Error::Corrupt);
    };
    // A video that was submitted to an older version has no seal: its recording is served as it was uploaded.
    let Some((take, seal, damage)) = app.db.take_and_seal(&row.id, take).await? else {
        return Ok(None);
    };
    if damage.is_some() {
        return Err(Error::Damaged(BlobError::Changed));
    }
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
        transfer,
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
    /// Whether the request was deleted or has expired since the video was opened.
    pub(in crate::service) fn is_cancelled(&self) -> bool {
        self.transfer.is_cancelled()
    }

    /// Revocation for a response that carries bytes or stills of the video.
    pub fn revocation(&self) -> Revocation {
        TransferGuard::revocation(&self.transfer)
    }

    /// Repeats the access check. What was read before it belongs to a video that wasn't removed.
    pub(in crate::service) async fn check_again(&self) -> Result<(), Error> {
        let again = authorize(&self.app, self.admission, self.token.clone(), &self.id).await;
        again.map(drop)
    }

    /// Repeats the access check, and returns why rows or objects of the video are missing.
    ///
    /// They may be removed at any time after [`open`]. [`Error::Corrupt`]: the video is still accessible.
    pub(in crate::service) async fn explain_missing(&self) -> Error {
        self.check_again().await.err().unwrap_or(Error::Corrupt)
    }

    /// Like [`Video::explain_missing`]. Returns `otherwise` if the video is still accessible.
    pub(in crate::service) async fn explain_missing_or(&self, otherwise: Error) -> Error {
        match self.explain_missing().await {
            Error::Corrupt => otherwise,
            why => why,
        }
    }

    /// Why its bytes can't be read. [`Error::Damaged`]: they are lost or have changed.
    pub(in crate::service) async fn explain_failure(&self, error: Error) -> Error {
        match error {
            Error::Corrupt => self.explain_damage(BlobError::Gap).await,
            Error::Blobs(error) if error.is_damage() => self.explain_damage(error).await,
            error @ Error::Blobs(_) => self.explain_missing_or(error).await,
            error => error,
        }
    }

    /// Like [`Video::explain_missing`]. A video that is still accessible is damaged, which is logged.
    async fn explain_damage(&self, error: BlobError) -> Error {
        match self.explain_missing().await {
            Error::Corrupt => {
                error!(
                    error = error.as_dyn(),
                    "a stored video is damaged; vidence check names it"
                );
                Error::Damaged(error)
            }
            why => why,
        }
    }

    /// Streams the bytes of `range`, which must lie within the video.
    /// [`Error::Damaged`]: the first of them are lost.
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
            Ok(pieces) => Ok(guarded(pieces, self.transfer)),
            Err(error) => Err(self.explain_failure(error).await),
        }
    }

    /// Length of its objects in bytes, according to the rows of its take and seal.
    fn stored(&self) -> u64 {
        let index = self.seal.as_ref().map_or(0, |seal| seal.index_length);
        index + self.take.committed
    }

    /// A stream of `bytes` that belong to the video. It is cancelled like the video's own stream.
    pub fn guard_bytes(
        &self,
        bytes: Bytes,
    ) -> impl Stream<Item = Result<Bytes, BlobError>> + Send + use<> {
        // In slices, so that no more of it than one is copied at a time.
        let slices = (0..bytes.len()).step_by(SLICE).map(move |from| {
            let to = bytes.len().min(from + SLICE);
            Ok(bytes.slice(from..to))
        });
        self.guard(stream::iter(slices))
    }

    /// Cancels a stream of bytes that belong to the video like the video's own stream.
    pub(in crate::service) fn guard<S: Stream<Item = Result<Bytes, BlobError>> + Send>(
        &self,
        pieces: S,
    ) -> impl Stream<Item = Result<Bytes, BlobError>> + Send + use<S> {
        guarded(pieces, self.transfer.clone())
    }
}

/// Cuts a stream once the request is over, so that bytes that were read ahead aren't sent.
fn guarded(
    pieces: impl Stream<Item = Result<Bytes, BlobError>> + Send,
    transfer: Arc<TransferGuard>,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    pieces.map(move |piece| match transfer.is_cancelled() {
        // The response has begun, so an error can only truncate it: only the log and the metric report it.
        false => piece
            .inspect(|piece| counter!(STREAMED).increment(piece.len() as u64))
            .inspect_err(|error| {
                warn!(error = error.as_dyn(), "stream broke");
                counter!(STREAMS_BROKEN).increment(1);
            }),
        true => Err(BlobError::Cut),
    })
}
