//! Garage: an S3 server that isn't this project's, of the kind that `compose.yaml` runs.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::servers::listening::wait_until_listening;
use crate::servers::node::free_address;

const BUCKET: &str = "evidence";
const REGION: &str = "garage";
const KEY: &str = "GK0123456789abcdef01234567";
const SECRET: &str = "89abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567";

/// A Garage of one node with an empty bucket, killed on drop.
pub struct Garage {
    process: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl Garage {
    /// Starts it, and waits until it has made bucket and key.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let address = free_address();
        let settings = settings(folder.path(), address);
        let file = folder.path().join("garage.toml");
        fs::write(&file, settings).expect("a file");
        let log = folder.path().join("log");
        let output = File::create(&log).expect("a file");
        let process = Command::new(program())
            .arg("-c")
            .arg(file)
            .args(["server", "--single-node", "--default-bucket"])
            .env("GARAGE_DEFAULT_BUCKET", BUCKET)
            .env("GARAGE_DEFAULT_ACCESS_KEY", KEY)
            .env("GARAGE_DEFAULT_SECRET_KEY", SECRET)
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a file"))
            .stderr(output)
            .spawn();
        let process = process.unwrap_or_else(|error| {
            panic!("Garage is needed, and `cargo xtask setup --all` brings it: {error}")
        });
        let mut garage = Self {
            process,
            address,
            _folder: folder,
        };
        let read_log = || fs::read_to_string(&log).unwrap_or_default();
        wait_until_listening("Garage", &mut garage.process, address, read_log);
        garage
    }

    /// The value for `--blob-url`.
    pub fn url(&self) -> String {
        format!("s3://{BUCKET}/videos")
    }

    /// Environment variables that give a server access to the bucket.
    pub fn env(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_REGION", REGION.to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }
}

impl Drop for Garage {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn settings(folder: &Path, address: SocketAddr) -> String {
    let (folder, rpc) = (folder.display(), free_address());
    let secret = "01".repeat(32);
    format!(
        "metadata_dir = \"{folder}/meta\"\n\
         data_dir = \"{folder}/data\"\n\
         db_engine = \"sqlite\"\n\
         replication_factor = 1\n\
         rpc_bind_addr = \"{rpc}\"\n\
         rpc_public_addr = \"{rpc}\"\n\
         rpc_secret = \"{secret}\"\n\
         [s3_api]\n\
         api_bind_addr = \"{address}\"\n\
         s3_region = \"{REGION}\"\n"
    )
}

/// The program that `cargo xtask` has installed.
fn program() -> PathBuf {
    std::env::var_os("VIDENCE_GARAGE").map_or_else(|| PathBuf::from("garage"), PathBuf::from)
}
