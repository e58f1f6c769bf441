//! A decoder that a video has taken over, played by a script in ffmpeg's place.

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

use crate::fixtures::*;

/// What ffmpeg would say: one white pixel.
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

async fn run(lines: &str, frames: usize) -> (Result<Vec<Still>, NoStills>, Duration) {
    run_within(TimeLimits::default(), lines, frames).await
}

async fn run_within(
    time_limits: TimeLimits,
    lines: &str,
    frames: usize,
) -> (Result<Vec<Still>, NoStills>, Duration) {
    let _alone = alone().await;
    let script = script(lines);
    let track = track(Codec::Vp9, &[], Rotation::None);
    let began = Instant::now();
    let made = make(
        &decoders(Some(script.path.clone())).with_time_limits(time_limits),
        &track,
        timed(&vec![VP9; frames]),
    )
    .await;
    assert_eq!(running(), [""; 0], "nothing is left running");
    (made, began.elapsed())
}

/// The same script, unconfined: what it tries would work.
async fn at_large(lines: &str) -> bool {
    let _alone = alone().await;
    let script = script(lines);
    let status = Command::new(&script.path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.expect("bash").success()
}

#[tokio::test]
async fn a_script_that_does_as_ffmpeg_does_is_taken_for_it() {
    let (made, _) = run(PICTURE, 2).await;
    assert_eq!(made.expect("pictures").len(), 2);
}

#[tokio::test]
async fn one_that_hangs_is_ended_in_time() {
    let time_limits = TimeLimits {
        video: Duration::from_secs(2),
        child: Duration::from_millis(800),
        keyframe: Duration::from_millis(400),
        finish: Duration::from_millis(300),
    };
    for (hanging, frames) in [("exec sleep 1000", 1), ("while :; do :; done", 12)] {
        let (made, took) = run_within(time_limits, hanging, frames).await;
        assert!(matches!(made, Err(NoStills::TimedOut)), "{made:?}");
        // Less than a single one without limits of its own.
        assert!(took < TimeLimits::default().keyframe, "{took:?}");
    }
}

#[tokio::test]
async fn one_that_talks_without_end_is_ended_at_once() {
    let (made, took) = run("exec yes", 2).await;
    assert!(matches!(made, Err(NoStills::Nonsense)), "{made:?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[tokio::test]
async fn one_that_crashes_or_says_nothing_is_no_decoder() {
    let (made, _) = run("exit 3", 2).await;
    assert!(matches!(made, Err(NoStills::Died)), "{made:?}");
    let (made, _) = run("exit 0", 2).await;
    assert!(matches!(made, Err(NoStills::Unreadable)), "{made:?}");
    let (made, _) = run(r"printf 'P6\n9999 9999\n255\n'", 2).await;
    assert!(matches!(made, Err(NoStills::TooLarge)), "{made:?}");
    let (made, _) = run("echo 'P6 and so on'", 2).await;
    assert!(matches!(made, Err(NoStills::Unreadable)), "{made:?}");
}

#[tokio::test]
async fn it_cannot_begin_a_process() {
    let forks = "trap '' EXIT; sleep 0 && exit 0; exit 1";
    assert!(at_large(forks).await);
    let (made, _) = run(forks, 1).await;
    assert!(matches!(made, Err(NoStills::Died)), "{made:?}");
    // One that stays behind, with the pipe in its hand.
    let (made, took) = run("sleep 1000 & exit 0", 1).await;
    assert!(made.is_err(), "{made:?}");
    assert!(took < Duration::from_secs(8), "{took:?}");
}

#[tokio::test]
async fn it_cannot_open_a_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    // Succeeds, and is a picture, only if the attempt succeeds.
    let attempt = format!("{{ :; }} 3<>/dev/tcp/127.0.0.1/{port} && {PICTURE}");
    assert!(at_large(&attempt).await);
    let (made, _) = run(&attempt, 1).await;
    made.expect_err("no connection");
    listener.accept().expect("the one at large");
    listener.set_nonblocking(true).expect("a listener");
    listener.accept().expect_err("nobody else came");
}

#[tokio::test]
async fn it_can_neither_write_nor_make_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("permissions");
    let (there, new) = (folder.path().join("there"), folder.path().join("new"));
    fs::write(&there, "as it was").expect("a file");
    for target in [&there, &new] {
        let attempt = format!("{{ echo gone; }} > {} && {PICTURE}", target.display());
        let (made, _) = run(&attempt, 1).await;
        made.expect_err("nothing written");
    }
    assert_eq!(fs::read_to_string(&there).expect("a file"), "as it was");
    assert!(!new.exists());
    assert!(at_large(&format!("echo x > {}", new.display())).await);
}

/// What Landlock is for; a kernel without it lets this pass.
#[tokio::test]
async fn it_cannot_read_what_is_not_a_program() {
    let program = format!("{{ :; }} < /usr/bin/env && {PICTURE}");
    let (made, _) = run(&program, 1).await;
    assert_eq!(made.expect("a program is read").len(), 1);
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
        assert!(at_large(&attempt).await);
        let (made, _) = run(&attempt, 1).await;
        if has_landlock() {
            made.expect_err("nothing read");
        }
    }
}

fn has_landlock() -> bool {
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = strict.handle_access(AccessFs::ReadFile);
    rules.and_then(Ruleset::create).is_ok()
}

#[tokio::test]
async fn it_is_given_neither_environment_nor_files_nor_a_place() {
    let file = fs::File::open("/etc/hostname").expect("a file");
    // Unlike what Rust opens, it would be inherited.
    let left_open = rustix::io::dup(&file).expect("a descriptor");
    let finds_it = format!("{{ :; }} <&{}", left_open.as_raw_fd());
    assert!(at_large(&finds_it).await);
    let attempt = format!(
        "{finds_it} && exit 1\n[ -z \"$CARGO_MANIFEST_DIR$CARGO_PKG_NAME\" ] && [ \"$PWD\" = / ] && {PICTURE}"
    );
    let (made, _) = run(&attempt, 1).await;
    made.expect("nothing was there");
}

/// Sends nothing, so that the child waits for its request: confined by then.
#[tokio::test]
async fn the_built_in_decoders_run_under_the_filter_and_the_limits() {
    let _alone = alone().await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .arg("decode-stills")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("a child");
    let about = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
    let began = Instant::now();
    let status = loop {
        let status = about("status").expect("its status");
        if status.contains("Seccomp:\t2") || began.elapsed() > Duration::from_secs(5) {
            break status;
        }
        std::thread::yield_now();
    };
    assert!(status.contains("Seccomp:\t2"), "{status}");
    assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    assert!(status.contains("Threads:\t1"), "{status}");
    let limits = about("limits").expect("its limits");
    for (name, most) in [
        ("Max open files", "0"),
        ("Max processes", "0"),
        ("Max file size", "0"),
        ("Max core file size", "0"),
        ("Max address space", "1073741824"),
        ("Max cpu time", "10"),
    ] {
        let line = limits.lines().find_map(|line| line.strip_prefix(name));
        let fields: Vec<&str> = line.expect(name).split_whitespace().collect();
        assert_eq!(fields[..2], [most, most], "{name}");
    }
    drop(child.stdin.take());
    assert_eq!(
        child.wait().expect("an end").code(),
        Some(1),
        "no request came"
    );
}
