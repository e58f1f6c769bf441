//! nginx, set up for files and nothing else.

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

use anyhow::Result;

use crate::servers::Server;

/// What it serves is called.
pub const FILE: &str = "video.mp4";

/// Serves these bytes. One process, which is the worker, too.
pub fn start(folder: &Path, bytes: &[u8]) -> Result<Server> {
    let files = folder.join("files");
    fs::create_dir_all(&files)?;
    fs::write(files.join(FILE), bytes)?;
    // Asked for and given back: nothing on this machine takes a port at random in between.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let place = folder.display();
    // It makes all of its folders at the start, needed or not.
    let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let scratch = scratch.map(|name| format!("{name}_temp_path {place}/{name};"));
    let scratch = scratch.concat();
    let settings = format!(
        "daemon off; master_process off; pid {place}/pid; error_log stderr warn;
         events {{ worker_connections 2048; }}
         http {{
             access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
             default_type video/mp4; {scratch}
             server {{ listen 127.0.0.1:{port}; root {place}/files; }}
         }}"
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, settings)?;
    // Debian keeps it out of the path of those who aren't root.
    let packaged = Path::new("/usr/sbin/nginx");
    let program = match packaged.is_file() {
        true => packaged,
        false => Path::new("nginx"),
    };
    let [errors, settings] = ["-e", "-c"].map(OsStr::new);
    let arguments = [errors, OsStr::new("stderr"), settings, file.as_os_str()];
    Server::listening(program, &arguments, port)
}
