//! A disk of which single calls fail, while the server runs: a library in C that is preloaded into it.
//!
//! `strace` injects failures, too, but only such as are known when the server starts.

use std::path::Path;

use rustix::io::Errno;

use super::preloaded::Preloaded;

/// Layout of the control file, which the library maps: numbers of eight bytes, then a text for each of the first calls.
const CALLS: u64 = 0;
const FIRST: u64 = 8;
const LAST: u64 = 16;
const ERROR: u64 = 24;
const FAILED: u64 = 32;
const NOTES: u64 = 40;
const NOTE: usize = 128;

/// So many calls are noted.
const NOTED: u64 = 512;

/// The disk of one server's data folder.
pub struct FailingDisk(Preloaded);

impl FailingDisk {
    /// A disk that works until it is told to fail.
    pub fn new() -> Self {
        let length = NOTES + NOTED * NOTE as u64;
        Self(Preloaded::compile("failing_disk.c", length))
    }

    /// The variables that put the folder of a server on this disk.
    pub fn variables(&self, data_dir: &Path) -> Vec<(&'static str, String)> {
        let mut variables = self.0.variables();
        let folder = data_dir.to_str().expect("UTF-8").to_owned();
        variables.push(("FAILING_DISK_FOLDER", folder));
        variables
    }

    /// From now on calls are counted from one, and that with the number `call` fails with `error`.
    pub fn fail_once(&self, call: u64, error: Errno) {
        self.fail(call, call, error);
    }

    /// From now on calls are counted from one, and those from the number `call` on fail with `error`.
    pub fn fail_from(&self, call: u64, error: Errno) {
        self.fail(call, u64::MAX, error);
    }

    fn fail(&self, first: u64, last: u64, error: Errno) {
        self.heal();
        let error = u64::try_from(error.raw_os_error()).expect("a positive number");
        for (field, value) in [
            (CALLS, 0),
            (FAILED, 0),
            (ERROR, error),
            (LAST, last),
            (FIRST, first),
        ] {
            self.set(field, value);
        }
    }

    /// From now on no call fails.
    pub fn heal(&self) {
        self.set(FIRST, 0);
    }

    /// Calls since the count began.
    pub fn calls(&self) -> u64 {
        self.get(CALLS)
    }

    /// How many of them have failed.
    pub fn failed(&self) -> u64 {
        self.get(FAILED)
    }

    /// Name of a call, and its path below the data folder.
    pub fn call(&self, number: u64) -> String {
        assert!((1..=NOTED).contains(&number), "call {number} isn't noted");
        let text: [u8; NOTE] = self.0.read(NOTES + (number - 1) * NOTE as u64);
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    fn get(&self, field: u64) -> u64 {
        u64::from_ne_bytes(self.0.read(field))
    }

    fn set(&self, field: u64, value: u64) {
        self.0.write(field, &value.to_ne_bytes());
    }
}
