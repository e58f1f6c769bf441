//! `vidence verify`: comparing a video with its receipt, offline.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use sha2::{Digest as _, Sha256};

use crate::cli::terminal::printable::printable;
use crate::clock::rfc3339;
use crate::receipts::{Match, Receipt, hex, hex_sha256, key_id, verify};

const LIMITS: &str = "\
It doesn't prove who filmed, when or where the scene took place, or that it is true: a camera can be simulated, a screen
be filmed and a program be made to send like the page. It shows what the holder of that key says was received, and when,
by the server's clock. Whose key it is shows who has published it: compare it with the server's own.";

/// Check that a video is the one of a receipt; offline
///
/// Exits with 0 if the receipt is signed by one of the keys and the file is its video, as it is served or as it was
/// received, and with 1 otherwise.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The video: the file that was downloaded, or the recording as it was uploaded
    video: PathBuf,

    /// Its receipt: a file with the answer of /videos/{id}/receipt
    receipt: PathBuf,

    /// The public keys of the server that you trust: a file with the answer of its /.well-known/jwks.json
    #[arg(long, value_name = "FILE")]
    jwks: Option<PathBuf>,

    /// The address of the server that must have signed it, by its own word
    #[arg(long, value_name = "URL")]
    issuer: Option<String>,

    /// What was asked: a file with the prompt, without a line break at its end unless the prompt had one
    #[arg(long, value_name = "FILE")]
    prompt: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some(jwks) = &args.jwks else {
        bail!(
            "name the public keys with --jwks: this command fetches nothing, and a receipt can't vouch for its own key. \
             Get them from the server that you trust: curl -o jwks.json https://its.address/.well-known/jwks.json"
        );
    };
    let keys = serde_json::from_slice(&read(jwks)?);
    let keys = keys.with_context(|| format!("{} holds no JSON Web Key Set", jwks.display()))?;
    let signed = String::from_utf8_lossy(&read(&args.receipt)?)
        .trim()
        .to_owned();
    let receipt = verify(&signed, &keys).with_context(|| args.receipt.display().to_string())?;
    if let Some(issuer) = &args.issuer
        && issuer.trim_end_matches('/') != receipt.iss.trim_end_matches('/')
    {
        bail!("the receipt is that of {}", receipt.iss);
    }
    if let Some(prompt) = &args.prompt
        && hex_sha256(&read(prompt)?) != receipt.prompt_sha256
    {
        bail!(
            "the receipt is for another prompt than {}",
            prompt.display()
        );
    }
    let (sha256, bytes) = digest(&args.video)?;
    let Some(found) = receipt.matches(&sha256) else {
        bail!(
            "{} is another video than the receipt's: its SHA-256 is {sha256}, and not {} or {}",
            args.video.display(),
            receipt.served.sha256,
            receipt.received.sha256
        );
    };
    let key = key_id(&signed).unwrap_or_default();
    let report = report(&receipt, &key, found, bytes);
    writeln!(io::stdout(), "{report}\n{LIMITS}")?;
    Ok(ExitCode::SUCCESS)
}

/// What the receipt says, a line each.
fn report(receipt: &Receipt, key: &str, found: Match, bytes: u64) -> String {
    let file = match found {
        Match::Served => "the video as the server serves it",
        Match::Received => "the video as the server had stored what it received",
    };
    let unknown = || "not noted".to_owned();
    let arrival = receipt.arrival.as_ref();
    let arrived = arrival.and_then(|it| it.summary(receipt.captured_as));
    let (seconds, millis) = (receipt.duration_ms / 1000, receipt.duration_ms % 1000);
    let lines = [
        ("Signature", format!("valid, by the key {key}")),
        ("File", format!("{file}, {bytes} bytes, unchanged")),
        ("Server", format!("{}, by its own word", receipt.iss)),
        ("Signed", rfc3339(receipt.iat.saturating_mul(1000))),
        (
            "Request",
            format!(
                "{}, created {}",
                receipt.request_id, receipt.request_created_at
            ),
        ),
        ("Prompt", format!("SHA-256 {}", receipt.prompt_sha256)),
        (
            "Video",
            format!(
                "{}, {}, {seconds}.{millis:03} s",
                receipt.video_id, receipt.media_type
            ),
        ),
        ("Arrived", arrived.unwrap_or_else(unknown)),
        ("Sealed", receipt.sealed_at.clone().unwrap_or_else(unknown)),
        (
            "Submitted",
            receipt.submitted_at.clone().unwrap_or_else(unknown),
        ),
    ];
    let lines = lines.map(|(name, value)| format!("{name:<10} {}\n", printable(&value)));
    let lines = lines.concat();
    match is_clock_right(receipt) {
        true => lines,
        false => {
            lines + "The server's clock was set back: by it this was signed before it happened.\n"
        }
    }
}

/// Whether the receipt was signed after all that it tells.
/// Times have the same form, and are compared to the second.
fn is_clock_right(receipt: &Receipt) -> bool {
    let signed = rfc3339(receipt.iat.saturating_mul(1000));
    let last_byte = receipt.arrival.as_ref().map(|it| &it.last_byte_at);
    let told = [
        last_byte,
        receipt.sealed_at.as_ref(),
        receipt.submitted_at.as_ref(),
    ];
    let mut told = told.into_iter().flatten();
    told.all(|it| it.get(..19) <= signed.get(..19))
}

/// SHA-256 of a file in hexadecimal digits, and its length.
pub(super) fn digest(file: &Path) -> anyhow::Result<(String, u64)> {
    let mut digest = Hasher(Sha256::new());
    let read = File::open(file).and_then(|mut file| io::copy(&mut file, &mut digest));
    let bytes = read.with_context(|| format!("can't read {}", file.display()))?;
    Ok((hex(&digest.0.finalize()), bytes))
}

/// A digest as a writer.
struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a receipt, or keys. A video by mistake isn't read to its end.
fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    const MAX_BYTES: u64 = 1 << 20;
    let mut text = Vec::new();
    let read = File::open(file).and_then(|it| it.take(MAX_BYTES + 1).read_to_end(&mut text));
    let length = read.with_context(|| format!("can't read {}", file.display()))?;
    if length as u64 > MAX_BYTES {
        bail!(
            "{} is too long for a receipt, keys or a prompt: the video comes first, and then its receipt",
            file.display()
        );
    }
    Ok(text)
}
