//! A parser of `/metrics`, at least as strict as Prometheus's text format.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Response, StatusCode};
use server::{Tls, serve_admin};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

use super::{Server, wait_until};

/// A server's admin listener; metrics are enabled from here on.
pub struct AdminServer<'s> {
    server: &'s Server,
    base: String,
    _serving: AbortOnDropHandle<()>,
}

impl<'s> AdminServer<'s> {
    pub async fn start(server: &'s Server) -> Self {
        Self::start_with(server, None).await
    }

    /// Starts one that watches the certificate of this TLS configuration.
    pub async fn start_with(server: &'s Server, tls: Option<Tls>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(serve_admin(server.app.clone(), listener, tls));
        Self {
            server,
            base,
            _serving: AbortOnDropHandle::new(serving),
        }
    }

    /// The address and port that it listens on.
    pub fn address(&self) -> &str {
        self.base.strip_prefix("http://").expect("an address")
    }

    /// A raw connection.
    pub async fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(self.address()).await;
        connection.expect("a connection")
    }

    pub async fn get(&self, path: &str) -> Response {
        let request = self.server.client.get(format!("{}{path}", self.base));
        request.send().await.expect("an answer")
    }

    pub async fn text(&self) -> String {
        let answer = self.get("/metrics").await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(
            answer.headers()["content-type"],
            "text/plain; version=0.0.4; charset=utf-8"
        );
        answer.text().await.expect("text")
    }

    pub async fn scrape(&self) -> Scrape {
        Scrape::parse(&self.text().await)
    }

    /// Waits until so much was counted since a scrape: a client may see the end of a response before the server counts it.
    pub async fn wait_for_growth(
        &self,
        from: &Scrape,
        name: &str,
        labels: &[(&str, &str)],
        by: f64,
    ) {
        let expected = from.count(name, labels) + by;
        wait_until(async || self.scrape().await.count(name, labels) >= expected).await;
    }
}

impl Server {
    /// Waits until this job has run once: its first run, right after the start, may otherwise meet any step of a test.
    pub async fn wait_for_first(&self, work: &str) {
        let admin = AdminServer::start(self).await;
        let (name, labels) = (
            "vidence_job_last_success_timestamp_seconds",
            [("work", work)],
        );
        wait_until(async || admin.scrape().await.value(name, &labels).is_some()).await;
    }
}

/// All metric families by name.
pub struct Scrape(BTreeMap<String, Family>);

/// One metric family.
#[derive(Default)]
pub struct Family {
    help: Option<String>,
    kind: Option<String>,
    samples: Vec<Sample>,
}

struct Sample {
    name: String,
    labels: BTreeMap<String, String>,
    value: f64,
}

impl Scrape {
    /// Parses the text.
    ///
    /// # Panics
    ///
    /// If it violates the format.
    pub fn parse(text: &str) -> Self {
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        let mut current = String::new();
        assert!(text.ends_with('\n'));
        for line in text.lines().filter(|it| !it.is_empty()) {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, help) = help.split_once(' ').expect("a name and a text");
                assert!(is_name(name) && !help.is_empty(), "{line}");
                let before = families.insert(name.to_owned(), Family::default());
                assert!(before.is_none(), "a second time: {line}");
                name.clone_into(&mut current);
                families.get_mut(name).expect("just added").help = Some(help.to_owned());
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').expect("a name and a type");
                assert_eq!(name, current, "HELP comes first");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                let family = families.get_mut(name).expect("it has a HELP");
                assert_eq!(family.kind.replace(kind.to_owned()), None, "{line}");
            } else {
                let family = families.get_mut(&current).expect("a family before samples");
                family.add(&current, line);
            }
        }
        for (name, family) in &families {
            family.check(name);
        }
        Self(families)
    }

    /// Names of all families.
    pub fn names(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The sum of all samples with these labels, whatever others they have; a histogram needs the suffix `_count` or
    /// `_sum`. `None` if there is no such sample.
    pub fn value(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let suffixes = ["_count", "_sum", "_bucket"];
        let base = suffixes.iter().find_map(|it| name.strip_suffix(it));
        let family = self.0.get(name).or_else(|| self.0.get(base?))?;
        let fits = |sample: &&Sample| {
            let has = |(label, value): &(&str, &str)| {
                sample.labels.get(*label).is_some_and(|it| it == value)
            };
            sample.name == name && labels.iter().all(has)
        };
        let values: Vec<f64> = family
            .samples
            .iter()
            .filter(fits)
            .map(|it| it.value)
            .collect();
        (!values.is_empty()).then(|| values.iter().sum())
    }

    /// Like [`Self::value`], with zero for a missing sample.
    pub fn count(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.value(name, labels).unwrap_or_default()
    }

    /// All values of all labels.
    pub fn label_values(&self) -> BTreeSet<&str> {
        let samples = self.0.values().flat_map(|it| &it.samples);
        samples
            .flat_map(|it| it.labels.values())
            .map(String::as_str)
            .collect()
    }
}

/// Asserts that a value has grown: exactly by this much with nextest, where the process runs a single test; else at
/// least.
#[track_caller]
pub fn assert_grown(from: &Scrape, to: &Scrape, name: &str, labels: &[(&str, &str)], by: f64) {
    let grown = to.count(name, labels) - from.count(name, labels);
    let alone = std::env::var_os("NEXTEST").is_some();
    assert!(
        if alone { grown == by } else { grown >= by },
        "{name} {labels:?} has grown by {grown}, not by {by}"
    );
}

/// Labels of a completed HTTP request.
pub fn http<'a>(method: &'a str, route: &'a str, status: &'a str) -> [(&'a str, &'a str); 3] {
    [("method", method), ("route", route), ("status", status)]
}

impl Family {
    fn add(&mut self, family: &str, line: &str) {
        let (series, value) = line.rsplit_once(' ').expect("a series and a value");
        let (name, labels) = match series.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}').expect("}")),
            None => (series, ""),
        };
        let suffixes: &[&str] = match self.kind.as_deref().expect("a TYPE") {
            "histogram" => &["_bucket", "_sum", "_count"],
            _ => &[""],
        };
        let belongs = suffixes.iter().any(|it| name == format!("{family}{it}"));
        assert!(belongs, "{line} below {family}");
        let mut labels_found = BTreeMap::new();
        for label in labels.split(',').filter(|it| !it.is_empty()) {
            let (name, value) = label.split_once('=').expect("a label and its value");
            let value = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            let value = value.expect("in quotes");
            assert!(is_name(name) && !value.contains(['"', '\\']), "{line}");
            assert_eq!(
                labels_found.insert(name.to_owned(), value.to_owned()),
                None,
                "{line}"
            );
        }
        let sample = Sample {
            name: name.to_owned(),
            labels: labels_found,
            value: value.parse().expect("a number"),
        };
        let twice = |it: &Sample| it.name == sample.name && it.labels == sample.labels;
        assert!(!self.samples.iter().any(twice), "a second time: {line}");
        self.samples.push(sample);
    }

    fn check(&self, name: &str) {
        assert!(self.help.is_some() && self.kind.is_some(), "{name}");
        assert!(!self.samples.is_empty(), "{name}");
        if self.kind.as_deref() == Some("counter") {
            assert!(self.samples.iter().all(|it| it.value >= 0.0), "{name}");
        }
        let of = |suffix: &str| {
            let name = format!("{name}{suffix}");
            self.samples.iter().filter(move |it| it.name == name)
        };
        for count in of("_count").filter(|_| self.kind.as_deref() == Some("histogram")) {
            let buckets = of("_bucket").filter(|it| {
                let others = it.labels.iter().filter(|label| label.0 != "le");
                others.eq(&count.labels)
            });
            let buckets: Vec<f64> = buckets.map(|it| it.value).collect();
            assert!(
                buckets.len() > 5 && buckets.is_sorted(),
                "{name}: {buckets:?}"
            );
            assert_eq!(buckets.last(), Some(&count.value), "{name}");
        }
    }
}

fn is_name(text: &str) -> bool {
    let allowed = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    !text.is_empty() && text.bytes().all(allowed) && !text.as_bytes()[0].is_ascii_digit()
}
