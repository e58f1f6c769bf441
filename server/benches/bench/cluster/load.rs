//! Concurrent clients that run whole request lifecycles, from creation to deletion, back to back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::Client;
use tokio::task::JoinSet;

use crate::soak::client::ApiClient;
use crate::soak::counters::Counters;
use crate::soak::recordings::Recordings;
use crate::soak::upload::{UploadMode, upload};
use crate::stats::quantile;

/// Polls in one lifecycle.
const POLLS: usize = 10;

/// Result of a run.
pub struct LifecycleResult {
    /// Completed lifecycles.
    pub lifecycles: usize,
    /// HTTP requests.
    pub requests: u64,
    pub elapsed: Duration,
    /// Median latency of a poll.
    pub p50: Duration,
    /// 99th percentile of the latency of a poll.
    pub p99: Duration,
}

/// Runs lifecycles for this long with this many clients.
pub async fn run(url: &str, clients: u64, duration: Duration) -> Result<LifecycleResult> {
    let url: Arc<str> = url.into();
    let (recordings, counters) = (Arc::new(Recordings::new()), Arc::new(Counters::default()));
    let start = Instant::now();
    let mut running = JoinSet::new();
    for number in 0..clients {
        let (url, recordings, counters) = (url.clone(), recordings.clone(), counters.clone());
        running.spawn(async move {
            let client = Client::builder().no_proxy().http1_only();
            let api = ApiClient {
                client: client.tls_certs_only([]).build()?,
                base: &url,
                counters: &counters,
            };
            let mut rng = StdRng::seed_from_u64(number);
            let (mut completed, mut latencies) = (0, Vec::new());
            while start.elapsed() < duration {
                run_lifecycle(&api, &recordings, &mut rng, &mut latencies).await?;
                completed += 1;
            }
            anyhow::Ok((completed, latencies))
        });
    }
    let (mut lifecycles, mut latencies) = (0, Vec::new());
    while let Some(ended) = running.join_next().await {
        let (completed, of_client) = ended??;
        lifecycles += completed;
        latencies.extend(of_client);
    }
    let elapsed = start.elapsed();
    latencies.sort_unstable();
    Ok(LifecycleResult {
        lifecycles,
        requests: counters.calls(),
        elapsed,
        p50: quantile(&latencies, 50),
        p99: quantile(&latencies, 99),
    })
}

async fn run_lifecycle(
    api: &ApiClient<'_>,
    recordings: &Recordings,
    rng: &mut StdRng,
    latencies: &mut Vec<Duration>,
) -> Result<()> {
    let request = api.create().await?;
    for _ in 0..POLLS {
        let start = Instant::now();
        api.poll(&request).await?;
        latencies.push(start.elapsed());
    }
    let recording = recordings.short(rng);
    upload(api, &request, &recording, UploadMode::InPieces, rng).await?;
    let video = api.video(&request).await?;
    api.download(&request, &video, &recording.bytes).await?;
    api.delete(&request).await
}
