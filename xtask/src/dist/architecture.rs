//! The machines that a release is packed for.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::shell::program;

/// A kind of machine, by the name that Debian and the builders of images give it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Architecture {
    Amd64,
    Arm64,
}

impl Architecture {
    /// That of this machine.
    pub fn here() -> Result<Self> {
        let here = Self::value_variants().iter().find(|it| it.is_here());
        here.copied()
            .with_context(|| format!("no releases for {}", env::consts::ARCH))
    }

    /// As Debian calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }

    /// As compilers and kernels call it.
    fn machine(self) -> &'static str {
        match self {
            Self::Amd64 => "x86_64",
            Self::Arm64 => "aarch64",
        }
    }

    /// The compiler's target.
    pub fn target(self) -> String {
        format!("{}-unknown-linux-musl", self.machine())
    }

    /// A call of a binary for it: by QEMU, if this machine is another.
    pub fn program(self, binary: &Path, arguments: &[&str]) -> Command {
        if self.is_here() {
            return program(binary, arguments);
        }
        let mut qemu = program(format!("qemu-{}-static", self.machine()), &[]);
        qemu.arg(binary).args(arguments);
        qemu
    }

    fn is_here(self) -> bool {
        self.machine() == env::consts::ARCH
    }
}
