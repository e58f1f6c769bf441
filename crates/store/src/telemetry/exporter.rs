//! The Prometheus exporter of the `metrics` facade.

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{
    counter, describe_counter, describe_gauge, describe_histogram, histogram, set_global_recorder,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::{MissedTickBehavior, interval};

use super::names::{ALL, Kind, Labels, Metric};
use super::process;

/// How often the values of histograms are summed up between scrapes.
/// Until then each value is kept in memory.
const UPKEEP_PERIOD: Duration = Duration::from_secs(5);

/// The exporter of this process: the facade has one global recorder.
static INSTALLED: OnceLock<PrometheusHandle> = OnceLock::new();

/// Whether an exporter is installed. For callers that would do more than a call of the facade.
pub fn is_on() -> bool {
    INSTALLED.get().is_some()
}

/// The installed exporter. Cheap to clone.
#[derive(Clone)]
pub struct Exporter(PrometheusHandle);

impl Exporter {
    /// Installs the exporter, or returns the one that is installed already.
    /// Metrics are recorded from this call on.
    pub fn install() -> Self {
        process::mark_start();
        let installed = INSTALLED.get_or_init(|| {
            let recorder = builder().build_recorder();
            let handle = recorder.handle();
            // Fails if another recorder was installed before: then this one renders nothing.
            if set_global_recorder(recorder).is_ok() {
                ALL.iter().for_each(register);
            }
            handle
        });
        Self(installed.clone())
    }

    /// Renders all recorded metrics in Prometheus' text format.
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Sums up histograms periodically, for as long as it is polled. Never ends.
    pub async fn run_upkeep(&self) {
        let mut ticks = interval(UPKEEP_PERIOD);
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
            builder = bounded.expect("a histogram has bounds");
        }
    }
    builder
}

/// Registers the description of a metric, and its initial value if its labels are known.
fn register(metric: &Metric) {
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
