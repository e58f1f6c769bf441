//! Metadata, stills and contact sheet of a submitted video, for agents that can't play it or want to know it first.

use app::video_metadata::{
    ContactSheet, Still, Stills, StillsStatus, VideoMetadata, VideoProperties,
};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use net::Revocation;

use crate::blobs::{BlobError, ObjectKey};
use crate::db::{self, Coding, Seal, SealingState};
use crate::id::{AccessToken, VideoId};
use crate::receipts::hex;
use crate::service::quota::ReadPermit;
use crate::service::submission::ticks;
use crate::service::videos::picture;
use crate::service::videos::picture::{DECODING_TIME, Moments, Picture};
use crate::service::videos::provenance;
use crate::service::videos::stream;
use crate::service::videos::stream::Video;
use crate::service::videos::transcript;
use crate::service::{AppState, Error};
use stills::Size;

/// Older versions neither analysed a video nor made stills of it.
const NEVER_DECODED: &str = "the server made no stills when this video was submitted";

/// An accessible video with its metadata and stills.
pub struct VideoDetails {
    /// Metadata in the API's terms.
    pub metadata: VideoMetadata,
    /// The video, which can be streamed.
    pub video: Video,
    /// The stills of [`VideoMetadata::stills`], in the same order.
    stills: Vec<db::Still>,
    /// That of [`VideoMetadata::contact_sheet`].
    contact_sheet: Option<db::ContactSheet>,
}

/// Loads the token's own video with its metadata and stills. Fails as [`stream::open`] does.
pub async fn load(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<VideoDetails, Error> {
    let (video, request) = stream::open_with_request(app, admission, token, id).await?;
    let (state, stills) = stills_of(app, &video).await?;
    let contact_sheet = match state.status {
        StillsStatus::Ready => app.db.contact_sheet_of(&video.take.id).await?,
        StillsStatus::Pending | StillsStatus::Unavailable => None,
    };
    let coding = app.db.coding_of(&video.take.id).await?;
    let provenance = provenance::of(request.row(), &video.take, video.seal.as_ref());
    let metadata = VideoMetadata {
        id: video.id.to_string(),
        media_type: video.container.media_type().to_owned(),
        bytes: video.length,
        properties: video.seal.as_ref().map(|seal| properties(seal, coding)),
        stills: state,
        contact_sheet: contact_sheet.as_ref().map(sheet),
        ticks: ticks::of(request.row(), video.seal.as_ref().map(|it| it.duration_ms)),
        transcript: transcript::load(app, &video).await?,
        captured_as: provenance.captured_as,
        arrived: provenance.arrived(),
        arrival: provenance.arrival,
        request_created_at: Some(provenance.request_created_at),
        sealed_at: provenance.sealed_at,
        submitted_at: provenance.submitted_at,
    };
    // Of a video that was removed meanwhile, any of it may be missing, and none of it may be told.
    video.check_again().await?;
    Ok(VideoDetails {
        metadata,
        video,
        stills,
        contact_sheet,
    })
}

/// A picture to be sent: a JPEG.
pub struct PictureStream {
    /// Length in bytes.
    pub length: u64,
    /// Its bytes.
    pub pieces: BoxStream<'static, Result<Bytes, BlobError>>,
    /// Revocation of the response.
    pub revocation: Revocation,
}

/// Decodes the picture next to `at_ms` of the token's own video, in the resolution in which it was recorded. Returns its
/// moment, too.
///
/// Fails as [`stream::open`] and [`picture::decode`] do, and with [`Error::NotFound`] for no moment.
pub async fn full_picture(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
    at_ms: Option<u64>,
) -> Result<(u64, PictureStream), Error> {
    let video = stream::open(app, admission, token, id).await?;
    let at_ms = at_ms.ok_or(Error::NotFound)?;
    let pictures =
        picture::decode(app, &video, &Moments::At(at_ms), Size::FULL, DECODING_TIME).await?;
    let none = || Error::NoPicture {
        there: Vec::new(),
        why: None,
    };
    let Picture { at_ms, jpeg, .. } = pictures.into_iter().next().ok_or_else(none)?;
    let picture = PictureStream {
        length: jpeg.len() as u64,
        pieces: video.guard_bytes(jpeg).boxed(),
        revocation: video.revocation(),
    };
    Ok((at_ms, picture))
}

/// Opens the still at `at_ms` of the token's own video.
///
/// Fails as [`stream::open`] does, and with [`Error::NoPicture`] if there is no still at that time.
pub async fn still(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
    at_ms: u64,
) -> Result<PictureStream, Error> {
    let video = stream::open(app, admission, token, id).await?;
    let stills = app.db.stills_of(&video.take.id).await?;
    let still = stills.iter().find(|it| it.at_ms == at_ms);
    let Some(still) = still else {
        let none = Error::NoPicture {
            there: stills.iter().map(|it| it.at_ms).collect(),
            why: None,
        };
        return Err(video.explain_missing_or(none).await);
    };
    open(app, &video, &still.object, still.length).await
}

/// Checks that this is the token's own video. Fails as [`stream::open`] does.
pub async fn check_access(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<(), Error> {
    stream::open(app, admission, token, id).await.map(drop)
}

/// Opens the contact sheet of the token's own video.
///
/// Fails as [`stream::open`] does, and with [`Error::NotFound`] if there is none, or none yet.
pub async fn contact_sheet(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<PictureStream, Error> {
    let video = stream::open(app, admission, token, id).await?;
    let sheet = app.db.contact_sheet_of(&video.take.id).await?;
    let Some(sheet) = sheet else {
        return Err(video.explain_missing_or(Error::NotFound).await);
    };
    open(app, &video, &sheet.object, sheet.length).await
}

impl VideoDetails {
    /// Length of each still in bytes.
    pub fn picture_sizes(&self) -> Vec<u64> {
        self.stills.iter().map(|it| it.length).collect()
    }

    /// Returns a still as JPEG.
    pub async fn picture(&self, app: &AppState, index: usize) -> Result<Bytes, Error> {
        let still = self.stills.get(index).ok_or(Error::NotFound)?;
        read(app, &self.video, &still.object, still.length).await
    }

    /// Length of the contact sheet in bytes. `None`: there is none.
    pub fn contact_sheet_size(&self) -> Option<u64> {
        self.contact_sheet.as_ref().map(|it| it.length)
    }

    /// Returns the contact sheet as JPEG.
    pub async fn contact_sheet(&self, app: &AppState) -> Result<Bytes, Error> {
        let sheet = self.contact_sheet.as_ref().ok_or(Error::NotFound)?;
        read(app, &self.video, &sheet.object, sheet.length).await
    }
}

/// Opens a stored picture. It is verified as a whole before the response begins.
async fn open(
    app: &AppState,
    video: &Video,
    object: &str,
    length: u64,
) -> Result<PictureStream, Error> {
    let jpeg = read(app, video, object, length).await?;
    Ok(PictureStream {
        length,
        pieces: video.guard_bytes(jpeg).boxed(),
        revocation: video.revocation(),
    })
}

async fn read(app: &AppState, video: &Video, object: &str, length: u64) -> Result<Bytes, Error> {
    let object = ObjectKey::from_manifest(object);
    match app.blobs.read_whole(&object, length).await {
        Ok(jpeg) if !video.is_cancelled() => Ok(jpeg),
        // The video was removed meanwhile: another access check returns the reason.
        Ok(_) => Err(video.explain_missing().await),
        Err(error) => Err(video.explain_missing_or(error.into()).await),
    }
}

fn properties(seal: &Seal, coding: Option<Coding>) -> VideoProperties {
    VideoProperties {
        sha256: hex(&seal.served_sha256),
        received_sha256: hex(&seal.recording_sha256),
        duration_ms: seal.duration_ms,
        width: seal.width,
        height: seal.height,
        hdr: coding.as_ref().is_some_and(|it| it.hdr),
        codec: coding.and_then(|it| it.codec),
        has_audio: seal.has_audio,
        has_location: seal.has_location,
        truncated: seal.truncated,
        missing_ms: seal.missing_ms,
    }
}

async fn stills_of(app: &AppState, video: &Video) -> Result<(Stills, Vec<db::Still>), Error> {
    let none = |state| Ok((state, Vec::new()));
    if video.seal.is_none() {
        return none(Stills::unavailable(NEVER_DECODED.to_owned()));
    }
    let take = &video.take.id;
    let Some(work) = app.db.sealing_get(take).await? else {
        // The row of the seal existed a moment ago and references this one, so both were removed meanwhile.
        return Err(video.explain_missing().await);
    };
    if work.state != SealingState::Done {
        return none(Stills::pending());
    }
    if let Some(why) = work.no_stills {
        return none(Stills::unavailable(why));
    }
    let made = app.db.stills_of(take).await?;
    if made.is_empty() {
        return Err(video.explain_missing().await);
    }
    Ok((Stills::ready(made.iter().map(picture).collect()), made))
}

fn sheet(row: &db::ContactSheet) -> ContactSheet {
    ContactSheet {
        width: row.width,
        height: row.height,
        moments: row.moments,
    }
}

fn picture(row: &db::Still) -> Still {
    Still {
        at_ms: row.at_ms,
        width: row.width,
        height: row.height,
    }
}
