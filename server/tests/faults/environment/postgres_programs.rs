//! The programs of PostgreSQL, and who runs them: it refuses to be root.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name of the role that clusters are made with.
pub const ROLE: &str = "vidence";

/// Where the programs are.
pub struct PostgresPrograms {
    pub folder: PathBuf,
    /// User and group.
    user: Option<(u32, u32)>,
}

impl PostgresPrograms {
    pub fn find() -> Self {
        let psql = std::env::var_os("VIDENCE_TEST_PSQL");
        let psql = psql.expect("VIDENCE_TEST_PSQL names a program: `cargo xtask test` finds one");
        let folder = Path::new(&psql).parent().expect("a folder").to_owned();
        let id = |flag: &str| {
            let printed = Command::new("id").args([flag, "postgres"]).output();
            let printed = printed.expect("id").stdout;
            let number = String::from_utf8_lossy(&printed).trim().parse();
            number.expect("the user of PostgreSQL's package")
        };
        let is_root = rustix::process::geteuid().is_root();
        let user = is_root.then(|| (id("-u"), id("-g")));
        Self { folder, user }
    }

    /// One of them, to be run by that user.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join(name));
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    /// Gives a folder to the user who runs them.
    pub fn hand_over(&self, folder: &Path) {
        if let Some((user, group)) = self.user {
            chown(folder, Some(user), Some(group)).expect("a folder");
        }
    }

    /// Makes a cluster in this new folder, which [`ROLE`] uses without a password.
    /// The folder around it must be that user's.
    pub fn make_cluster(&self, data: &Path) {
        let settings = ["-A", "trust", "-U", ROLE, "--no-locale", "-E", "UTF8"];
        let mut initdb = self.command("initdb");
        run(initdb.arg("-D").arg(data).args(settings));
    }
}

/// Runs a command, which must not fail.
pub fn run(command: &mut Command) {
    let ended = command.output().expect("a program");
    let printed = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{command:?}: {printed}");
}
