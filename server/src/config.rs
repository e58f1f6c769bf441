//! Every setting, once: a flag, an environment variable of the same name, a default, a help text.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;

use crate::service::PublicUrl;

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

    /// Where the videos lie: file:///absolute/folder [default: blobs in the data folder]
    #[arg(long, env = "VIDENCE_BLOB_URL", value_parser = blob_url)]
    pub blob_url: Option<BlobUrl>,
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
#[derive(Clone, Debug)]
pub enum BlobUrl {
    /// A folder.
    Folder(PathBuf),
}

fn public_url(text: &str) -> Result<PublicUrl, String> {
    let text = text.trim_end_matches('/');
    let secure = text.strip_prefix("https://");
    match secure.or_else(|| text.strip_prefix("http://")) {
        // The pages' own links begin at the root, so a path would break them.
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => {
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

fn blob_url(text: &str) -> Result<BlobUrl, String> {
    match text.strip_prefix("file://") {
        Some(path) if path.starts_with('/') => Ok(BlobUrl::Folder(PathBuf::from(path))),
        _ => Err("give it as file:///absolute/folder".to_owned()),
    }
}
