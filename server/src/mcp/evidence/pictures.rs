//! Which pictures a result of `get_video_evidence` shows: an overview, or the moments that the call names.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::try_join_all;
use tokio::time::timeout;
use tracing::warn;

use super::attachments::encoded_length;
use super::delivery::MAX_INLINE_BYTES;
use super::still_selection::select_among;
use crate::mcp::call_context::CallContext;
use crate::mcp::client::ClientKind;
use crate::mcp::input::{Delivery, GetEvidence};
use crate::service::videos::metadata::VideoDetails;
use crate::service::videos::picture::{self, DECODING_TIME, Moments, Picture};
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use app::video_metadata::{StillsStatus, VideoMetadata};
use stills::{MAX_CONTACT_SHEET_BYTES, MAX_STILLS, MAX_STILLS_BYTES, STILL_SIDE, Size};

/// The most bytes of stills in a short result.
///
/// As base64 they leave room below the 150,000 characters that some clients read.
const SHORT: u64 = 90_000;

/// The most stills beside a contact sheet, which gives the overview: further ones cost a model some 400 tokens each.
const BESIDE_SHEET: usize = 6;

/// The longest result in bytes that some clients accept, Codex among them.
const MAX_ANSWER_BYTES: u64 = 8 << 20;

const _: () = assert!(
    encoded_length(MAX_INLINE_BYTES)
        + encoded_length(MAX_STILLS_BYTES as u64)
        + encoded_length(MAX_CONTACT_SHEET_BYTES as u64)
        + encoded_length(TICKED_BYTES as u64)
        + (64 << 10)
        < MAX_ANSWER_BYTES,
    "the largest video, all pictures and the texts are an answer"
);

/// How long an overview waits for pictures of ticked moments: a call may have waited long before, and clients give up
/// after a minute.
const TICKED_TIMEOUT: Duration = Duration::from_secs(3);

/// How much of it decoding may take: what isn't decoded exactly by then is shown by keyframes.
const TICKED_DECODING_TIME: Duration = Duration::from_millis(2400);

/// The most bytes of pictures of ticked moments together.
const TICKED_BYTES: usize = 150_000;

/// Fewer bytes show nothing.
const MIN_TICKED_BYTES: u64 = 4 << 10;

/// The most bytes of one picture in full resolution.
const FULL_BYTES: usize = 1 << 20;

/// The pictures of a result.
pub(super) struct Pictures {
    /// Comes before the others.
    pub contact_sheet: Option<Bytes>,
    /// In order of time.
    pub shown: Vec<Shown>,
    /// Whether they are of moments that the call names.
    pub on_demand: bool,
    /// Why stored ones take the place of pictures on demand.
    pub instead: Option<String>,
}

impl Pictures {
    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.contact_sheet.is_none()
    }
}

/// A picture of a moment.
pub(super) struct Shown {
    pub at_ms: u64,
    pub width: u32,
    pub height: u32,
    pub jpeg: Bytes,
}

impl Shown {
    fn copied(decoded: Picture) -> Self {
        let shown = Self::from(decoded);
        Self {
            jpeg: Bytes::copy_from_slice(&shown.jpeg),
            ..shown
        }
    }
}

impl From<Picture> for Shown {
    fn from(decoded: Picture) -> Self {
        Self {
            at_ms: decoded.at_ms,
            width: decoded.width,
            height: decoded.height,
            jpeg: decoded.jpeg,
        }
    }
}

/// The contact sheet, the moments that the sender ticked, and the stills that every video has, as many as the client
/// takes.
pub(super) async fn overview(
    app: &AppState,
    call: &CallContext,
    known: &VideoDetails,
    delivery: Delivery,
) -> Result<Pictures, Error> {
    let budget = match is_short(call, delivery) {
        true => SHORT,
        false => u64::MAX,
    };
    let sheet = load_sheet(app, known, budget).await?;
    let left = budget - sheet.as_ref().map_or(0, |it| it.len() as u64);
    let max = match &sheet {
        Some(_) => BESIDE_SHEET,
        None => MAX_STILLS,
    };
    let sizes = known.picture_sizes();
    let bytes = |stills: &[usize]| stills.iter().map(|it| sizes[*it]).sum::<u64>();
    let (near, far) = near_ticks(&known.metadata);
    let mut stills = select_among(&near, &sizes, left, max);
    let (left, max) = (left - bytes(&stills), max - stills.len());
    let mut shown = decoded(app, known, far, left, max).await?;
    let left = left - shown.iter().map(|it| it.jpeg.len() as u64).sum::<u64>();
    let max = max - shown.len();
    let others: Vec<usize> = (0..sizes.len()).filter(|it| !stills.contains(it)).collect();
    stills.extend(select_among(&others, &sizes, left, max));
    for still in stored(app, known, &stills).await? {
        // Where only keyframes can be decoded, one may be a still.
        shown.retain(|it| it.at_ms != still.at_ms);
        shown.push(still);
    }
    shown.sort_by_key(|it| it.at_ms);
    Ok(Pictures {
        contact_sheet: sheet,
        shown,
        on_demand: false,
        instead: None,
    })
}

/// The stills near the moments that the sender ticked, in order, and those moments that no still is near.
fn near_ticks(metadata: &VideoMetadata) -> (Vec<usize>, Vec<u64>) {
    let stills = &metadata.stills.pictures;
    let times: Vec<u64> = stills.iter().map(|it| it.at_ms).collect();
    let (mut near, mut far) = (BTreeSet::new(), Vec::new());
    for tick in &metadata.ticks {
        match picture::nearest_within(tick.at_ms, &times) {
            Some(still) => drop(near.insert(still)),
            None => far.push(tick.at_ms),
        }
    }
    (near.into_iter().collect(), far)
}

/// Pictures near the first of these moments, decoded for this call.
/// Where nothing can be decoded now, or the video is damaged, there are none: the times of the ticks are in the
/// result, and the stills beside them.
async fn decoded(
    app: &AppState,
    known: &VideoDetails,
    mut moments: Vec<u64>,
    budget: u64,
    max: usize,
) -> Result<Vec<Shown>, Error> {
    let budget = budget / 2;
    let most = usize::try_from(budget / MIN_TICKED_BYTES).unwrap_or(max);
    moments.truncate(max.min(most));
    // While the stills are being made there is work enough.
    if moments.is_empty() || known.metadata.stills.status == StillsStatus::Pending {
        return Ok(Vec::new());
    }
    let moments = Moments::Near(moments);
    let size = Size {
        side: STILL_SIDE,
        bytes: usize::try_from(budget).map_or(TICKED_BYTES, |budget| budget.min(TICKED_BYTES)),
    };
    let decoded = picture::decode(app, &known.video, &moments, size, TICKED_DECODING_TIME);
    match timeout(TICKED_TIMEOUT, decoded).await {
        // Copied, as they are few and small: an answer that is read slowly occupies no decoder.
        Ok(Ok(decoded)) => Ok(decoded.into_iter().map(Shown::copied).collect()),
        Ok(Err(
            Error::NoPicture { .. }
            | Error::TooOften { .. }
            | Error::DecoderUnavailable
            | Error::Damaged(_),
        )) => Ok(Vec::new()),
        Ok(Err(error)) => Err(error),
        Err(_) => Ok(Vec::new()),
    }
}

/// The contact sheet, if it shows more than the stills and leaves room for some of them.
async fn load_sheet(
    app: &AppState,
    known: &VideoDetails,
    budget: u64,
) -> Result<Option<Bytes>, Error> {
    let fits = |size: u64| size <= budget / 3 * 2;
    if !shows_more(&known.metadata) || !known.contact_sheet_size().is_some_and(fits) {
        return Ok(None);
    }
    match known.contact_sheet(app).await {
        Ok(jpeg) => Ok(Some(jpeg)),
        // A release that doesn't know sheets, and took over for a while, removes them as objects that no row names.
        Err(error @ Error::Blobs(_)) => {
            warn!(error = error.as_dyn(), "contact sheet unavailable");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Whether there is a contact sheet that shows more than the stills.
pub(super) fn shows_more(metadata: &VideoMetadata) -> bool {
    let stills = metadata.stills.pictures.len();
    metadata
        .contact_sheet
        .is_some_and(|it| it.moments as usize > stills)
}

/// Pictures of these moments. Where nothing can be decoded: the stills next to them.
pub(super) async fn on_demand(
    app: &AppState,
    call: &CallContext,
    known: &VideoDetails,
    input: &GetEvidence,
    moments: Moments,
) -> Result<Pictures, Error> {
    let (full, short) = (input.full_resolution, is_short(call, input.delivery));
    let size = Size {
        side: if full { Size::FULL.side } else { STILL_SIDE },
        bytes: match (short, full) {
            (true, _) => usize::try_from(SHORT).unwrap_or(usize::MAX),
            (false, true) => FULL_BYTES,
            (false, false) => MAX_STILLS_BYTES,
        },
    };
    let (shown, instead) =
        match picture::decode(app, &known.video, &moments, size, DECODING_TIME).await {
            Ok(decoded) => (decoded.into_iter().map(Shown::from).collect(), None),
            Err(Error::NoPicture { there, why }) => {
                let times = known.metadata.stills.pictures.iter().map(|it| it.at_ms);
                let near = moments.nearest(&times.collect::<Vec<_>>());
                if near.is_empty() {
                    return Err(Error::NoPicture { there, why });
                }
                let instead = instead(why.as_deref());
                (stored(app, known, &near).await?, Some(instead))
            }
            Err(error) => return Err(error),
        };
    Ok(Pictures {
        contact_sheet: None,
        shown,
        on_demand: true,
        instead,
    })
}

/// Tells that stored stills are shown, and why.
fn instead(why: Option<&str>) -> String {
    let why = why.unwrap_or("the server noted too little of this video");
    format!(
        "No picture of this moment could be decoded ({why}): these are the stored stills next to it, at most \
         {STILL_SIDE} pixels long."
    )
}

async fn stored(
    app: &AppState,
    known: &VideoDetails,
    shown: &[usize],
) -> Result<Vec<Shown>, Error> {
    let stills = &known.metadata.stills.pictures;
    let loaded = shown.iter().map(async |index| {
        let still = stills[*index];
        Ok(Shown {
            at_ms: still.at_ms,
            width: still.width,
            height: still.height,
            jpeg: known.picture(app, *index).await?,
        })
    });
    try_join_all(loaded).await
}

fn is_short(call: &CallContext, delivery: Delivery) -> bool {
    delivery == Delivery::Link || call.client == ClientKind::CutsAnswers
}
