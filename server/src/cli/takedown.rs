//! `vidence takedown`: removing an abusive request.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;

use crate::bootstrap::attach;
use crate::config::StoreArgs;
use crate::id::RequestId;
use crate::service::Error;
use crate::service::moderation::takedown;
use crate::service::moderation::takedown::{RemovedTakes, TakedownOutcome};

/// The arguments of `vidence takedown`.
#[derive(Debug, Args)]
pub(super) struct TakedownArgs {
    /// Id or link of the request
    #[arg(value_name = "ID|LINK", value_parser = request)]
    request: RequestId,

    #[command(flatten)]
    store: StoreArgs,
}

/// Takes a request down, and prints what was removed.
#[tokio::main]
pub(super) async fn takedown(args: TakedownArgs) -> anyhow::Result<()> {
    let app = attach(args.store).await?;
    let outcome = match takedown::take_down(&app, &args.request).await {
        Err(Error::NotFound) => anyhow::bail!("there is no such request here"),
        Err(error) => {
            return Err(error).context(
                "it may not be taken down, or not all of it be removed: do this once more",
            );
        }
        Ok(outcome) => outcome,
    };
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
