//! Programs that others wrote, in the versions that the tests' own folder names.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

/// No tool that works takes so long.
const PATIENCE: Duration = Duration::from_secs(300);

/// What one test binary needs of others' programs: its folder has their versions, and Node's packages; Python's are in
/// `target`, in a folder by the same name.
#[derive(Clone, Copy, Debug)]
pub struct Tools {
    tests: &'static str,
}

impl Tools {
    /// Those of the test binary with this name.
    pub const fn of(tests: &'static str) -> Self {
        Self { tests }
    }

    /// A file of its folder.
    pub fn file(self, file: &str) -> PathBuf {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../server/tests");
        tests.join(self.tests).join(file)
    }

    /// A program of the Python packages.
    pub fn python(self, program: &str) -> Command {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
        let mut command = Command::new(target.join(self.tests).join("bin").join(program));
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("NO_PROXY", "127.0.0.1");
        command
    }

    /// A program of the Node packages.
    pub fn node(self, program: &str) -> Command {
        Command::new(self.file("node_modules/.bin").join(program))
    }
}

/// Runs it to its end in this folder, and returns what it printed. It must succeed.
pub async fn run(command: &mut Command, folder: &Path) -> String {
    let output = ended(command, folder).await;
    let name = command.as_std().get_program().display();
    let status = output.status;
    let errors = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(status.success(), "{name}: {status}\n{printed}\n{errors}");
    printed
}

/// Runs it to its end in this folder, whatever that is.
pub async fn ended(command: &mut Command, folder: &Path) -> Output {
    let command = command.current_dir(folder).kill_on_drop(true);
    let running = command.stdin(Stdio::null()).output();
    let ended = timeout(PATIENCE, running).await;
    let name = command.as_std().get_program().display();
    let ended = ended.unwrap_or_else(|_| panic!("{name} takes too long"));
    ended.unwrap_or_else(|error| {
        panic!("{name} is needed, and `cargo xtask setup --all` brings it: {error}")
    })
}
