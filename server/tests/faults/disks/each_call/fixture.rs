//! A server on a disk that fails, its clients, and the operator on the same disk.

use std::sync::Mutex;

use super::VIDEO_BYTES;
use crate::environment::Environment;
use crate::environment::failing_disk::FailingDisk;
use crate::environment::operator::Operator;
use test_support::clients::ledger::Ledger;
use test_support::clients::retrying_client::RetryingClient;
use test_support::clients::uploader::{UploadProfile, Uploader};

pub struct Fixture {
    pub disk: FailingDisk,
    pub environment: Environment,
    pub ledger: Ledger,
    pub client: RetryingClient,
    /// The operator, to whose commands the disk is full or broken, too.
    pub operator: Operator,
    /// What failed commands of the operator have printed.
    pub failed_commands: Mutex<Vec<String>>,
}

impl Fixture {
    pub async fn new() -> Self {
        let disk = FailingDisk::new();
        let environment = Environment::sqlite_on_failing_disk(&disk).await;
        Self {
            ledger: Ledger::default(),
            client: environment.client(),
            operator: environment.operator_on_failing_disk(&disk),
            failed_commands: Mutex::default(),
            disk,
            environment,
        }
    }

    pub fn uploader(&self, number: u64) -> Uploader<'_> {
        let mut uploader = Uploader::new(number, &self.client, &self.client, &self.ledger);
        uploader.profile = UploadProfile {
            take_bytes: VIDEO_BYTES..=VIDEO_BYTES,
            append_bytes: VIDEO_BYTES / 2..=VIDEO_BYTES / 2,
            slow_one_in: u32::MAX,
            tolerates_failed_takes: true,
            ..UploadProfile::default()
        };
        uploader
    }

    /// How many answers and commands have failed.
    pub fn failures(&self) -> usize {
        let commands = self.failed_commands.lock().expect("not poisoned").len();
        self.client.failures().len() + commands
    }
}
