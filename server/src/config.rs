//! Every setting, once: a flag, an environment variable of the same name, a default, a help text.

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser};
use ipnet::IpNet;

use crate::blobs::{BucketAccess, BucketPlace};
use crate::caller::{IPV6_PREFIX, Proxies};
use crate::clock::Clock;
use crate::origin::Origin;
use crate::service::quota::{Allowance, ByNetwork, Quotas};
use crate::service::{Contact, Limits, PublicUrl};

/// Clients of MCP read answers of up to 16 MiB, and base64 makes four bytes of three.
const MOST_INLINE_BYTES: u64 = 11 << 20;

/// Asks a human for video evidence.
///
/// With nothing given it runs: a database file and a folder of videos in ./data, on 127.0.0.1:3000.
#[derive(Clone, Debug, Parser)]
#[command(name = "vidence", version)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "VIDENCE_LISTEN", default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,

    /// Where people and programs reach this server, such as https://evidence.example.org
    /// [default: http:// and the address listened on]
    #[arg(long, env = "VIDENCE_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<PublicUrl>,

    /// Folder for the database file and the videos; one server at a time
    #[arg(long, env = "VIDENCE_DATA_DIR", default_value = "./data")]
    pub data_dir: PathBuf,

    /// Database: postgres://user:password@host/name [default: vidence.db in the data folder]
    #[arg(long, env = "VIDENCE_DATABASE_URL", value_parser = database_url, hide_env_values = true)]
    pub database_url: Option<DatabaseUrl>,

    /// Database connections that this server opens at most; SQLite needs no such number
    #[arg(long, env = "VIDENCE_DATABASE_CONNECTIONS", default_value_t = 16)]
    pub database_connections: usize,

    /// Where the videos lie: file:///absolute/folder, or s3://bucket/prefix with the usual AWS_* variables,
    /// AWS_ENDPOINT_URL among them [default: blobs in the data folder]
    #[arg(long, env = "VIDENCE_BLOB_URL")]
    pub blob_url: Option<BlobUrl>,

    /// The AWS_* variables
    #[arg(skip = BucketAccess::from_env())]
    pub bucket_access: BucketAccess,

    /// ffmpeg, which makes stills of videos that Vidence can't decode by itself; "off" for none
    /// [default: the one on the PATH, if there is any]
    #[arg(long, env = "VIDENCE_FFMPEG")]
    pub ffmpeg: Option<PathBuf>,

    /// Where people can report a request to whoever runs this server: mailto:abuse@example.org, or an https://
    /// address [default: the pages offer no such link]
    #[arg(long, env = "VIDENCE_CONTACT")]
    pub contact: Option<Contact>,

    /// Bytes that a video may have to be put into the answer to an agent that speaks MCP; larger ones are
    /// named there, with how to fetch them
    #[arg(long, env = "VIDENCE_MCP_INLINE_BYTES", default_value_t = 8 << 20, value_parser = clap::value_parser!(u64).range(..=MOST_INLINE_BYTES))]
    pub mcp_inline_bytes: u64,

    /// Web pages that may call MCP besides our own and those of the same machine, such as
    /// https://agents.example.net; several with commas
    #[arg(long, env = "VIDENCE_MCP_ORIGINS", value_delimiter = ',')]
    pub mcp_origins: Vec<Origin>,

    /// How much may be stored
    #[command(flatten)]
    pub limits: LimitArgs,

    /// How often one may ask
    #[command(flatten)]
    pub quotas: QuotaArgs,
}

/// How often one may ask.
#[derive(Clone, Debug, Args)]
pub struct QuotaArgs {
    /// Requests that one address may create, as rate and burst; "off" for no limit. An IPv6 network of 64
    /// bits counts as one address
    #[arg(long, env = "VIDENCE_CREATE_LIMIT", default_value = "30/hour:10")]
    pub create_limit: Allowance,

    /// Status queries, deletions and streams that one address may begin, as rate and burst; "off" for no
    /// limit. Calls that send recordings are slowed down at ten times that
    #[arg(long, env = "VIDENCE_READ_LIMIT", default_value = "20/second:60")]
    pub read_limit: Allowance,

    /// Another limit of creations for addresses of a network, such as 198.51.100.0/21=3000/hour:500;
    /// several with commas
    #[arg(long, env = "VIDENCE_CREATE_LIMIT_FOR", value_delimiter = ',', value_parser = exception::<Allowance>)]
    pub create_limit_for: Vec<(IpNet, Allowance)>,

    /// Another limit of reads for addresses of a network; several with commas
    #[arg(long, env = "VIDENCE_READ_LIMIT_FOR", value_delimiter = ',', value_parser = exception::<Allowance>)]
    pub read_limit_for: Vec<(IpNet, Allowance)>,

    /// Bytes that all recordings of all requests of one address may have
    #[arg(long, env = "VIDENCE_MAX_CREATOR_BYTES", default_value_t = 20 << 30)]
    pub max_creator_bytes: u64,

    /// Another number of bytes for addresses of a network, such as 198.51.100.0/21=2000000000000; several
    /// with commas
    #[arg(long, env = "VIDENCE_MAX_CREATOR_BYTES_FOR", value_delimiter = ',', value_parser = exception::<u64>)]
    pub max_creator_bytes_for: Vec<(IpNet, u64)>,

    /// Networks of all proxies in front of this server; several with commas. Whom they ask for is read from
    /// X-Forwarded-For
    #[arg(long, env = "VIDENCE_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// How many proxies there are one behind the other: the address is read at this place of
    /// X-Forwarded-For, counted from the right
    #[arg(long, env = "VIDENCE_PROXY_HOPS", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub proxy_hops: u8,
}

impl QuotaArgs {
    /// With nothing counted yet.
    pub fn quotas(&self, clock: &Clock) -> Quotas {
        let creations = ByNetwork::new(self.create_limit, self.create_limit_for.clone());
        let reads = ByNetwork::new(self.read_limit, self.read_limit_for.clone());
        let bytes = ByNetwork::new(self.max_creator_bytes, self.max_creator_bytes_for.clone());
        Quotas::new(creations, &reads, bytes, clock)
    }

    /// Who may ask for others.
    pub fn proxies(&self) -> Proxies {
        Proxies {
            trusted: self.trusted_proxies.clone(),
            hops: self.proxy_hops.into(),
        }
    }
}

/// How much may be stored.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Bytes that one recording may have
    #[arg(long, env = "VIDENCE_MAX_VIDEO_BYTES", default_value_t = 1 << 30)]
    pub max_video_bytes: u64,

    /// Recordings that a request may have before one is submitted
    #[arg(long, env = "VIDENCE_MAX_TAKES", default_value_t = 10)]
    pub max_takes: u32,

    /// Bytes that all recordings of a request may have
    #[arg(long, env = "VIDENCE_MAX_REQUEST_BYTES", default_value_t = 2 << 30)]
    pub max_request_bytes: u64,

    /// Bytes that may be stored in all [default: 80 % of the disk]
    #[arg(long, env = "VIDENCE_MAX_STORED_BYTES")]
    pub max_stored_bytes: Option<u64>,

    /// Bytes that must stay free on the disk
    #[arg(long, env = "VIDENCE_MIN_FREE_BYTES", default_value_t = 512 << 20)]
    pub min_free_bytes: u64,

    /// Bytes of memory that uploads may hold, all together
    #[arg(long, env = "VIDENCE_UPLOAD_MEMORY", default_value_t = 256 << 20)]
    pub upload_memory: u64,
}

impl From<&LimitArgs> for Limits {
    fn from(args: &LimitArgs) -> Self {
        Self {
            video_bytes: args.max_video_bytes,
            takes: args.max_takes,
            request_bytes: args.max_request_bytes,
            stored_bytes: args.max_stored_bytes,
            free_bytes: args.min_free_bytes,
        }
    }
}

/// A database elsewhere. Holds a password: never shown.
#[derive(Clone)]
pub struct DatabaseUrl(pub String);

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DatabaseUrl(..)")
    }
}

/// A blob store elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobUrl {
    /// A folder.
    Folder(PathBuf),
    /// A bucket of an S3 service.
    Bucket(BucketPlace),
}

fn exception<T: FromStr<Err: Display>>(text: &str) -> Result<(IpNet, T), String> {
    let (network, value) = text.split_once('=').ok_or("give it as network=value")?;
    let network = network
        .parse()
        .map_err(|_| "give the network as 198.51.100.0/21")?;
    // Narrower ones are one caller with their neighbours.
    if matches!(network, IpNet::V6(it) if it.prefix_len() > IPV6_PREFIX) {
        return Err(format!(
            "an IPv6 network can't be narrower than /{IPV6_PREFIX}"
        ));
    }
    let value = value.parse().map_err(|error: T::Err| error.to_string())?;
    Ok((network, value))
}

fn public_url(text: &str) -> Result<PublicUrl, String> {
    let text = text.trim_end_matches('/');
    let secure = text.strip_prefix("https://");
    match secure.or_else(|| text.strip_prefix("http://")) {
        // The pages' own links begin at the root, so a path would break them.
        Some(host) if !host.contains(['/', '?', '#', '@']) && text.parse::<Origin>().is_ok() => {
            Ok(PublicUrl::new(text))
        }
        _ => Err("give it as https://host or http://host:port, without a path".to_owned()),
    }
}

// The messages name no value: it may hold a password.
fn database_url(text: &str) -> Result<DatabaseUrl, String> {
    let known = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    let url = known.then(|| DatabaseUrl(text.to_owned()));
    url.ok_or_else(|| "give it as postgres://user:password@host/name".to_owned())
}

impl FromStr for BlobUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("file://")
            && path.starts_with('/')
        {
            return Ok(BlobUrl::Folder(PathBuf::from(path)));
        }
        if let Some(place) = text.strip_prefix("s3://") {
            let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
            if !bucket.is_empty() && !place.contains(['?', '#', '@']) {
                return Ok(BlobUrl::Bucket(BucketPlace {
                    bucket: bucket.to_owned(),
                    prefix: prefix.trim_end_matches('/').to_owned(),
                }));
            }
        }
        Err("give it as file:///absolute/folder or s3://bucket/prefix".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_and_the_help_are_consistent() {
        use clap::CommandFactory;
        Config::command().debug_assert();
    }

    #[test]
    fn a_public_url_is_scheme_host_and_port() {
        for (text, want) in [
            (
                "https://evidence.example.org",
                Some("https://evidence.example.org"),
            ),
            (
                "https://evidence.example.org/",
                Some("https://evidence.example.org"),
            ),
            ("http://127.0.0.1:3000", Some("http://127.0.0.1:3000")),
            ("http://[::1]:3000", Some("http://[::1]:3000")),
            ("https://example.org/base", None),
            ("https://user@example.org", None),
            ("https://example.org?a", None),
            ("https://", None),
            ("https://bücher.example", None),
            ("https://example.org:80a", None),
            ("example.org", None),
            ("ftp://example.org", None),
        ] {
            let parsed = public_url(text).ok();
            assert_eq!(parsed.as_ref().map(PublicUrl::as_str), want, "{text}");
        }
    }

    #[test]
    fn a_refused_database_url_is_not_repeated() {
        let refusal = database_url("mysql://user:hunter2@host/name").expect_err("not ours");
        assert!(!refusal.contains("hunter2"), "{refusal}");
        let shown = format!("{:?}", database_url("postgres://u:hunter2@h/n"));
        assert!(!shown.contains("hunter2"), "{shown}");
    }

    #[test]
    fn a_blob_url_names_an_absolute_folder_or_a_bucket() {
        let bucket = |bucket: &str, prefix: &str| {
            BlobUrl::Bucket(BucketPlace {
                bucket: bucket.to_owned(),
                prefix: prefix.to_owned(),
            })
        };
        for (text, want) in [
            (
                "file:///var/blobs",
                Some(BlobUrl::Folder(PathBuf::from("/var/blobs"))),
            ),
            ("s3://evidence", Some(bucket("evidence", ""))),
            ("s3://evidence/", Some(bucket("evidence", ""))),
            ("s3://evidence/a/b/", Some(bucket("evidence", "a/b"))),
            ("s3://", None),
            ("s3:///prefix", None),
            ("s3://key:secret@evidence", None),
            ("file://blobs", None),
            ("/var/blobs", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), want, "{text}");
        }
    }
}
