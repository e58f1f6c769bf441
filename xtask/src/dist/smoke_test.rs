//! What an installed server is tried with.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::abuse::Target;
use crate::server::Server;
use crate::shell::{run, say};

/// Where the package and the image have their data.
pub const DATA: &str = "/var/lib/vidence";

/// `VIDENCE_…` and `AWS_…` variables of this process are meant for another server.
pub fn with_own_variables(mut command: Command) -> Command {
    command.env_clear();
    // By it the programs are found that enter the root directory.
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.env("VIDENCE_DATA_DIR", DATA);
    command
}

/// Starts a server, asks it whether it is ready by a command as its health check does, and has a video sent, watched and
/// deleted.
pub fn smoke_test(serve: Command, ready: impl Fn(&str) -> Command) -> Result<()> {
    let server = Server::start_by(serve)?;
    run(&mut ready(&server.address.to_string()))?;
    let target = Target::prepare(server.address)?;
    let (video, authorization) = &target.video;
    let mut connection = target.connect()?;
    let watched = connection.ask("GET", video, authorization, b"")?;
    ensure!(watched.status == 200, "the video: {}", watched.status);
    let deleted = connection.ask("DELETE", &target.request, authorization, b"")?;
    ensure!(deleted.status == 204, "the deletion: {}", deleted.status);
    say(format!(
        "a video of {} bytes was sent, watched and deleted",
        watched.body.len()
    ));
    Ok(())
}
