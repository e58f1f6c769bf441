//! The binary itself: addresses, certificates and signals.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;

use reqwest::{Client, StatusCode};
use rustix::process::Signal;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use crate::support::certificate::CertificateFiles;
use crate::support::process::ServerProcess;
use crate::support::scrape::Scrape;
use test_support::servers::node::free_address;

/// The status of a server whose settings can't work, which is clap's for invalid arguments.
const MISCONFIGURED: i32 = 2;

#[tokio::test]
async fn a_public_listener_requires_a_public_url() {
    let mut server = ServerProcess::start(&["--listen", "0.0.0.0:0"]);
    let (status, stderr) = server.wait().await;
    assert_eq!(status.code(), Some(MISCONFIGURED));
    assert!(stderr.contains("--public-url https://"), "{stderr}");
    assert!(stderr.contains("--lan"), "{stderr}");
    assert!(!server.data_dir().exists());
}

/// A proxy would wait at it instead of asking another node.
#[tokio::test]
async fn no_connection_is_taken_before_the_stores_are_open() {
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let database = silent.local_addr().expect("an address");
    let database = format!("postgres://u@{database}/n?sslmode=disable");
    let address = free_address();
    let listen = ["--listen", &address.to_string()];
    let _server = ServerProcess::start_with(&listen, &[("VIDENCE_DATABASE_URL", database)]);
    let _opening = silent.accept().await.expect("the server");
    let refused = TcpStream::connect(address).await.expect_err("too early");
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn a_certificate_without_its_key_is_refused() {
    let mut server = ServerProcess::start(&["--tls-cert", "certificate.pem"]);
    let (status, stderr) = server.wait().await;
    assert_eq!(status.code(), Some(MISCONFIGURED));
    assert!(stderr.contains("--tls-key"), "{stderr}");
}

/// A supervisor restarts a server that ended with 1, and leaves alone one whose settings can't work.
#[tokio::test]
async fn only_a_wrong_setting_ends_with_status_2() {
    let holder = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let taken = holder.local_addr().expect("an address").to_string();
    let free = ["--listen", "127.0.0.1:0"];
    let nowhere = ["--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.pem"];
    let half_a_key = ("AWS_ACCESS_KEY_ID", "id".to_owned());
    let bucket = [&free[..], &["--blob-url", "s3://evidence"]].concat();
    for (flags, variables, code, text) in [
        (
            &["--listen", "nowhere"][..],
            vec![],
            MISCONFIGURED,
            "--listen",
        ),
        (
            &[&free[..], &nowhere].concat(),
            vec![],
            MISCONFIGURED,
            "/nowhere.pem",
        ),
        (
            &[&free[..], &["--receipt-key", "/nowhere.pem"]].concat(),
            vec![],
            MISCONFIGURED,
            "/nowhere.pem",
        ),
        (
            &[&free[..], &["--ffmpeg", "/nowhere/ffmpeg"]].concat(),
            vec![],
            MISCONFIGURED,
            "/nowhere/ffmpeg is no program",
        ),
        (
            &bucket,
            vec![half_a_key],
            MISCONFIGURED,
            "AWS_SECRET_ACCESS_KEY",
        ),
        (&["--listen", &taken], vec![], 1, "can't listen on"),
    ] {
        let mut server = ServerProcess::start_with(flags, &variables);
        let (status, stderr) = server.wait().await;
        assert_eq!(status.code(), Some(code), "{flags:?}: {stderr}");
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[tokio::test]
async fn doubtful_settings_and_unknown_variables_are_logged_at_the_start() {
    let flags = ["--listen", "127.0.0.1:0", "--max-video-bytes", "3GiB"];
    let variables = [("VIDENCE_MAX_TAKE", "3".to_owned())];
    let mut server = ServerProcess::start_with(&flags, &variables);
    let line = server.wait_for_line("VIDENCE_MAX_TAKE ").await;
    assert!(line.contains("is it VIDENCE_MAX_TAKES?"), "{line}");
    assert!(line.contains("WARN"), "{line}");
    server.wait_for_line("--max-request-bytes").await;
    server.address().await;
}

#[tokio::test]
async fn a_crash_of_the_server_leaves_no_core_dump() {
    let mut server = ServerProcess::start(&["--listen", "127.0.0.1:0"]);
    server.address().await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id()));
    let limits = limits.expect("a process");
    let line = limits
        .lines()
        .find(|it| it.starts_with("Max core file size"));
    let soft = line.and_then(|it| it.split_whitespace().nth(4));
    assert_eq!(soft, Some("0"), "{limits}");
}

#[tokio::test]
async fn sighup_without_a_certificate_is_ignored() {
    let mut server = ServerProcess::start(&["--listen", "127.0.0.1:0"]);
    let address = server.address().await;
    server.signal(Signal::HUP);
    server.wait_for_line("no certificate to read again").await;
    let answer = reqwest::get(format!("{address}/healthz")).await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    server.signal(Signal::TERM);
    server.wait_for_line("stopped").await;
    let (status, _) = server.wait().await;
    assert!(status.success());
}

#[tokio::test]
async fn sighup_reloads_the_certificate() {
    let expiry = "vidence_certificate_expiry_timestamp_seconds";
    let (files, second) = (
        CertificateFiles::valid_until(2096),
        CertificateFiles::valid_until(2097),
    );
    let admin = free_address().to_string();
    let (certificate, key) = (files.certificate(), files.key());
    let mut server = ServerProcess::start(&[
        "--listen",
        "127.0.0.1:0",
        "--tls-cert",
        certificate.to_str().expect("UTF-8"),
        "--tls-key",
        key.to_str().expect("UTF-8"),
        "--admin-listen",
        &admin,
    ]);
    let address = server.address().await;
    let scrape = async || {
        let metrics = reqwest::get(format!("http://{admin}/metrics")).await;
        let text = metrics.expect("an answer").text().await.expect("text");
        Scrape::parse(&text)
    };
    let request_health =
        async |client: Client| client.get(format!("{address}/healthz")).send().await;
    assert!(request_health(files.client()).await.is_ok());
    files.copy_from(&second);
    assert!(
        request_health(second.client()).await.is_err(),
        "before the reload"
    );
    assert_eq!(scrape().await.value(expiry, &[]), Some(3_976_214_400.0));
    server.signal(Signal::HUP);
    server.wait_for_line("reloaded the certificate").await;
    let answer = request_health(second.client()).await;
    assert_eq!(answer.expect("the new one").status(), StatusCode::OK);
    assert_eq!(scrape().await.value(expiry, &[]), Some(4_007_836_800.0));
}

#[tokio::test]
async fn lan_mode_makes_a_certificate_and_prints_a_qr_code() {
    let mut server = ServerProcess::start(&["--lan", "--listen", "127.0.0.1:0"]);
    let address = server.address().await;
    assert!(address.starts_with("https://"), "{address}");
    server.wait_for_line("█").await;
    let client = server.client_trusting_certificate();
    let answer = client.get(&address).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.text().await.expect("a page").contains("Vidence"));
}

/// The journal takes the priority of a line from its beginning, and removes it.
#[tokio::test]
async fn lines_that_the_journal_reads_begin_with_their_priority() {
    let folder = tempfile::tempdir().expect("a folder");
    let holder = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let taken = holder.local_addr().expect("an address").to_string();
    for (is_journal, format) in [(true, "json"), (true, "text"), (false, "json")] {
        let path = folder.path().join(format!("{is_journal}-{format}"));
        let file = File::create(&path).expect("a file");
        let about = file.metadata().expect("metadata");
        let inode = about.ino() + u64::from(!is_journal);
        // It logs a warning, and ends because its port is taken.
        let command = Command::new(env!("CARGO_BIN_EXE_vidence"))
            .args(["--listen", &taken, "--log-format", format])
            .env("VIDENCE_MAX_TAKE", "3")
            .env("JOURNAL_STREAM", format!("{}:{inode}", about.dev()))
            .env_remove("VIDENCE_LOG")
            .current_dir(folder.path())
            .stdout(file.try_clone().expect("a file"))
            .stderr(file)
            .status()
            .await;
        assert_eq!(command.expect("the binary").code(), Some(1));
        let log = std::fs::read_to_string(&path).expect("a log");
        let lines: Vec<_> = log.lines().collect();
        assert!(
            lines.iter().any(|it| it.contains("VIDENCE_MAX_TAKE ")),
            "{log}"
        );
        let warnings = lines.iter().filter(|it| it.contains("WARN"));
        assert!(warnings.clone().count() > 0, "{log}");
        for line in warnings {
            assert_eq!(line.starts_with("<4>"), is_journal, "{line}");
        }
        // Why it ended, on the standard error.
        let why = lines.iter().find(|it| it.contains("Error: can't listen"));
        let why = why.expect("a reason");
        assert_eq!(why.starts_with("<3>"), is_journal, "{why}");
    }
}

/// Likewise what is wrong with the settings, and not the help.
#[tokio::test]
async fn an_error_of_a_setting_has_its_priority_in_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    for (argument, status) in [("--no-such-setting", MISCONFIGURED), ("--help", 0)] {
        let path = folder.path().join(argument);
        let file = File::create(&path).expect("a file");
        let about = file.metadata().expect("metadata");
        let command = Command::new(env!("CARGO_BIN_EXE_vidence"))
            .arg(argument)
            .env_clear()
            .env("JOURNAL_STREAM", format!("{}:{}", about.dev(), about.ino()))
            .stdout(file.try_clone().expect("a file"))
            .stderr(file)
            .status()
            .await;
        assert_eq!(command.expect("the binary").code(), Some(status));
        let said = std::fs::read_to_string(&path).expect("text");
        let is_error = status != 0;
        assert!(said.contains(argument.trim_start_matches('-')), "{said}");
        assert!(
            said.lines().all(|it| it.starts_with("<3>") == is_error),
            "{said}"
        );
    }
}

#[tokio::test]
async fn a_banner_is_printed_beside_a_log_of_text_and_is_a_line_of_a_log_of_json() {
    for (format, is_printed) in [("text", true), ("json", false)] {
        let flags = ["--listen", "127.0.0.1:0", "--log-format", format];
        let mut server = ServerProcess::start_with(&flags, &[]);
        server.address().await;
        if !is_printed {
            // What the banner says, for readers of the journal.
            let line = server.wait_for_line("\"serving\"").await;
            let facts: Value = serde_json::from_str(&line).expect("JSON");
            for fact in ["version", "listens_on", "videos", "limits", "pictures"] {
                assert!(facts[fact].is_string(), "{fact}: {line}");
            }
            let database = facts["database"].as_str();
            assert!(
                database.is_some_and(|it| it.ends_with("vidence.db")),
                "{line}"
            );
        }
        server.signal(Signal::TERM);
        let (status, stderr) = server.wait().await;
        assert!(status.success());
        assert_eq!(stderr.contains("vidence.db"), is_printed, "{stderr}");
        assert!(is_printed || stderr.is_empty(), "{stderr}");
    }
}
