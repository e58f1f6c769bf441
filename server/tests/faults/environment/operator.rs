//! The operator's commands beside running servers.

use std::ffi::OsString;
use std::process::Output;
use std::time::{Duration, Instant};

use test_support::scale::TIMEOUT;
use test_support::servers::node::binary;
use test_support::stores::bucket::Bucket;

/// Runs the operator's commands beside the servers.
pub struct Operator {
    pub(super) flags: Vec<OsString>,
    pub(super) variables: Vec<(&'static str, String)>,
}

impl Operator {
    /// With PostgreSQL at this address, and this bucket.
    pub fn on_shared_stores(database_url: &str, bucket: &Bucket) -> Self {
        let blobs = bucket.url();
        let flags = ["--database-url", database_url, "--blob-url", &blobs];
        Self {
            flags: flags.map(OsString::from).to_vec(),
            variables: Vec::from(bucket.env()),
        }
    }

    /// Runs a command once, with the flags and variables of the stores.
    pub async fn run(&self, arguments: &[&str]) -> Output {
        let mut command = tokio::process::Command::new(binary());
        let command = command.args(arguments).args(&self.flags);
        let command = command.envs(self.variables.iter().cloned());
        command
            .kill_on_drop(true)
            .output()
            .await
            .expect("a command")
    }

    /// Takes a request down.
    /// The command is killed after `kill_after`, and then run again until it succeeds.
    pub async fn take_down(&self, request: &str, kill_after: Duration) {
        let command = ["takedown", request];
        let run = || self.run(&command);
        if tokio::time::timeout(kill_after, run())
            .await
            .is_ok_and(|it| it.status.success())
        {
            return;
        }
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let ended = run().await;
            if ended.status.success() {
                return;
            }
            // The database may be locked for a moment.
            assert!(Instant::now() < deadline, "{ended:?}");
        }
    }

    /// Runs `check --deep`, and returns whether it is clean, and what it prints.
    pub async fn check_deep(&self) -> (bool, String) {
        let ended = self.run(&["check", "--deep"]).await;
        let printed = [ended.stdout, ended.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        (ended.status.success(), printed)
    }
}
