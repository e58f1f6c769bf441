//! Turns coded groups into stills: which worker decodes which of them, and what its answers are worth.

mod attempts;

use std::time::Duration;

use tokio::time::Instant;

use self::attempts::Pipeline;
use super::image::RgbImage;
use super::protocol::{Format, Outputs};
use super::{
    CodedGroup, Decoders, MAX_FRAME_BYTES, MAX_GROUP_BYTES, MAX_STILL_BYTES, MAX_STILLS, Moment,
    NoStills, Size, Still, THUMBNAIL_SIDE,
};
use media::{Codec, VideoTrack};

/// Makes the stills that every video has: see [`make_sized`].
pub async fn make(
    decoders: &Decoders,
    video: &VideoTrack,
    coded: Vec<CodedGroup>,
) -> Result<Vec<Still>, NoStills> {
    make_sized(decoders, video, coded, Size::STILLS).await
}

/// Makes a still of each moment, in presentation order.
///
/// Stills are upright and within `size`. Left out are keyframes of more than [`MAX_FRAME_BYTES`], other groups of more
/// than [`MAX_GROUP_BYTES`], moments beyond [`MAX_STILLS`], and, as long as anything can be decoded, what can't. Takes
/// [`TimeLimits::video`] at most.
///
/// [`TimeLimits::video`]: super::TimeLimits::video
pub async fn make_sized(
    decoders: &Decoders,
    video: &VideoTrack,
    coded: Vec<CodedGroup>,
    size: Size,
) -> Result<Vec<Still>, NoStills> {
    let coded = keep_small(coded, MAX_STILLS);
    let outputs = still_outputs(size, &coded, 0);
    let pictures = decode(decoders, video, &coded, outputs).await?;
    Ok(pictures.into_iter().map(|it| it.still).collect())
}

/// Makes stills of at most [`MAX_STILLS`] moments, each with its thumbnail.
pub(super) async fn make_with_thumbnails(
    decoders: &Decoders,
    video: &VideoTrack,
    coded: &[CodedGroup],
) -> Result<Vec<Picture>, NoStills> {
    let mut outputs = still_outputs(Size::STILLS, coded, THUMBNAIL_SIDE);
    outputs.bytes_each = outputs.bytes_each.min(MAX_STILL_BYTES);
    decode(decoders, video, coded, outputs).await
}

/// Decodes all moments into thumbnails alone, in presentation order.
pub(super) async fn make_thumbnails(
    decoders: &Decoders,
    video: &VideoTrack,
    coded: &[CodedGroup],
) -> Result<Vec<Thumbnail>, NoStills> {
    let outputs = Outputs {
        side: THUMBNAIL_SIDE,
        bytes_each: 0,
        thumbnail_side: THUMBNAIL_SIDE,
    };
    let pictures = decode(decoders, video, coded, outputs).await?;
    Ok(pictures.into_iter().map(|it| it.thumbnail).collect())
}

/// Leaves out groups that are too large, and moments beyond `max`.
pub(super) fn keep_small(mut coded: Vec<CodedGroup>, max: usize) -> Vec<CodedGroup> {
    coded.retain(|it| {
        let max = if is_keyframe(it) {
            MAX_FRAME_BYTES
        } else {
            MAX_GROUP_BYTES
        };
        (1..=max).contains(&it.bytes.len())
    });
    let mut left = max;
    for it in &mut coded {
        it.moments.truncate(left);
        left -= it.moments.len();
    }
    coded
}

/// An equal share of the bytes for each still, because several workers may make them.
fn still_outputs(size: Size, coded: &[CodedGroup], thumbnail_side: u32) -> Outputs {
    let count = coded.iter().map(|it| it.moments.len()).sum::<usize>();
    Outputs {
        side: size.side,
        bytes_each: u32::try_from(size.bytes / count.max(1)).unwrap_or(u32::MAX),
        thumbnail_side,
    }
}

/// Decodes all moments, and makes the wanted outputs of them, in presentation order.
async fn decode(
    decoders: &Decoders,
    video: &VideoTrack,
    coded: &[CodedGroup],
    outputs: Outputs,
) -> Result<Vec<Picture>, NoStills> {
    if coded.iter().all(|it| it.moments.is_empty()) {
        return Err(NoStills::NoFrame);
    }
    let mut pipeline = Pipeline {
        decoders,
        video,
        outputs,
        deadline: Instant::now() + decoders.time_limits.video,
        pictures: Vec::new(),
        failure: NoStills::NoDecoder(video.codec),
    };
    if let Some(format) = built_in(video.codec) {
        pipeline.decode_built_in(format, coded).await;
    }
    if let Some(program) = &decoders.ffmpeg {
        pipeline.decode_with_ffmpeg(program, coded).await;
    }
    if pipeline.pictures.is_empty() {
        return Err(pipeline.failure);
    }
    pipeline.pictures.sort_by_key(|it| it.still.at);
    Ok(pipeline.pictures)
}

fn is_keyframe(coded: &CodedGroup) -> bool {
    matches!(coded.moments.as_slice(), [Moment { position: 0, .. }])
}

const fn built_in(codec: Codec) -> Option<Format> {
    match codec {
        Codec::Vp8 => Some(Format::Vp8),
        Codec::H264 if cfg!(feature = "openh264") => Some(Format::H264),
        Codec::H264 | Codec::Vp9 | Codec::Av1 | Codec::H265 | Codec::Other => None,
    }
}

/// What was made of a moment. An output that wasn't wanted is empty.
pub(super) struct Picture {
    pub still: Still,
    pub thumbnail: Thumbnail,
}

/// A moment of a video, small and not compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thumbnail {
    pub at: Duration,
    pub image: RgbImage,
}
