//! The addresses and folders that a server prints when it starts: on a terminal, or in its log.
//!
//! The banner is on the standard error, and only on a terminal or beside a log of text: programs that read the log read
//! lines.

use std::io::{IsTerminal, Write, stderr};
use std::net::SocketAddr;
use std::path::absolute;

use bytesize::ByteSize;

use crate::config::{BlobUrl, Config};
use crate::release::VERSION;
use crate::storage::layout::{blob_url, database_file};
use crate::telemetry::logging::Format;
use stills::Decoders;
use tracing::info;

/// What a server works with.
struct Startup<'a> {
    public_url: &'a str,
    address: SocketAddr,
    database: String,
    videos: String,
    limits: String,
    pictures: String,
    transcripts: &'static str,
    metrics: String,
}

/// Announces what a server works with: by a banner on a terminal and beside a log of text, and by a line of a log of JSON.
pub(super) fn announce(
    config: &Config,
    public_url: &str,
    address: SocketAddr,
    decoders: &Decoders,
) {
    let startup = Startup::new(config, public_url, address, decoders);
    let is_json = config.telemetry.log_format.is_json();
    if config.telemetry.log_format == Format::Text || stderr().is_terminal() {
        // The server runs as well where the standard error is closed.
        let _ = stderr().write_all(startup.banner().as_bytes());
    }
    if is_json {
        startup.log();
    }
}

impl<'a> Startup<'a> {
    fn new(config: &Config, public_url: &'a str, address: SocketAddr, decoders: &Decoders) -> Self {
        let (limits, quotas, store) = (&config.limits, &config.quotas, &config.store);
        let size = |bytes| ByteSize(bytes).display().iec();
        Self {
            public_url,
            address,
            database: match &store.database_url {
                Some(url) => url.to_string(),
                None => shown(&database_file(&store.data_dir)),
            },
            videos: match blob_url(store) {
                BlobUrl::Folder(folder) => shown(&folder),
                BlobUrl::Bucket(it) => format!("s3://{}/{}", it.bucket, it.prefix),
            },
            limits: format!(
                "{} a video, {} a request, {} of one client address",
                size(limits.max_video_bytes),
                size(limits.max_request_bytes),
                size(quotas.max_creator_bytes)
            ),
            pictures: match decoders.ffmpeg() {
                Some(ffmpeg) => format!("of every codec, by {}", ffmpeg.display()),
                None => "of VP8 and H.264; install ffmpeg for VP9, AV1 and HEVC".to_owned(),
            },
            transcripts: match config.transcripts.transcriber_url.is_some() {
                true => "on",
                false => "off; --transcriber-url turns them on",
            },
            metrics: match config.telemetry.admin_listen {
                Some(address) => format!("http://{address}/metrics"),
                None => "off; --admin-listen turns them on".to_owned(),
            },
        }
    }

    fn banner(&self) -> String {
        let address = self.address.to_string();
        let rows = [
            ("open", self.public_url),
            ("listens on", &address),
            ("database", &self.database),
            ("videos", &self.videos),
            ("limits", &self.limits),
            ("pictures", &self.pictures),
            ("transcripts", self.transcripts),
            ("metrics", &self.metrics),
            ("settings", "vidence config"),
            ("stop", "Ctrl-C; what is being sent is finished first"),
        ];
        let rows = rows.map(|(name, value)| format!("  {name:12}{value}\n"));
        format!("\nVidence {VERSION}\n{}\n", rows.concat())
    }

    fn log(&self) {
        info!(
            version = VERSION,
            public_url = self.public_url,
            listens_on = %self.address,
            database = self.database,
            videos = self.videos,
            limits = self.limits,
            pictures = self.pictures,
            transcripts = self.transcripts,
            metrics = self.metrics,
            "serving"
        );
    }
}

fn shown(path: &std::path::Path) -> String {
    absolute(path)
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn banner(flags: &[&str]) -> String {
        let config = Config::parse_from([&["vidence"], flags].concat());
        let decoders = Decoders::new("/vidence".into(), None);
        Startup::new(&config, "http://127.0.0.1:3000", config.listen, &decoders).banner()
    }

    #[test]
    fn the_banner_names_addresses_and_folders_and_no_secret() {
        let plain = banner(&["--data-dir", "/srv/vidence"]);
        for text in [
            env!("CARGO_PKG_VERSION"),
            "http://127.0.0.1:3000",
            "/srv/vidence/vidence.db",
            "/srv/vidence/blobs",
            "1.0 GiB a video, 2.0 GiB a request, 20.0 GiB of one client address",
            "install ffmpeg",
            "--transcriber-url",
            "--admin-listen",
            "Ctrl-C",
        ] {
            assert!(plain.contains(text), "{text} in {plain}");
        }
        let other = banner(&[
            "--database-url",
            "postgres://u:hunter2@db.example.org/n",
            "--blob-url",
            "s3://evidence/videos",
            "--transcriber-url",
            "http://127.0.0.1:8000/?key=hunter2",
        ]);
        for text in [
            "postgres://***@db.example.org/n",
            "s3://evidence/videos",
            "transcripts on",
        ] {
            assert!(other.contains(text), "{text} in {other}");
        }
        assert!(!other.contains("hunter2"), "{other}");
    }
}
