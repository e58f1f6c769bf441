//! Third-party programs, in the versions that the folder of the test binary pins.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

/// Timeout of a program.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The third-party programs of one test binary.
/// Its folder pins the versions and holds Node's packages; Python's are in a folder of the same name in `target`.
#[derive(Clone, Copy, Debug)]
pub struct Tools {
    tests: &'static str,
}

impl Tools {
    /// The programs of the test binary with this name.
    pub const fn of(tests: &'static str) -> Self {
        Self { tests }
    }

    /// Path of a file in the test binary's folder.
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

/// Runs a program to its exit in this folder and returns its stdout.
///
/// # Panics
///
/// If it fails or takes too long.
pub async fn run(command: &mut Command, folder: &Path) -> String {
    let output = output_of(command, folder).await;
    let name = command.as_std().get_program().display();
    let status = output.status;
    let errors = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(status.success(), "{name}: {status}\n{printed}\n{errors}");
    printed
}

/// Runs a program to its exit in this folder, whatever its status.
pub async fn output_of(command: &mut Command, folder: &Path) -> Output {
    let command = command.current_dir(folder).kill_on_drop(true);
    let running = command.stdin(Stdio::null()).output();
    let finished = timeout(TIMEOUT, running).await;
    let name = command.as_std().get_program().display();
    let finished = finished.unwrap_or_else(|_| panic!("{name} takes too long"));
    finished.unwrap_or_else(|error| {
        panic!("{name} is needed, and `cargo xtask setup --all` brings it: {error}")
    })
}
