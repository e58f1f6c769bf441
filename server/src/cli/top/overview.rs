//! What `vidence top` shows: as text that fits a terminal, and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use bytesize::ByteSize;
use serde::Serialize;

use super::scrape::Scrape;
use crate::http::Refusals;
use crate::telemetry::names::{
    CONNECTIONS, CONNECTIONS_LIMIT, DISK_FLOOR, DISK_FREE, DISK_SIZE, POOL_LIMIT, POOL_USED,
    POOL_WAITING, READ_ONLY, READY, REQUESTS_IN_FLIGHT, STORED, STORED_LIMIT, STREAM_MEMORY_LIMIT,
    STREAM_MEMORY_USED, THROTTLED_NOW, UPLOAD_MEMORY_LIMIT, UPLOAD_MEMORY_USED, WAITS,
};

/// The state of a server at one moment. `None`: the server couldn't tell it in time.
#[derive(Serialize)]
pub(super) struct Overview {
    /// The parts that don't answer.
    away: Vec<String>,
    /// The parts that take no writes.
    read_only: Vec<String>,
    requests_in_flight: u64,
    connections: Option<u64>,
    connections_limit: Option<u64>,
    waits: Option<u64>,
    throttled: Option<u64>,
    upload_memory_bytes: Usage,
    stream_memory_bytes: Usage,
    stored_bytes: Usage,
    disk_bytes: Disk,
    database_pools: BTreeMap<String, Pool>,
    refusals: Refusals,
}

#[derive(Serialize)]
struct Usage {
    used: Option<u64>,
    /// `None`: unknown, or there is none.
    limit: Option<u64>,
}

/// The disk with the videos. `None`: unknown, or there is a bucket.
#[derive(Serialize)]
struct Disk {
    free: Option<u64>,
    /// What must stay free: uploads are refused below.
    floor: Option<u64>,
    size: Option<u64>,
}

#[derive(Serialize)]
struct Pool {
    used: u64,
    limit: Option<u64>,
    waiting: Option<u64>,
}

impl Overview {
    pub(super) fn new(scrape: &Scrape<'_>, refusals: Refusals) -> Self {
        let usage = |used, limit| Usage {
            used: scrape.sum(used),
            limit: scrape.sum(limit),
        };
        let (limits, waiting) = (scrape.by_label(POOL_LIMIT), scrape.by_label(POOL_WAITING));
        let pools = scrape.by_label(POOL_USED).into_iter();
        let pools = pools.map(|(name, used)| {
            let (limit, waiting) = (limits.get(name).copied(), waiting.get(name).copied());
            let pool = Pool {
                used,
                limit,
                waiting,
            };
            (name.to_owned(), pool)
        });
        let parts = |name, value: u64| {
            let parts = scrape.by_label(name).into_iter();
            let parts = parts.filter(move |it| it.1 == value);
            parts.map(|it| it.0.to_owned()).collect()
        };
        Self {
            away: parts(READY, 0),
            read_only: parts(READ_ONLY, 1),
            // A route that wasn't called yet has no gauge.
            requests_in_flight: scrape.sum(REQUESTS_IN_FLIGHT).unwrap_or_default(),
            connections: scrape.sum(CONNECTIONS),
            connections_limit: scrape.sum(CONNECTIONS_LIMIT),
            waits: scrape.sum(WAITS),
            throttled: scrape.sum(THROTTLED_NOW),
            upload_memory_bytes: usage(UPLOAD_MEMORY_USED, UPLOAD_MEMORY_LIMIT),
            stream_memory_bytes: usage(STREAM_MEMORY_USED, STREAM_MEMORY_LIMIT),
            stored_bytes: usage(STORED, STORED_LIMIT),
            disk_bytes: Disk {
                free: scrape.sum(DISK_FREE),
                floor: scrape.sum(DISK_FLOOR),
                size: scrape.sum(DISK_SIZE),
            },
            database_pools: pools.collect(),
            refusals,
        }
    }

    /// Renders the gauges, a line each, and up to `networks` lines of refused networks.
    pub(super) fn to_text(&self, networks: usize) -> String {
        let requests = format!(
            "{} in flight, {} wait for a video, {} throttled; {} of {} connections",
            self.requests_in_flight,
            shown(self.waits),
            shown(self.throttled),
            shown(self.connections),
            shown(self.connections_limit)
        );
        let pools = self.database_pools.iter();
        let pools = pools.map(|(name, it)| {
            let (limit, waiting) = (shown(it.limit), shown(it.waiting));
            format!("{name} {} of {limit}, {waiting} waiting", it.used)
        });
        let rows = [
            ("stores", self.stores()),
            ("requests", requests),
            ("upload memory", self.upload_memory_bytes.to_text()),
            ("stream memory", self.stream_memory_bytes.to_text()),
            ("stored", self.stored_bytes.to_text()),
            ("disk", self.disk_bytes.to_text()),
            ("database", pools.collect::<Vec<_>>().join("; ")),
        ];
        let mut text = rows
            .map(|(name, value)| format!("{name:15}{value}\n"))
            .concat();
        self.write_refusals(&mut text, networks);
        text
    }

    fn stores(&self) -> String {
        let named = |parts: &[String], what: &str| {
            (!parts.is_empty()).then(|| format!("{} {what}", parts.join(" and ")))
        };
        let faults = [
            named(&self.away, "away"),
            named(&self.read_only, "read-only"),
        ];
        let faults: Vec<_> = faults.into_iter().flatten().collect();
        match faults.is_empty() {
            true => "all answer".to_owned(),
            false => faults.join("; "),
        }
    }

    fn write_refusals(&self, to: &mut String, most: usize) {
        let Refusals {
            seconds,
            networks,
            other_refusals,
        } = &self.refusals;
        let (named, unnamed) = networks.split_at(networks.len().min(most));
        let unnamed: u64 = unnamed.iter().map(|it| it.refusals).sum();
        let others = unnamed + other_refusals;
        let mut line = |line: std::fmt::Arguments<'_>| {
            // Never fails.
            let _ = writeln!(to, "{line}");
        };
        if named.is_empty() && others == 0 {
            line(format_args!(
                "\nNo network was refused within the last minute."
            ));
            return;
        }
        let seconds = seconds.max(&1);
        line(format_args!("\nRefused within the last {seconds} s:\n"));
        for it in named {
            let reasons = it.by_reason.iter();
            let reasons = reasons.map(|(reason, count)| format!("{reason}={count}"));
            let reasons = reasons.collect::<Vec<_>>().join(" ");
            line(format_args!(
                "{:>10}  {:20} {reasons}",
                it.refusals, it.network
            ));
        }
        if others > 0 {
            line(format_args!("{others:>10}  other networks"));
        }
    }
}

impl Usage {
    fn to_text(&self) -> String {
        let used = self.used.map_or_else(unknown, size);
        match self.limit {
            Some(limit) => format!("{used} of {}", size(limit)),
            None => used,
        }
    }
}

impl Disk {
    fn to_text(&self) -> String {
        let [free, floor, all] =
            [self.free, self.floor, self.size].map(|it| it.map_or_else(unknown, size));
        match self.free.zip(self.floor) {
            Some((free_bytes, floor_bytes)) if free_bytes < floor_bytes => {
                format!("{free} free of {all}: uploads are refused below {floor}")
            }
            _ => format!("{free} free of {all}"),
        }
    }
}

fn size(bytes: u64) -> String {
    ByteSize(bytes).display().iec().to_string()
}

fn shown(value: Option<u64>) -> String {
    value.map_or_else(unknown, |it| it.to_string())
}

fn unknown() -> String {
    "?".to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn overview(networks: u64) -> Overview {
        let networks = (0..networks).map(|it| {
            let (network, refusals) = (format!("198.51.{it}.0/24"), 100 - it);
            json!({ "network": network, "refusals": refusals, "by_reason": { "read_rate": refusals } })
        });
        let networks: Vec<_> = networks.collect();
        let refusals = json!({ "seconds": 87, "networks": networks, "other_refusals": 0 });
        let refusals = from_value(refusals).expect("an answer");
        let text = "vidence_connections 7\nvidence_connections_limit 16\n\
                    vidence_ready{part=\"database\"} 0\nvidence_ready{part=\"blobs\"} 1\n\
                    vidence_read_only{part=\"database\"} 0\nvidence_read_only{part=\"blobs\"} 1\n\
                    vidence_disk_free_bytes 1024\nvidence_disk_floor_bytes 2048\nvidence_disk_size_bytes 1048576\nvidence_upload_memory_used_bytes 1048576\n\
                    vidence_upload_memory_limit_bytes 268435456\nvidence_stored_bytes 5\n\
                    vidence_database_pool_used{pool=\"read\"} 2\nvidence_database_pool_limit{pool=\"read\"} 4\n";
        Overview::new(&Scrape::parse(text), refusals)
    }

    #[test]
    fn a_screen_has_24_lines_at_most_and_says_what_it_leaves_out() {
        let screen = overview(20).to_text(super::super::NETWORKS_ON_SCREEN);
        assert!(screen.lines().count() < 24, "{screen}");
        for line in [
            "stores         database away; blobs read-only",
            "requests       0 in flight, ? wait for a video, ? throttled; 7 of 16 connections",
            "upload memory  1.0 MiB of 256.0 MiB",
            "stream memory  ?",
            "stored         5 B",
            "disk           1.0 KiB free of 1.0 MiB: uploads are refused below 2.0 KiB",
            "database       read 2 of 4, ? waiting",
            "Refused within the last 87 s:",
            "       100  198.51.0.0/24        read_rate=100",
            // 88 + 87 + … + 81.
            "       676  other networks",
        ] {
            assert!(screen.lines().any(|it| it == line), "{line} in {screen}");
        }
        assert_eq!(overview(20).to_text(usize::MAX).lines().count(), 30);
        let calm = overview(0).to_text(9);
        assert!(calm.contains("No network was refused"), "{calm}");
    }
}
