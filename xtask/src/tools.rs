//! What the tests need of a machine beside Rust, and which of them are left out where it can't be had.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::shell::{output, program, say, which};
use crate::{browser, postgres, setup};

/// A program, for people by its name.
pub struct Tool {
    pub name: &'static str,
    /// Debian's package. `None`: no package brings it.
    package: Option<&'static str>,
    is_here: fn() -> bool,
    /// The native tests that need it: parts of their names.
    pub tests: &'static [&'static str],
}

/// Those of other protocols' clients, in Node, Python and a browser.
const CLIENTS: &[&str] = &["clients::clients_written", "clients::the_"];

pub const CHROMIUM: &Tool = &Tool {
    name: "Chromium",
    package: Some("chromium"),
    is_here: || browser::chromium().is_some(),
    tests: CLIENTS,
};

pub const FIREFOX: &Tool = &Tool {
    name: "Firefox",
    package: Some("firefox-esr"),
    is_here: || browser::firefox().is_some(),
    tests: &[],
};

pub const POSTGRES: &Tool = &Tool {
    name: "PostgreSQL",
    package: Some("postgresql"),
    is_here: || postgres::find().is_some(),
    tests: &["cluster::"],
};

pub const NODE: &Tool = &Tool {
    name: "Node.js with npm",
    package: Some("npm"),
    is_here: || which("npm").is_some(),
    tests: &[
        CLIENTS[0],
        CLIENTS[1],
        "conformance::",
        "descriptions::",
        "generated::",
        "programs::",
    ],
};

pub const PYTHON: &Tool = &Tool {
    name: "Python with venv",
    package: Some("python3-venv"),
    is_here: has_venv,
    tests: &[
        CLIENTS[0],
        CLIENTS[1],
        "descriptions::",
        "generated::",
        "lint::",
        "programs::",
        "properties::",
    ],
};

/// All of them. The tests in WebKit skip themselves.
const ALL: [&Tool; 11] = [
    LINUX, MOUNTS, CHROMIUM, FIREFOX, POSTGRES, NODE, PYTHON, STRACE, FFMPEG, NGINX, PROMTOOL,
];

/// `/proc`, and the features that confine a process.
pub const LINUX: &Tool = &Tool {
    name: "Linux",
    package: None,
    is_here: || cfg!(target_os = "linux"),
    tests: &["confined::", "crowd::", "full_disk::"],
};

/// Small disks, to fill them.
const MOUNTS: &Tool = &Tool {
    name: "the right to mount",
    package: None,
    is_here: may_mount,
    tests: &["full_disk::"],
};

const STRACE: &Tool = &Tool {
    name: "strace",
    package: Some("strace"),
    is_here: || which("strace").is_some(),
    tests: &["eio::", "order::"],
};

pub const FFMPEG: &Tool = &Tool {
    name: "ffmpeg",
    package: Some("ffmpeg"),
    is_here: || which("ffmpeg").is_some(),
    tests: &[
        "a_sealed_prefix",
        "every_prefix",
        "whole::",
        "pictures::",
        "programs::",
    ],
};

pub const NGINX: &Tool = &Tool {
    name: "nginx",
    package: Some("nginx"),
    is_here: has_nginx,
    tests: &["proxied::"],
};

const PROMTOOL: &Tool = &Tool {
    name: "promtool",
    package: Some("prometheus"),
    is_here: || which("promtool").is_some(),
    tests: &["alerts::"],
};

/// Those that this machine lacks.
pub struct Missing(Vec<&'static Tool>);

impl Missing {
    /// Installs what it can. What it can't is an error in CI.
    pub fn after_installing() -> Result<Self> {
        let mut missing = Vec::new();
        for tool in ALL {
            match tool.install() {
                Ok(()) => {}
                Err(error) if std::env::var_os("CI").is_none() => {
                    say(format!("{error:#}. The tests that need it are skipped."));
                    missing.push(tool);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self(missing))
    }

    /// An error if there are any.
    pub fn none(&self) -> Result<()> {
        let names: Vec<_> = self.names().collect();
        ensure!(names.is_empty(), "missing: {}", names.join(", "));
        Ok(())
    }

    pub fn has(&self, tool: &Tool) -> bool {
        self.names().any(|name| name == tool.name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|it| it.name)
    }

    /// For the test runner, behind `--`.
    pub fn skips(&self) -> impl Iterator<Item = &'static str> {
        let tests = self.0.iter().flat_map(|it| it.tests);
        tests.flat_map(|name| ["--skip", name])
    }
}

impl Tool {
    /// Finds it, or has it installed.
    pub fn install(&self) -> Result<()> {
        let name = self.name;
        if (self.is_here)() {
            say(format!("{name}: here"));
            return Ok(());
        }
        setup::install(name, self.package)?;
        ensure!(
            (self.is_here)(),
            "{name} was installed, and still isn't here"
        );
        Ok(())
    }
}

/// As root, or as the root of a user namespace.
fn may_mount() -> bool {
    let worlds = [&["--mount"][..], &["--mount", "--map-root-user"]];
    worlds.iter().any(|world| {
        let mut unshare = program("unshare", world);
        unshare
            .arg("true")
            .output()
            .is_ok_and(|it| it.status.success())
    })
}

/// Debian's is beside the `PATH`.
fn has_nginx() -> bool {
    which("nginx").is_some() || PathBuf::from("/usr/sbin/nginx").is_file()
}

fn has_venv() -> bool {
    which("python3").is_some_and(|python| {
        output(&mut program(&python, &["-c", "import ensurepip, venv"])).is_ok()
    })
}
