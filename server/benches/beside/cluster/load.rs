//! Evidence, from the question to its deletion, by many at once: each asks anew as soon as it is done.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::Client;
use tokio::task::JoinSet;

use crate::soak::caller::ClientAddr;
use crate::soak::film::Films;
use crate::soak::sending::{Way, send};
use crate::soak::tally::Tally;

/// Polls of one request: before, between and after.
const POLLS: usize = 10;

/// What was seen.
pub struct Seen {
    /// Requests that were asked, answered, watched and deleted.
    pub evidence: usize,
    /// HTTP requests.
    pub calls: u64,
    pub took: Duration,
    /// Of polls.
    pub p50: Duration,
    /// Likewise.
    pub p99: Duration,
}

/// For so long, by so many at once.
pub async fn run(url: &str, people: u64, lasts: Duration) -> Result<Seen> {
    let url: Arc<str> = url.into();
    let (films, tally) = (Arc::new(Films::new()), Arc::new(Tally::default()));
    let start = Instant::now();
    let mut working = JoinSet::new();
    for person in 0..people {
        let (url, films, tally) = (url.clone(), films.clone(), tally.clone());
        working.spawn(async move {
            let client = Client::builder().no_proxy().http1_only();
            let caller = ClientAddr {
                client: client.tls_certs_only([]).build()?,
                base: &url,
                tally: &tally,
            };
            let mut dice = StdRng::seed_from_u64(person);
            let (mut done, mut waits) = (0, Vec::new());
            while start.elapsed() < lasts {
                once(&caller, &films, &mut dice, &mut waits).await?;
                done += 1;
            }
            anyhow::Ok((done, waits))
        });
    }
    let (mut evidence, mut waits) = (0, Vec::new());
    while let Some(worked) = working.join_next().await {
        let (done, its) = worked??;
        evidence += done;
        waits.extend(its);
    }
    let took = start.elapsed();
    waits.sort_unstable();
    let quantile = |percent: usize| {
        let rank = (waits.len() * percent).div_ceil(100);
        waits
            .get(rank.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    };
    Ok(Seen {
        evidence,
        calls: tally.answers(),
        took,
        p50: quantile(50),
        p99: quantile(99),
    })
}

async fn once(
    caller: &ClientAddr<'_>,
    films: &Films,
    dice: &mut StdRng,
    waits: &mut Vec<Duration>,
) -> Result<()> {
    let asked = caller.create().await?;
    for _ in 0..POLLS {
        let start = Instant::now();
        caller.poll(&asked).await?;
        waits.push(start.elapsed());
    }
    let film = films.short(dice);
    send(caller, &asked, &film, Way::Pieces, dice).await?;
    let video = caller.video(&asked).await?;
    caller.watch(&asked, &video, &film.bytes).await?;
    caller.delete(&asked).await
}
