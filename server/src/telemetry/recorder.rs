//! What counts while things happen, and what becomes of it.

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{
    counter, describe_counter, describe_gauge, describe_histogram, histogram, set_global_recorder,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::{MissedTickBehavior, interval};

use super::names::{ALL, Kind, Labels, Metric};

/// Values of histograms are kept one by one until somebody sums them up: if nobody asks, then we do.
const UPKEEP: Duration = Duration::from_secs(5);

/// One for the whole process, as the facade has it.
static INSTALLED: OnceLock<PrometheusHandle> = OnceLock::new();

/// Whether anything is measured. Asked where it takes more than a call of the facade.
pub fn is_on() -> bool {
    INSTALLED.get().is_some()
}

/// Counts from now on.
#[derive(Clone)]
pub struct Recorder(PrometheusHandle);

impl Recorder {
    /// Installs it. The second one is the first one.
    pub fn install() -> Self {
        let installed = INSTALLED.get_or_init(|| {
            let recorder = builder().build_recorder();
            let handle = recorder.handle();
            // Fails only where somebody else's was before: then ours stays empty.
            if set_global_recorder(recorder).is_ok() {
                ALL.iter().for_each(begin);
            }
            handle
        });
        Self(installed.clone())
    }

    /// All that was counted, in Prometheus's text format.
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Sums up what was counted, again and again, for as long as it is polled.
    pub async fn keep_up(&self) {
        let mut ticks = interval(UPKEEP);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.0.run_upkeep();
        }
    }
}

fn builder() -> PrometheusBuilder {
    let mut builder = PrometheusBuilder::new();
    for metric in ALL {
        if let Kind::Histogram(bounds) = metric.kind {
            let name = Matcher::Full(metric.name.to_owned());
            let bounded = builder.set_buckets_for_metric(name, bounds);
            builder = bounded.expect("there are bounds");
        }
    }
    builder
}

/// Says what it is, and what it is as long as nothing has happened.
fn begin(metric: &Metric) {
    let Metric {
        name,
        kind,
        unit,
        help,
        labels,
    } = *metric;
    match kind {
        Kind::Counter => describe_counter!(name, unit, help),
        Kind::Gauge => describe_gauge!(name, unit, help),
        Kind::Histogram(_) => describe_histogram!(name, unit, help),
        Kind::OnScrape(_) => {}
    }
    match (kind, labels) {
        (Kind::Counter, Labels::None) => counter!(name).increment(0),
        (Kind::Counter, Labels::Known(label, values)) => {
            for value in values {
                counter!(name, label => *value).increment(0);
            }
        }
        (Kind::Histogram(_), Labels::None) => drop(histogram!(name)),
        (Kind::Histogram(_), Labels::Known(label, values)) => {
            for value in values {
                drop(histogram!(name, label => *value));
            }
        }
        (Kind::Gauge | Kind::OnScrape(_), _) | (_, Labels::Open) => {}
    }
}
