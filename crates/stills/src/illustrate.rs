//! Stills chosen by what changes, and a contact sheet of all moments that were looked at.

use std::collections::HashSet;
use std::time::Duration;

use tokio::task::spawn_blocking;

use super::contact_sheet::{self, ContactSheet};
use super::pipeline::{Picture, Thumbnail, keep_small, make_thumbnails, make_with_thumbnails};
use super::select::by_change;
use super::{CodedGroup, Decoders, MAX_CANDIDATES, MAX_STILLS, NoStills, Still};
use media::VideoTrack;

/// What a video looks like.
#[derive(Debug, Default)]
pub struct Illustrations {
    /// At most [`MAX_STILLS`], in presentation order, no two of which look the same but the first and the last one.
    pub stills: Vec<Still>,
    /// `None`: there is one moment only, or it can't be made small enough.
    pub contact_sheet: Option<ContactSheet>,
}

/// Looks at these candidates, at most [`MAX_CANDIDATES`].
///
/// If all of them could become stills each is decoded once. Otherwise all are decoded into thumbnails, and those that
/// are chosen once more: stills share a budget of bytes, which must not depend on what isn't chosen.
pub async fn illustrate(
    decoders: &Decoders,
    video: &VideoTrack,
    candidates: Vec<CodedGroup>,
) -> Result<Illustrations, NoStills> {
    let mut candidates = keep_small(candidates, MAX_CANDIDATES);
    let count = candidates.iter().map(|it| it.moments.len()).sum::<usize>();
    if count <= MAX_STILLS {
        let pictures = make_with_thumbnails(decoders, video, &candidates).await?;
        let pictures = pictures.into_iter().map(|it| (it.still, it.thumbnail));
        let (mut stills, thumbnails): (Vec<Still>, Vec<Thumbnail>) = pictures.unzip();
        let chosen = times(&thumbnails);
        stills.retain(|it| chosen.contains(&it.at));
        return Ok(Illustrations {
            stills,
            contact_sheet: compose(thumbnails).await,
        });
    }
    let thumbnails = make_thumbnails(decoders, video, &candidates).await?;
    let chosen = times(&thumbnails);
    for group in &mut candidates {
        group.moments.retain(|it| chosen.contains(&it.at));
    }
    candidates.retain(|it| !it.moments.is_empty());
    let pictures = make_with_thumbnails(decoders, video, &candidates).await?;
    Ok(Illustrations {
        stills: pictures
            .into_iter()
            .map(|Picture { still, .. }| still)
            .collect(),
        contact_sheet: compose(thumbnails).await,
    })
}

/// The times of those that are chosen as stills.
fn times(thumbnails: &[Thumbnail]) -> HashSet<Duration> {
    let images: Vec<_> = thumbnails.iter().map(|it| &it.image).collect();
    let chosen = by_change::choose(&images, MAX_STILLS).into_iter();
    chosen.map(|index| thumbnails[index].at).collect()
}

async fn compose(thumbnails: Vec<Thumbnail>) -> Option<ContactSheet> {
    // Some ten milliseconds of computing. A panic in it costs the sheet alone.
    let composed = spawn_blocking(move || contact_sheet::compose(&thumbnails));
    composed.await.ok().flatten()
}
