//! Polls over HTTP/2 and TLS, by `h2load`, which speaks both; beside the handler of a constant, with the same library
//! for TLS and HTTP.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::rows::Credentials;
use super::{POLLED, POLLING, rows};
use crate::process::cpu_time;
use crate::servers::Server;
use crate::stats::median;
use crate::table;

/// A certificate for this machine and its key, in PEM files.
pub struct Identity<'a> {
    pub certificate: &'a Path,
    pub key: &'a Path,
}

/// Answers a second, and the server's CPU time for one of them in microseconds.
type Figures = (f64, f64);

/// Measures both servers by turns, and prints the medians.
pub fn measure(
    binary: &Path,
    folder: &Path,
    answer: &str,
    repetitions: usize,
    duration: Duration,
) -> Result<()> {
    fs::create_dir_all(folder)?;
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    fs::write(&certificate, made.cert.pem())?;
    fs::write(&key, made.signing_key.serialize_pem())?;
    let identity = Identity {
        certificate: &certificate,
        key: &key,
    };
    let data = folder.join("data");
    // Creates the tables.
    drop(Server::vidence(binary, &data)?);
    let credentials = rows::fill(&data.join("vidence.db"), 0, POLLED)?;
    let polled = credentials.first().context("no requests")?;
    let servers = [
        Server::vidence_over_tls(binary, &data, &identity)?,
        Server::constant_over_tls(answer, &identity)?,
    ];
    let mut figures = [const { Vec::new() }; 2];
    for _ in 0..repetitions {
        for (server, figures) in servers.iter().zip(&mut figures) {
            figures.push(load(server, polled, duration)?);
        }
    }
    let [ours, peer] = figures.map(|it: Vec<Figures>| {
        let (rates, micros) = it.into_iter().unzip();
        (median(rates), median(micros))
    });
    println!();
    let headings = [
        "request",
        "per s",
        "peer's",
        "ratio",
        "server µs each",
        "peer's",
    ];
    let cells = [ours.0, peer.0, ours.0 / peer.0, ours.1, peer.1];
    let decimals = [0, 0, 2, 1, 1];
    let mut cells = cells
        .iter()
        .zip(decimals)
        .map(|(it, n)| format!("{it:.n$}"));
    let row = std::array::from_fn(|n| match n {
        0 => "polls, HTTP/2 and TLS".to_owned(),
        _ => cells.next().unwrap_or_default(),
    });
    table::print(headings, [row]);
    Ok(())
}

fn load(server: &Server, polled: &Credentials, duration: Duration) -> Result<Figures> {
    let before = cpu_time(server.id())?;
    let output = Command::new("h2load")
        .args([
            "--clients",
            &POLLING.to_string(),
            "--max-concurrent-streams=1",
        ])
        .arg(format!("--duration={}", duration.as_secs().max(1)))
        .args([
            "--header",
            &format!("authorization: Bearer {}", polled.token),
        ])
        .arg(format!("{}/v1/requests/{}", server.base, polled.id))
        .output()
        .context("can't start h2load: install nghttp2-client")?;
    let cpu_time = cpu_time(server.id())?.saturating_sub(before);
    let output = String::from_utf8_lossy(&output.stdout);
    let number = |before: &str, after: &str| -> Result<f64> {
        let found = output.split_once(after).map(|it| it.0);
        let found = found.and_then(|it| it.rsplit_once(before));
        let (_, found) = found.with_context(|| format!("no {after} in: {output}"))?;
        Ok(found.trim().parse()?)
    };
    let failed = number(", ", " failed")? + number(", ", " errored")? + number(", ", " timeout")?;
    let (answers, rate) = (number(", ", " succeeded")?, number(", ", " req/s")?);
    let refused = number(", ", " 4xx")? + number(", ", " 5xx")?;
    ensure!(
        failed + refused == 0.0,
        "not all answers were good: {output}"
    );
    Ok((rate, cpu_time.as_secs_f64() * 1e6 / answers.max(1.0)))
}
