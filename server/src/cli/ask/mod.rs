//! `vidence ask`: the whole mission as one command, against any server: ask, wait, save, delete.

mod api;
mod download;
mod event;
mod evidence;
mod folder;
mod report;
mod retry;
mod server_url;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use app::api::{CreateRequest, LIFETIME_HOURS, RequestStatus};
use jiff::{Span, Timestamp};
use reqwest::Url;
use tokio::time::{Instant, sleep_until};

use self::api::Api;
use self::evidence::Evidence;
use self::folder::{Folder, Ticket};
use self::report::Report;
use self::retry::Retry;
use self::server_url::{is_loopback, server_url};

/// The exit code when no video came.
const NO_VIDEO: u8 = 3;

/// The time between two polls of a server that doesn't wait for a change.
const MIN_POLL: Duration = Duration::from_secs(3);

/// Ask someone for a video, wait for it, and save it with its pictures, transcript and receipt
///
/// Prints the link for the person, and a QR code of it. Once everything is saved, the request and its video are deleted
/// from the server. Exits with 0 if a video was saved, with 3 if none came, and with 1 if something failed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to film; each line is a step that the person can tick; "-" reads it from standard input
    #[arg(required_unless_present = "resume")]
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

    /// Leave request and video on the server until they expire
    #[arg(long)]
    keep: bool,

    /// Print a line of JSON for each step: created, submitted, saved, deleted or over
    #[arg(long)]
    json: bool,
}

/// Removing what is of no use any more failed.
const CANT_FORGET: &str = "the token, or a part of the video, can't be removed";

#[tokio::main(flavor = "current_thread")]
pub(super) async fn ask(args: Args) -> anyhow::Result<ExitCode> {
    let report = Report::new(args.json);
    let (api, folder, ticket) = match &args.resume {
        Some(path) => resume(path)?,
        None => create(&args).await?,
    };
    report.created(&ticket, &folder).with_context(|| {
        let folder = folder.path().display();
        format!("the link can't be printed; it is in {folder}/request.json")
    })?;
    let until = ticket.until.as_ref().unwrap_or(&ticket.expires_at);
    let until: Timestamp = until.parse().context("request.json has no time")?;
    let Some(video) = wait(&api, &ticket, until, &report).await? else {
        // The token is of no use any more.
        folder.forget().context(CANT_FORGET)?;
        let saved = ticket.saved.filter(|name| folder.has(name));
        report.over(saved.as_deref());
        report.finish()?;
        return Ok(match saved {
            Some(_) => ExitCode::SUCCESS,
            None => ExitCode::from(NO_VIDEO),
        });
    };
    report.submitted(&video);
    let evidence = Evidence {
        api: &api,
        ticket: &ticket,
        until,
        video: &video,
        folder: &folder,
        report: &report,
    };
    let saved = evidence.save().await?;
    report.saved(&folder, &saved);
    if saved.receipt_valid == Some(false) {
        bail!("the receipt isn't that of this video: the request is left on the server");
    }
    if !args.keep && saved.pending.is_empty() {
        let deletion = Retry {
            what: "Deletion",
            until,
            through_proxies: false,
            report: &report,
        };
        let deleted =
            deletion.until_done(async || api.delete(&ticket.id, &ticket.access_token).await);
        deleted
            .await
            .context("everything is saved, and the request can't be deleted")?;
        folder.forget().context(CANT_FORGET)?;
        report.deleted();
    }
    report.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Creates a request and its folder.
async fn create(args: &Args) -> anyhow::Result<(Api, Folder, Ticket)> {
    let mut prompt = args.prompt.clone().unwrap_or_default();
    if prompt == "-" {
        prompt.clear();
        let read = io::stdin().read_to_string(&mut prompt);
        read.context("the standard input can't be read as text")?;
    }
    warn_of_plain_http(&args.server);
    let api = Api::new(args.server.clone())?;
    let wanted = CreateRequest {
        prompt: prompt.trim().to_owned(),
        expires_in_hours: args.hours,
    };
    // Before the call: a folder that can't be made would cost a request.
    let named = args.out.as_deref().map(create_folder).transpose()?;
    let until = Timestamp::now() + Span::new().hours(args.hours);
    let created = match api.create(&wanted).await {
        Ok(created) => created,
        Err(error) => {
            if let Some(folder) = named {
                folder.discard();
            }
            return Err(error)
                .with_context(|| format!("no request was created at {}", args.server));
        }
    };
    let ticket = Ticket {
        server: args.server.to_string(),
        id: created.id,
        submission_url: created.submission_url,
        access_token: created.access_token,
        expires_at: created.expires_at,
        until: Some(until.to_string()),
        saved: None,
    };
    let folder = match named {
        Some(folder) => Ok(folder),
        None => create_folder(Path::new(&format!("vidence-{}", ticket.id))),
    };
    let noted = folder.and_then(|folder| match folder.note(&ticket) {
        Ok(()) => Ok(folder),
        Err(error) => {
            let path = folder.path().display().to_string();
            folder.discard();
            Err(error).context(format!("the request can't be stored in {path}"))
        }
    });
    match noted {
        Ok(folder) => Ok((api, folder, ticket)),
        Err(error) => {
            // Without its token the request is of no use to anyone.
            let _ = api.delete(&ticket.id, &ticket.access_token).await;
            Err(error)
        }
    }
}

fn create_folder(path: &Path) -> anyhow::Result<Folder> {
    let created = Folder::create(path);
    created.map_err(|error| {
        let exists = match error.kind() {
            io::ErrorKind::AlreadyExists => ": name a new one, or go on with --resume",
            _ => "",
        };
        let context = format!("the folder {} can't be made{exists}", path.display());
        anyhow::Error::from(error).context(context)
    })
}

fn resume(path: &Path) -> anyhow::Result<(Api, Folder, Ticket)> {
    let opened = Folder::open(path);
    let (folder, ticket) = opened.with_context(|| {
        format!(
            "{} is not the folder of a request that is open, which it is until its video is saved",
            path.display()
        )
    })?;
    let Ok(server) = server_url(&ticket.server) else {
        bail!("{} names no server", path.display());
    };
    warn_of_plain_http(&server);
    Ok((Api::new(server)?, folder, ticket))
}

fn warn_of_plain_http(server: &Url) {
    if server.scheme() == "http" && !is_loopback(server) {
        eprintln!(
            "Without https everyone on the way to {server} can read the token and the video."
        );
    }
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
