//! `vidence takedown`: removing an abusive request, or all that a network has open.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use futures_util::future::join_all;
use ipnet::IpNet;

use crate::bootstrap::attach;
use crate::cli::terminal::printable::printable;
use crate::clock::rfc3339;
use crate::config::{StoreArgs, client_network};
use crate::id::RequestId;
use crate::service::moderation::takedown;
use crate::service::moderation::takedown::{OpenRequest, RemovedTakes, TakedownOutcome};
use crate::service::{AppState, Error};

/// The arguments of `vidence takedown`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TakedownArgs {
    /// Id or link of the request
    #[arg(value_name = "ID|LINK", value_parser = request, required_unless_present = "creator")]
    request: Option<RequestId>,

    /// All open requests that were created from this network or address instead; an IPv6 address stands for its /64
    #[arg(long, value_name = "NETWORK", value_parser = client_network, conflicts_with = "request")]
    creator: Option<IpNet>,

    /// List them, and take nothing down
    #[arg(long, conflicts_with = "request")]
    dry_run: bool,

    #[command(flatten)]
    store: StoreArgs,
}

/// How many requests are taken down at a time: each takes two seconds.
const AT_A_TIME: usize = 32;

/// Takes requests down, and prints what was removed.
#[tokio::main]
pub(in crate::cli) async fn takedown(args: TakedownArgs) -> anyhow::Result<()> {
    let app = attach(args.store).await?;
    if let Some(network) = args.creator {
        return take_down_all(&app, network, args.dry_run).await;
    }
    // clap has required one of both.
    let Some(id) = args.request else {
        return Ok(());
    };
    print(take_down(&app, &id).await?)?;
    Ok(())
}

async fn take_down(app: &AppState, id: &RequestId) -> anyhow::Result<TakedownOutcome> {
    match takedown::take_down(app, id).await {
        Err(Error::NotFound) => anyhow::bail!("there is no such request here"),
        outcome => outcome
            .context("it may not be taken down, or not all of it be removed: do this once more"),
    }
}

/// Takes down all open requests of a network, each of which is listed before.
async fn take_down_all(app: &AppState, network: IpNet, dry_run: bool) -> anyhow::Result<()> {
    let open = takedown::open_requests_of(app, network).await?;
    for request in &open {
        writeln!(io::stdout(), "{}", describe(request))?;
    }
    let count = open.len();
    if dry_run {
        writeln!(io::stdout(), "{count} open. Nothing was taken down.")?;
        return Ok(());
    }
    // All of them, whatever fails: each one that stays open can still be answered.
    let mut failed = 0;
    for some in open.chunks(AT_A_TIME) {
        let outcomes = join_all(some.iter().map(|it| take_down(app, &it.id))).await;
        for (request, outcome) in some.iter().zip(outcomes) {
            if let Err(error) = outcome {
                failed += 1;
                writeln!(
                    io::stdout(),
                    "{}: {}",
                    request.id,
                    printable(&format!("{error:#}"))
                )?;
            }
        }
    }
    writeln!(io::stdout(), "{} taken down.", count - failed)?;
    if failed > 0 {
        anyhow::bail!("{failed} failed: repeat `vidence takedown ID` for each of them");
    }
    Ok(())
}

/// A line, with the beginning of what was asked.
fn describe(request: &OpenRequest) -> String {
    const CHARS: usize = 72;
    let prompt = request.prompt.as_deref().map(String::from_utf8_lossy);
    let prompt = prompt.unwrap_or_default().replace(char::is_control, " ");
    let creator = request.creator.map(|it| it.address().to_string());
    let line = format!(
        "{}, {}, from {}: {}",
        request.id,
        rfc3339(request.created_at),
        creator.unwrap_or_default(),
        prompt.chars().take(CHARS).collect::<String>(),
    );
    printable(&line)
}

fn print(outcome: TakedownOutcome) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match outcome {
        TakedownOutcome::TakenDown(RemovedTakes { takes, bytes }) => writeln!(
            out,
            "Taken down. Removed: the prompt, recordings: {takes}, bytes: {bytes}."
        )?,
        TakedownOutcome::AlreadyTakenDown => {
            writeln!(out, "It was taken down before. Nothing of it is left.")?;
        }
        TakedownOutcome::Deleted => {
            writeln!(out, "Its creator has deleted it. Nothing of it is left.")?;
        }
    }
    Ok(())
}

/// Reads an id, or a link with anything after the id.
fn request(text: &str) -> Result<RequestId, &'static str> {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let id = match path.split_once("/r/") {
        Some((_, rest)) => rest.split('/').next().unwrap_or_default(),
        None => path,
    };
    RequestId::parse(id).ok_or("give the 22 letters and digits of an id, or a link that holds them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_named_by_its_id_or_by_its_link() {
        let id = "kX3bT9cQ2mZr8VnLw5YpHd";
        for text in [
            id.to_owned(),
            format!("https://evidence.example.org/r/{id}"),
            format!("https://evidence.example.org/r/{id}?lang=de#x"),
            format!("http://127.0.0.1:3000/r/{id}/report?lang=de"),
            format!("/r/{id}/"),
        ] {
            let named = request(&text).ok();
            assert_eq!(named.as_ref().map(RequestId::as_str), Some(id), "{text}");
        }
        for text in ["", "abc", "https://evidence.example.org/", "/r/abc"] {
            assert!(request(text).is_err(), "{text}");
        }
    }
}
