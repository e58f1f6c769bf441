//! `vidence ask`: the whole mission as one command, against any server: ask, wait, save, delete.

mod api;
mod api_error;
mod begin;
mod checks;
mod download;
mod event;
mod evidence;
mod folder;
mod report;
mod retry;
mod saved;
mod server_url;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use app::api::{LIFETIME_HOURS, RequestStatus};
use jiff::Timestamp;
use reqwest::Url;
use tokio::time::{Instant, sleep_until};

use self::api::Api;
use self::begin::{create, resume};
use self::evidence::Evidence;
use self::folder::{Folder, Ticket};
use self::report::Report;
use self::retry::Retry;
use self::server_url::server_url;

/// The exit code when no video came.
const NO_VIDEO: u8 = 3;

/// The time between two polls of a server that doesn't wait for a change.
const MIN_POLL: Duration = Duration::from_secs(3);

/// Ask someone for a video, wait for it, and save it with its pictures, transcript and receipt
///
/// Prints the link for the person, and a QR code of it. Once everything is saved, the request and its video are deleted
/// from the server. Exits with 0 if a video was saved, with 3 if none came, with 1 if something failed, and with 2 if the
/// command was given wrongly.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to film; each line is a step that the person can tick; "-" reads it from standard input
    #[arg(required_unless_present_any = ["resume", "cancel"])]
    prompt: Option<String>,

    /// Address of the server. SSL_CERT_FILE names a file of certificates to trust instead of the system's
    #[arg(
        long,
        env = "VIDENCE_SERVER",
        value_name = "URL",
        default_value = "http://127.0.0.1:3000",
        value_parser = server_url,
    )]
    server: Url,

    /// Hours for which the link is open, 1 to 48
    #[arg(long, value_name = "HOURS", default_value_t = 1, value_parser = clap::value_parser!(i64).range(LIFETIME_HOURS))]
    hours: i64,

    /// New folder for the files [default: vidence-ID]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Go on with the request of this folder, at its own server
    // Not with a conflict of --server, which a variable may set.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["prompt", "hours", "out"])]
    resume: Option<PathBuf>,

    /// Withdraw the request of this folder: its link is closed, and what came of it deleted
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["prompt", "hours", "out", "resume", "keep"])]
    cancel: Option<PathBuf>,

    /// Leave request and video on the server until they expire
    #[arg(long)]
    keep: bool,

    /// Print a line of JSON for each step: created, submitted, saved, deleted, over or failed
    #[arg(long)]
    json: bool,
}

/// Removing what is of no use any more failed.
const CANT_FORGET: &str = "the token, or a part of the video, can't be removed";

#[tokio::main(flavor = "current_thread")]
pub(super) async fn ask(args: Args) -> anyhow::Result<ExitCode> {
    let report = Report::new(args.json);
    let done = run(&args, &report).await;
    if let Err(error) = &done {
        report.failed(error);
    }
    done
}

async fn run(args: &Args, report: &Report) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.cancel {
        return cancel(path, report).await;
    }
    let (api, folder, ticket) = match &args.resume {
        Some(path) => resume(path)?,
        None => create(args).await?,
    };
    report.created(&ticket, &folder).with_context(|| {
        let folder = folder.path().display();
        format!("the link can't be printed; it is in {folder}/request.json")
    })?;
    let done = finish(args, &api, &folder, &ticket, report).await;
    done.map_err(|error| match folder.is_open() {
        true => error.context(format!(
            "the request is left on its server; go on with: {}",
            folder.resume_command()
        )),
        false => error,
    })
}

/// Waits for the video of a request, saves it, and deletes it from the server.
async fn finish(
    args: &Args,
    api: &Api,
    folder: &Folder,
    ticket: &Ticket,
    report: &Report,
) -> anyhow::Result<ExitCode> {
    let until = ticket.end()?;
    let Some(video) = wait(api, ticket, until, report).await? else {
        // The token is of no use any more.
        folder.forget().context(CANT_FORGET)?;
        let saved = ticket.saved.as_deref().filter(|name| folder.has(name));
        report.over(saved);
        report.finish()?;
        if saved.is_none() {
            folder.discard();
            return Ok(ExitCode::from(NO_VIDEO));
        }
        return Ok(ExitCode::SUCCESS);
    };
    report.submitted(&video);
    let evidence = Evidence {
        api,
        ticket,
        until,
        video: &video,
        folder,
        report,
    };
    let saved = evidence.save().await?;
    report.saved(folder, &saved);
    if saved.is_over {
        folder.forget().context(CANT_FORGET)?;
        report.over(Some(&saved.video));
    }
    if let Some(Err(why)) = &saved.receipt {
        bail!("the receipt doesn't vouch for this video: {why}");
    }
    if !args.keep && !saved.is_over && saved.pending.is_empty() {
        let deleted = delete(api, folder, ticket, until, report).await;
        deleted.context("everything is saved, and the request can't be deleted")?;
    }
    report.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Deletes a request from its server, and its token from the folder.
async fn delete(
    api: &Api,
    folder: &Folder,
    ticket: &Ticket,
    until: Timestamp,
    report: &Report,
) -> anyhow::Result<()> {
    let deletion = Retry {
        what: "Deletion",
        until,
        through_proxies: false,
        internal_errors: None,
        report,
    };
    let deleted = deletion.until_done(async || api.delete(&ticket.id, &ticket.access_token).await);
    deleted.await?;
    folder.forget().context(CANT_FORGET)?;
    report.deleted();
    Ok(())
}

/// Withdraws the request of a folder. What was saved of it stays.
async fn cancel(path: &Path, report: &Report) -> anyhow::Result<ExitCode> {
    let (api, folder, ticket) = resume(path)?;
    let until = ticket.end()?;
    let deleted = delete(&api, &folder, &ticket, until, report).await;
    deleted.context("the request can't be withdrawn")?;
    if ticket.saved.is_none() {
        folder.discard();
    }
    report.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Waits for the video, and returns its id. `None`: the request is over without one.
async fn wait(
    api: &Api,
    ticket: &Ticket,
    until: Timestamp,
    report: &Report,
) -> anyhow::Result<Option<String>> {
    let poll = Retry {
        what: "Waiting for the video",
        until,
        through_proxies: true,
        internal_errors: None,
        report,
    };
    loop {
        let next = Instant::now() + MIN_POLL;
        let status =
            poll.until_done(async || api.wait_for_change(&ticket.id, &ticket.access_token).await);
        match report.during(poll.what, until, status).await {
            Ok(it) if it.status == RequestStatus::Submitted => {
                let video = it.video.context("the server names no video")?;
                return Ok(Some(video.id));
            }
            Ok(it) if it.status == RequestStatus::Expired => return Ok(None),
            Ok(_) => sleep_until(next).await,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error).context("the request can't be read"),
        }
    }
}
