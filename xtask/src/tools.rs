//! What the tests need of a machine beside Rust, and which of them are left out where it can't be had.

use std::net::{Ipv6Addr, UdpSocket};
use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::setup::{apt, has_node_packages, has_python_packages, node_packages, python_packages};
use crate::shell::{output, program, say, which};
use crate::{browser, dependencies, postgres, webkit};

/// A program, or packages of Node and Python; for people by its name.
pub struct Tool {
    pub name: &'static str,
    is_here: fn() -> bool,
    install: fn() -> Result<()>,
    /// The native tests that need it: parts of their names.
    tests: &'static [&'static str],
}

/// Those of other protocols' clients, in Node, Python and a browser.
const UPLOADERS: &str = "clients::third_party";
const MCP_CLIENTS: &str = "clients::the_";

/// All of them. Packages come behind what installs them.
const ALL: [&Tool; 21] = [
    LINUX, MOUNTS, IPV6, CHROMIUM, FIREFOX, WEBKIT, POSTGRES, NODE, PYTHON, STRACE, FFMPEG, NGINX,
    CADDY, SYSTEMD, PROMTOOL, PLAYWRIGHT, CLIENTS, CONTRACT, MCP, AGENTS, READERS,
];

pub const CHROMIUM: &Tool = &Tool {
    name: "Chromium",
    is_here: || browser::chromium().is_some(),
    install: || apt("chromium"),
    tests: &[UPLOADERS, MCP_CLIENTS],
};

pub const FIREFOX: &Tool = &Tool {
    name: "Firefox",
    is_here: || browser::firefox().is_some(),
    install: || apt("firefox-esr"),
    tests: &[],
};

/// Its tests skip themselves.
pub const WEBKIT: &Tool = &Tool {
    name: "WebKitGTK",
    is_here: || webkit::find().is_some(),
    install: webkit::install,
    tests: &[],
};

pub const POSTGRES: &Tool = &Tool {
    name: "PostgreSQL",
    is_here: || postgres::find().is_some(),
    install: || apt("postgresql"),
    tests: &["postgres_s3::"],
};

pub const NODE: &Tool = &Tool {
    name: "Node.js with npm",
    is_here: || which("npm").is_some(),
    install: || apt("npm"),
    tests: &[],
};

const PYTHON: &Tool = &Tool {
    name: "Python with venv",
    is_here: has_venv,
    install: || apt("python3-venv"),
    tests: &[],
};

/// `/proc`, and the features that confine a process.
pub const LINUX: &Tool = &Tool {
    name: "Linux",
    is_here: || cfg!(target_os = "linux"),
    install: nowhere,
    tests: &["confined::", "slow_uploads::", "full_disk::"],
};

/// Small disks, to fill them.
const MOUNTS: &Tool = &Tool {
    name: "the right to mount",
    is_here: may_mount,
    install: nowhere,
    tests: &["full_disk::"],
};

/// A loopback address, which containers may lack.
const IPV6: &Tool = &Tool {
    name: "IPv6",
    is_here: || UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_ok(),
    install: nowhere,
    tests: &["ipv6::"],
};

const STRACE: &Tool = &Tool {
    name: "strace",
    is_here: || which("strace").is_some(),
    install: || apt("strace"),
    tests: &["failed_syncs::", "sync_order::"],
};

pub const FFMPEG: &Tool = &Tool {
    name: "ffmpeg",
    is_here: || which("ffmpeg").is_some(),
    install: || apt("ffmpeg"),
    tests: &[
        "a_sealed_prefix",
        "every_prefix",
        "large_videos::",
        "long::",
        "long_videos::",
        "whole::",
        "pictures::",
        "programs::",
    ],
};

pub const NGINX: &Tool = &Tool {
    name: "nginx",
    // Debian's is beside the `PATH`.
    is_here: || which("nginx").is_some() || PathBuf::from("/usr/sbin/nginx").is_file(),
    install: || apt("nginx"),
    tests: &["proxied::nginx::"],
};

const CADDY: &Tool = &Tool {
    name: "Caddy",
    is_here: || which("caddy").is_some(),
    install: || apt("caddy"),
    tests: &["caddy::"],
};

/// What it says of a unit needs no running systemd.
const SYSTEMD: &Tool = &Tool {
    name: "systemd-analyze",
    is_here: || which("systemd-analyze").is_some(),
    install: || apt("systemd"),
    tests: &["systemd_analyze"],
};

const PROMTOOL: &Tool = &Tool {
    name: "promtool",
    is_here: || which("promtool").is_some(),
    install: || apt("prometheus"),
    tests: &["alerts::"],
};

/// Some megabytes, and what a change of a page is tried with first.
pub const PLAYWRIGHT: &Tool = &Tool {
    name: "Playwright",
    is_here: || has_node_packages("end2end"),
    install: || node_packages("end2end"),
    tests: &[],
};

const CLIENTS: &Tool = &Tool {
    name: "other people's uploaders",
    is_here: || has_packages("clients"),
    install: || packages("clients"),
    tests: &[UPLOADERS],
};

const CONTRACT: &Tool = &Tool {
    name: "readers of the contract (schemathesis, httplint, hadolint, Redocly CLI, Spectral, tdqs, generated clients)",
    is_here: || has_packages("contract"),
    install: || packages("contract"),
    tests: &[
        "compose_file",
        "container_image::",
        "descriptions::",
        "generated::",
        "httplint::",
        "properties::",
    ],
};

const MCP: &Tool = &Tool {
    name: "MCP's own clients",
    is_here: || has_packages("mcp"),
    install: || packages("mcp"),
    tests: &[MCP_CLIENTS, "conformance::"],
};

const AGENTS: &Tool = &Tool {
    name: "agents' programs",
    is_here: || has_packages("agents"),
    install: || packages("agents"),
    tests: &["programs::"],
};

pub const READERS: &Tool = &Tool {
    name: "cargo-deny and cargo-machete",
    is_here: dependencies::has_readers,
    install: dependencies::install_readers,
    tests: &[],
};

/// It is built, not installed: see there when it can't be.
pub const LAST_RELEASE: &Tool = &Tool {
    name: "the last release",
    is_here: || true,
    install: || Ok(()),
    tests: &["releases::"],
};

/// Those that this machine lacks.
pub struct Missing(Vec<&'static Tool>);

impl Missing {
    /// Looks, and installs nothing but what is small.
    pub fn here() -> Result<Self> {
        if (NODE.is_here)() {
            PLAYWRIGHT.install()?;
        }
        let lacks = ALL.into_iter().filter(|tool| !(tool.is_here)());
        Ok(Self(lacks.collect()))
    }

    /// Installs what it can. What it can't is an error in CI.
    pub fn after_installing() -> Result<Self> {
        let mut missing = Vec::new();
        for tool in ALL {
            match tool.install() {
                Ok(()) => {}
                Err(error) if !is_ci() => {
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

    /// Leaves out what needs this one.
    pub fn add(&mut self, tool: &'static Tool) {
        self.0.push(tool);
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

/// Whether nothing may be left out.
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

impl Tool {
    /// Finds it, or has it installed.
    pub fn install(&self) -> Result<()> {
        let name = self.name;
        if (self.is_here)() {
            say(format!("{name}: here"));
            return Ok(());
        }
        (self.install)().map_err(|error| error.context(format!("{name} is missing")))?;
        ensure!(
            (self.is_here)(),
            "{name} was installed, and still isn't here"
        );
        Ok(())
    }
}

fn nowhere() -> Result<()> {
    anyhow::bail!("no package brings it")
}

fn has_packages(tests: &str) -> bool {
    has_node_packages(&format!("server/tests/{tests}")) && has_python_packages(tests)
}

fn packages(tests: &str) -> Result<()> {
    node_packages(&format!("server/tests/{tests}"))?;
    python_packages(tests)
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

fn has_venv() -> bool {
    which("python3").is_some_and(|python| {
        output(&mut program(&python, &["-c", "import ensurepip, venv"])).is_ok()
    })
}
