//! What becomes of one request, from its creation to its end. No two are the same; what each does is left to
//! its dice.

use std::time::Duration;

use anyhow::{Result, ensure};
use app::api::{RequestStatus, VideoView};
use app::video_metadata::StillsStatus;
use bytes::Bytes;
use rand::RngExt;
use rand::rngs::StdRng;
use tokio::time::sleep;

use super::caller::{Asked, ClientAddr};
use super::film::{Film, Films};
use super::sending::{Way, send};

/// Pages that people and programs look at, beside the link.
const PAGES: [&str; 7] = [
    "/",
    "/docs",
    "/docs/mcp",
    "/llms.txt",
    "/v1/openapi.json",
    "/mcp/server-card",
    "/healthz",
];

/// How long an agent waits for a submission, in seconds.
const WAIT: u32 = 50;

/// How often pictures are asked for until they are made.
const LOOKS: usize = 20;

/// A request that nobody deletes.
#[derive(Debug)]
pub struct Left {
    pub asked: Asked,
    pub video: Option<VideoView>,
}

/// Lives it through. `leave`: it stays until its time is over.
pub async fn live(
    caller: &ClientAddr<'_>,
    films: &Films,
    mut dice: StdRng,
    leave: bool,
) -> Result<Option<Left>> {
    let asked = match dice.random_ratio(1, 3) {
        true => caller.create_over_mcp().await?,
        false => caller.create().await?,
    };
    let lived = live_on(caller, films, &mut dice, asked.clone(), leave).await;
    if lived.is_err() {
        // Nothing stays that nobody knows of. It may be gone already.
        let _ = caller.delete(&asked).await;
    }
    lived
}

async fn live_on(
    caller: &ClientAddr<'_>,
    films: &Films,
    dice: &mut StdRng,
    asked: Asked,
    leave: bool,
) -> Result<Option<Left>> {
    if dice.random_ratio(1, 4) {
        caller
            .page(PAGES[dice.random_range(0..PAGES.len())])
            .await?;
    }
    let waits = dice.random_ratio(1, 2);
    let film = films.any(dice);
    let answered = answer(caller, &asked, &film, dice);
    let submitted = match waits {
        // A wait ends when there is something to tell: the request's creator hears of the submission.
        true => {
            let (submitted, view) = tokio::join!(answered, wait(caller, &asked));
            let (submitted, heard) = (submitted?, view?);
            ensure!(submitted || !heard, "heard of what wasn't submitted");
            submitted
        }
        false => answered.await?,
    };
    let video = match submitted {
        true => Some(caller.video(&asked).await?),
        false => None,
    };
    if let Some(video) = &video {
        evaluate(caller, &asked, video, &film.bytes, dice).await?;
    }
    if leave {
        return Ok(Some(Left { asked, video }));
    }
    match dice.random_ratio(1, 3) {
        true => caller.delete_over_mcp(&asked).await?,
        false => caller.delete(&asked).await?,
    }
    caller.is_gone(&asked).await?;
    Ok(None)
}

/// The human. Whether something was submitted.
async fn answer(
    caller: &ClientAddr<'_>,
    asked: &Asked,
    film: &Film,
    dice: &mut StdRng,
) -> Result<bool> {
    let id = &asked.id;
    for path in [format!("/r/{id}"), format!("/r/{id}/state")] {
        caller.page(&path).await?;
    }
    if dice.random_ratio(1, 10) {
        caller.page(&format!("/r/{id}/qr.svg")).await?;
    }
    // People take their time.
    sleep(Duration::from_millis(dice.random_range(0..3000))).await;
    let way = match dice.random_range(0..20) {
        0..4 => Way::Whole,
        4..10 => Way::Pieces,
        10..15 => Way::Broken,
        15..17 => Way::Abandoned,
        17..19 => Way::Form,
        // Somebody who only looked.
        _ => return Ok(false),
    };
    send(caller, asked, film, way, dice).await
}

/// Whether the wait was answered with a submission. Where none comes it isn't waited out.
async fn wait(caller: &ClientAddr<'_>, asked: &Asked) -> Result<bool> {
    const GIVES_UP: Duration = Duration::from_secs(8);
    let waiting = caller.wait(asked, WAIT);
    let Ok(view) = tokio::time::timeout(GIVES_UP, waiting).await else {
        return Ok(false);
    };
    Ok(view?.status == RequestStatus::Submitted)
}

/// What an agent does with a video.
async fn evaluate(
    caller: &ClientAddr<'_>,
    asked: &Asked,
    video: &VideoView,
    film: &Bytes,
    dice: &mut StdRng,
) -> Result<()> {
    if dice.random_ratio(1, 4) {
        caller.hang_up(asked, video).await?;
    }
    if dice.random_ratio(1, 3) {
        caller.get_over_mcp(asked).await?;
    }
    let whole = caller.watch(asked, video, film).await?;
    for _ in 0..dice.random_range(0..6) {
        let start = dice.random_range(0..whole.len());
        let end = dice.random_range(start + 1..=whole.len());
        caller.watch_part(asked, video, &whole, start..end).await?;
    }
    if dice.random_ratio(1, 2) {
        for _ in 0..LOOKS {
            if caller.look(asked, video).await? != StillsStatus::Pending {
                break;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }
    if dice.random_ratio(1, 10) {
        caller.err(asked, video).await?;
    }
    Ok(())
}
