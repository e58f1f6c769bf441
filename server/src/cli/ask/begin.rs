//! Begins a request, or goes on with that of a folder.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use app::api::CreateRequest;
use jiff::{Span, Timestamp};
use reqwest::Url;

use super::Args;
use super::api::Api;
use super::folder::{Folder, PROMPT, Ticket};
use super::server_url::{is_loopback, server_url};

/// Creates a request and its folder.
pub(super) async fn create(args: &Args) -> anyhow::Result<(Api, Folder, Ticket)> {
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
    let store = |folder: &Folder| {
        folder.write(PROMPT, wanted.prompt.as_bytes())?;
        folder.note(&ticket)
    };
    let noted = folder.and_then(|folder| match store(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => {
            folder.discard();
            let path = folder.path().display();
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

pub(super) fn resume(path: &Path) -> anyhow::Result<(Api, Folder, Ticket)> {
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
        // It fails where the standard error is closed.
        let _ = writeln!(
            io::stderr(),
            "Without https everyone on the way to {server} can read the token and the video."
        );
    }
}
