//! Polls and creations by `h2load`, a client that isn't this project's; beside the handler of a constant, with the same
//! library for TLS and HTTP.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::rows::Credentials;
use super::{CREATING, POLLED, POLLING, PROMPT, rows};
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

/// Calls of one kind, to a server and to its peer.
struct Comparison {
    what: &'static str,
    servers: [Server; 2],
    path: String,
    arguments: Vec<String>,
}

/// Measures both servers of each comparison by turns, and prints the medians.
pub fn measure(
    binary: &Path,
    folder: &Path,
    answer: &str,
    repetitions: usize,
    duration: Duration,
) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut lines = Vec::new();
    for compare in [polls, creations, polls_over_http2] {
        let Comparison {
            what,
            servers,
            path,
            arguments,
        } = compare(binary, &folder.join(lines.len().to_string()), answer)?;
        let mut figures = [const { Vec::new() }; 2];
        for _ in 0..repetitions {
            for (server, figures) in servers.iter().zip(&mut figures) {
                // What earlier runs left to be written would delay this one.
                rustix::fs::syncfs(fs::File::open(folder)?)?;
                figures.push(load(server, &path, &arguments, duration)?);
            }
        }
        let [ours, peer] = figures.map(|it: Vec<Figures>| {
            let (rates, micros) = it.into_iter().unzip();
            (median(rates), median(micros))
        });
        lines.push([
            what.to_owned(),
            format!("{:.0}", ours.0),
            format!("{:.0}", peer.0),
            format!("{:.2}", ours.0 / peer.0),
            format!("{:.1}", ours.1),
            format!("{:.1}", peer.1),
        ]);
    }
    println!();
    let headings = [
        "by h2load",
        "per s",
        "peer's",
        "ratio",
        "server µs each",
        "peer's",
    ];
    table::print(headings, lines);
    Ok(())
}

fn polls(binary: &Path, folder: &Path, answer: &str) -> Result<Comparison> {
    let polled = polled(binary, folder)?;
    let servers = [Server::vidence(binary, folder)?, Server::constant(answer)?];
    Ok(Comparison {
        what: "polls, HTTP/1.1",
        servers,
        path: format!("/v1/requests/{}", polled.id),
        arguments: vec!["--h1".to_owned(), clients(POLLING), bearer(&polled)],
    })
}

fn creations(binary: &Path, folder: &Path, answer: &str) -> Result<Comparison> {
    fs::create_dir_all(folder)?;
    let body = folder.join("request.json");
    fs::write(&body, PROMPT)?;
    let servers = [
        Server::vidence(binary, &folder.join("data"))?,
        Server::constant(answer)?,
    ];
    let arguments = vec![
        "--h1".to_owned(),
        clients(CREATING),
        format!("--data={}", body.display()),
        "--header=content-type: application/json".to_owned(),
    ];
    Ok(Comparison {
        what: "creations, HTTP/1.1",
        servers,
        path: "/v1/requests".to_owned(),
        arguments,
    })
}

fn polls_over_http2(binary: &Path, folder: &Path, answer: &str) -> Result<Comparison> {
    let data = folder.join("data");
    let polled = polled(binary, &data)?;
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    fs::write(&certificate, made.cert.pem())?;
    fs::write(&key, made.signing_key.serialize_pem())?;
    let identity = Identity {
        certificate: &certificate,
        key: &key,
    };
    let servers = [
        Server::vidence_over_tls(binary, &data, &identity)?,
        Server::constant_over_tls(answer, &identity)?,
    ];
    let one_at_a_time = "--max-concurrent-streams=1".to_owned();
    Ok(Comparison {
        what: "polls, HTTP/2 and TLS",
        servers,
        path: format!("/v1/requests/{}", polled.id),
        arguments: vec![one_at_a_time, clients(POLLING), bearer(&polled)],
    })
}

/// Fills a new database; returns one of its requests.
fn polled(binary: &Path, data: &Path) -> Result<Credentials> {
    // Creates the tables.
    drop(Server::vidence(binary, data)?);
    let credentials = rows::fill(&data.join("vidence.db"), 0, POLLED)?;
    credentials.into_iter().next().context("no requests")
}

fn clients(count: usize) -> String {
    format!("--clients={count}")
}

fn bearer(polled: &Credentials) -> String {
    format!("--header=authorization: Bearer {}", polled.token)
}

fn load(server: &Server, path: &str, arguments: &[String], duration: Duration) -> Result<Figures> {
    let before = cpu_time(server.id())?;
    let output = Command::new("h2load")
        .args(arguments)
        .arg(format!("--duration={}", duration.as_secs().max(1)))
        .arg(format!("{}{path}", server.base))
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
