//! nginx as a plain file server.

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

use anyhow::Result;

use crate::servers::Server;
use test_support::servers::nginx;

/// Name of the served file.
pub const FILE: &str = "video.mp4";

/// Serves these bytes with a single process.
pub fn start(folder: &Path, bytes: &[u8]) -> Result<Server> {
    let files = folder.join("files");
    fs::create_dir_all(&files)?;
    fs::write(files.join(FILE), bytes)?;
    // A port that is free: no other program on this machine takes random ports in between.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let root = folder.display();
    let temp_paths = nginx::temp_paths(folder);
    let settings = format!(
        "daemon off; master_process off; pid {root}/pid; error_log stderr warn;
         events {{ worker_connections 2048; }}
         http {{
             access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
             default_type video/mp4; {temp_paths}
             server {{ listen 127.0.0.1:{port}; root {root}/files; }}
         }}"
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, settings)?;
    let [errors, settings] = ["-e", "-c"].map(OsStr::new);
    let arguments = [errors, OsStr::new("stderr"), settings, file.as_os_str()];
    Server::listening(nginx::program(), &arguments, port)
}
