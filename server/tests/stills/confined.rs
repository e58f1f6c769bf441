//! The sandbox of the decoder process, tested with scripts in ffmpeg's place: a decoder that a video has taken over.

use std::fs;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use landlock::{AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
use media::{Codec, Rotation};
use stills::{NoStills, Still, TimeLimits, make};
use tempfile::TempDir;
use test_support::scale::TIMEOUT;
use tokio::time::timeout;

use crate::fixtures::*;

/// Prints a picture as ffmpeg does: one white pixel.
const PICTURE: &str = r"printf 'P6\n1 1\n255\n\377\377\377'";

struct Script {
    _folder: TempDir,
    path: PathBuf,
}

fn script(lines: &str) -> Script {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ffmpeg");
    fs::write(&path, format!("#!/bin/bash\n{lines}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    Script {
        _folder: folder,
        path,
    }
}

/// Limits that no run reaches: one that ends has another reason to.
const ENDLESS: TimeLimits = TimeLimits {
    video: TIMEOUT.saturating_mul(4),
    child: TIMEOUT.saturating_mul(2),
    keyframe: TIMEOUT.saturating_mul(2),
    finish: TIMEOUT.saturating_mul(2),
};

async fn run(lines: &str, frames: usize) -> Result<Vec<Still>, NoStills> {
    run_within(ENDLESS, lines, frames).await
}

async fn run_within(
    time_limits: TimeLimits,
    lines: &str,
    frames: usize,
) -> Result<Vec<Still>, NoStills> {
    let _exclusive = exclusive().await;
    let script = script(lines);
    let track = track(Codec::Vp9, &[], Rotation::None);
    let decoders = decoders(Some(script.path.clone())).with_time_limits(time_limits);
    let made = make(&decoders, &track, at_seconds(&vec![VP9; frames]));
    let result = timeout(TIMEOUT, made).await.expect("it ends in time");
    assert_eq!(child_processes(), [""; 0], "nothing is left running");
    result
}

/// Runs the same script without the sandbox, where its attempt succeeds.
async fn run_unconfined(lines: &str) -> bool {
    let _exclusive = exclusive().await;
    let script = script(lines);
    let status = Command::new(&script.path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.expect("bash").success()
}

#[tokio::test]
async fn a_script_can_stand_in_for_ffmpeg() {
    let result = run(PICTURE, 2).await;
    assert_eq!(result.expect("pictures").len(), 2);
}

#[tokio::test]
async fn a_hanging_decoder_is_killed_at_its_time_limit() {
    // Each limit alone.
    let one = TimeLimits {
        keyframe: Duration::from_millis(400),
        ..ENDLESS
    };
    let all = TimeLimits {
        video: ENDLESS.finish + Duration::from_secs(2),
        ..ENDLESS
    };
    for (time_limits, hanging, frames) in [
        (one, "exec sleep 1000", 1),
        (all, "while :; do :; done", 12),
    ] {
        let result = run_within(time_limits, hanging, frames).await;
        assert!(matches!(result, Err(NoStills::TimedOut)), "{result:?}");
    }
}

#[tokio::test]
async fn a_decoder_with_endless_output_is_killed() {
    let result = run("exec yes", 2).await;
    assert!(matches!(result, Err(NoStills::InvalidOutput)), "{result:?}");
}

#[tokio::test]
async fn a_crashed_or_silent_decoder_is_an_error() {
    let result = run("exit 3", 2).await;
    assert!(matches!(result, Err(NoStills::Crashed)), "{result:?}");
    let result = run("exit 0", 2).await;
    assert!(matches!(result, Err(NoStills::Undecodable)), "{result:?}");
    let result = run(r"printf 'P6\n9999 9999\n255\n'", 2).await;
    assert!(matches!(result, Err(NoStills::TooLarge)), "{result:?}");
    let result = run("echo 'P6 and so on'", 2).await;
    assert!(matches!(result, Err(NoStills::Undecodable)), "{result:?}");
}

#[tokio::test]
async fn a_decoder_cannot_start_a_process() {
    let forks = "trap '' EXIT; sleep 0 && exit 0; exit 1";
    assert!(run_unconfined(forks).await);
    let result = run(forks, 1).await;
    assert!(matches!(result, Err(NoStills::Crashed)), "{result:?}");
    // A child that stays behind and holds the pipe open.
    let result = run("sleep 1000 & exit 0", 1).await;
    assert!(result.is_err(), "{result:?}");
}

#[tokio::test]
async fn a_decoder_cannot_open_a_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    // Prints a picture only if the connection succeeds.
    let attempt = format!("{{ :; }} 3<>/dev/tcp/127.0.0.1/{port} && {PICTURE}");
    assert!(run_unconfined(&attempt).await);
    let result = run(&attempt, 1).await;
    result.expect_err("no connection");
    listener.accept().expect("the one at large");
    listener.set_nonblocking(true).expect("a listener");
    listener.accept().expect_err("no other connection");
}

#[tokio::test]
async fn a_decoder_can_neither_write_nor_create_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("permissions");
    let (existing, new) = (folder.path().join("there"), folder.path().join("new"));
    fs::write(&existing, "as it was").expect("a file");
    for target in [&existing, &new] {
        let attempt = format!("{{ echo gone; }} > {} && {PICTURE}", target.display());
        let result = run(&attempt, 1).await;
        result.expect_err("nothing written");
    }
    assert_eq!(fs::read_to_string(&existing).expect("a file"), "as it was");
    assert!(!new.exists());
    assert!(run_unconfined(&format!("echo x > {}", new.display())).await);
}

/// Landlock denies this; a kernel without it allows it.
#[tokio::test]
async fn a_decoder_cannot_read_files_other_than_programs() {
    let program = format!("{{ :; }} < /usr/bin/env && {PICTURE}");
    let result = run(&program, 1).await;
    assert_eq!(result.expect("a program is read").len(), 1);
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret\n").expect("a file");
    let parent = std::process::id();
    let environment = format!("/proc/{parent}/environ");
    for file in [
        secret.as_path(),
        Path::new(&environment),
        Path::new("/etc/passwd"),
    ] {
        let attempt = format!("{{ :; }} < {} && {PICTURE}", file.display());
        assert!(run_unconfined(&attempt).await);
        let result = run(&attempt, 1).await;
        if has_landlock() {
            result.expect_err("nothing read");
        }
    }
}

fn has_landlock() -> bool {
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = strict.handle_access(AccessFs::ReadFile);
    rules.and_then(Ruleset::create).is_ok()
}

#[tokio::test]
async fn a_decoder_inherits_no_environment_descriptor_or_folder() {
    let file = fs::File::open("/etc/hostname").expect("a file");
    // Unlike descriptors that Rust opens, it is inherited.
    let left_open = rustix::io::dup(&file).expect("a descriptor");
    let finds_it = format!("{{ :; }} <&{}", left_open.as_raw_fd());
    assert!(run_unconfined(&finds_it).await);
    let attempt = format!(
        "{finds_it} && exit 1\n[ -z \"$CARGO_MANIFEST_DIR$CARGO_PKG_NAME\" ] && [ \"$PWD\" = / ] && {PICTURE}"
    );
    let result = run(&attempt, 1).await;
    result.expect("no descriptor, variable or folder");
}

/// Without a request the child waits, and is confined by then.
#[tokio::test]
async fn built_in_decoders_run_under_seccomp_and_resource_limits() {
    let _exclusive = exclusive().await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .arg("decode-stills")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("a child");
    let proc_file = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
    let start = Instant::now();
    let status = loop {
        let status = proc_file("status").expect("its status");
        if status.contains("Seccomp:\t2") || start.elapsed() > TIMEOUT {
            break status;
        }
        std::thread::yield_now();
    };
    assert!(status.contains("Seccomp:\t2"), "{status}");
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    assert!(status.contains("Threads:\t1"), "{status}");
    let limits = proc_file("limits").expect("its limits");
    for (name, limit) in [
        ("Max open files", "0"),
        ("Max processes", "0"),
        ("Max file size", "0"),
        ("Max core file size", "0"),
        ("Max address space", "1073741824"),
        ("Max cpu time", "10"),
    ] {
        let line = limits.lines().find_map(|line| line.strip_prefix(name));
        let fields: Vec<&str> = line.expect(name).split_whitespace().collect();
        assert_eq!(fields[..2], [limit, limit], "{name}");
    }
    drop(child.stdin.take());
    assert_eq!(
        child.wait().expect("an end").code(),
        Some(1),
        "no request came"
    );
}
