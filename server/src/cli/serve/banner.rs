//! What a server prints when it starts, for the person who started it by hand.
//!
//! On the standard error, and only to a terminal or beside a log of text: programs that read the log read lines.

use std::io::{IsTerminal, Write, stderr};
use std::net::SocketAddr;
use std::path::absolute;

use bytesize::ByteSize;

use crate::config::{BlobUrl, Config};
use crate::storage::layout::{blob_url, database_file};
use crate::telemetry::logging::Format;
use stills::Decoders;

/// Prints the banner of a server at this address to a terminal, and beside a log of text.
pub(super) fn print(config: &Config, public_url: &str, address: SocketAddr, decoders: &Decoders) {
    if config.telemetry.log_format == Format::Text || stderr().is_terminal() {
        // The server runs as well where the standard error is closed.
        let _ = stderr().write_all(render(config, public_url, address, decoders).as_bytes());
    }
}

fn render(config: &Config, public_url: &str, address: SocketAddr, decoders: &Decoders) -> String {
    let (limits, quotas, store) = (&config.limits, &config.quotas, &config.store);
    let database = match &store.database_url {
        Some(url) => url.to_string(),
        None => shown(&database_file(&store.data_dir)),
    };
    let videos = match blob_url(store) {
        BlobUrl::Folder(folder) => shown(&folder),
        BlobUrl::Bucket(it) => format!("s3://{}/{}", it.bucket, it.prefix),
    };
    let size = |bytes| ByteSize(bytes).display().iec();
    let limits = format!(
        "{} a video, {} a request, {} of one client address",
        size(limits.max_video_bytes),
        size(limits.max_request_bytes),
        size(quotas.max_creator_bytes)
    );
    let pictures = match decoders.ffmpeg() {
        Some(ffmpeg) => format!("of every codec, by {}", ffmpeg.display()),
        None => "of VP8 and H.264; install ffmpeg for VP9, AV1 and HEVC".to_owned(),
    };
    let transcripts = match config.transcripts.transcriber_url.is_some() {
        true => "on",
        false => "off; --transcriber-url turns them on",
    };
    let metrics = match config.telemetry.admin_listen {
        Some(address) => format!("http://{address}/metrics"),
        None => "off; --admin-listen turns them on".to_owned(),
    };
    let rows = [
        ("open", public_url),
        ("listens on", &address.to_string()),
        ("database", &database),
        ("videos", &videos),
        ("limits", &limits),
        ("pictures", &pictures),
        ("transcripts", transcripts),
        ("metrics", &metrics),
        ("settings", "vidence config"),
        ("stop", "Ctrl-C; what is being sent is finished first"),
    ];
    let rows = rows.map(|(name, value)| format!("  {name:12}{value}\n"));
    format!(
        "\nVidence {}\n{}\n",
        env!("CARGO_PKG_VERSION"),
        rows.concat()
    )
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
        render(&config, "http://127.0.0.1:3000", config.listen, &decoders)
    }

    #[test]
    fn a_banner_says_where_everything_is_and_no_secret() {
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
