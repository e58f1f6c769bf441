//! A library in C that is preloaded into a server, and steered while the server runs.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A compiled library with its control file, which it maps.
pub struct Preloaded {
    folder: TempDir,
    control: File,
}

impl Preloaded {
    /// Compiles the library of this file beside this one, with a control file of this length.
    pub fn compile(source: &str, control_length: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/environment");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]);
        compiler.arg(library(&folder)).arg(sources.join(source));
        let compiled = compiler.status().expect("a C compiler, as for the build");
        assert!(compiled.success(), "{compiled}");
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create_new(true);
        let control = options.open(control(&folder)).expect("a file");
        control.set_len(control_length).expect("a control file");
        Self { folder, control }
    }

    /// The variables that preload the library into a server.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let text = |path: PathBuf| path.into_os_string().into_string().expect("UTF-8");
        vec![
            ("LD_PRELOAD", text(library(&self.folder))),
            ("PRELOADED_CONTROL", text(control(&self.folder))),
        ]
    }

    /// Reads from the control file.
    pub fn read<const N: usize>(&self, at: u64) -> [u8; N] {
        let mut bytes = [0; N];
        self.control.read_exact_at(&mut bytes, at).expect("bytes");
        bytes
    }

    /// Writes to the control file, which the library sees at once.
    pub fn write(&self, at: u64, bytes: &[u8]) {
        self.control
            .write_all_at(bytes, at)
            .expect("a control file");
    }
}

fn library(folder: &TempDir) -> PathBuf {
    folder.path().join("preloaded.so")
}

fn control(folder: &TempDir) -> PathBuf {
    folder.path().join("control")
}
