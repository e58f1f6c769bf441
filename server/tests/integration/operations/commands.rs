//! The binary's subcommands, each run to its exit in a process of its own.
//!
//! A little more than 300 lines: a test for each command.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use crate::support::binary::vidence;
use crate::support::certificate::CertificateFiles;
use crate::support::{Server, on_each_storage};
use test_support::stores::bucket::Bucket;

/// A key of receipts, as `openssl genpkey -algorithm ed25519` makes it.
const RECEIPT_KEY: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
";

on_each_storage! {
    the_openapi_command_prints_the_served_document
}

async fn the_openapi_command_prints_the_served_document(server: Server) {
    let served = server.get("/v1/openapi.json").await;
    let served = served.text().await.expect("a document");
    let arguments = ["openapi", "--public-url", &server.base];
    let printed = vidence(&arguments, &[]).await.success();
    assert_eq!(printed, served);
    let document: Value = serde_json::from_str(&served).expect("JSON");
    assert_eq!(document["info"]["version"], "1.0.0");
}

#[tokio::test]
async fn bash_completes_a_command_with_the_printed_script() {
    let script = vidence(&["completions", "bash"], &[]).await.success();
    let complete = "COMP_WORDS=(vidence open) COMP_CWORD=1; _vidence vidence open vidence; echo ${COMPREPLY[@]}";
    let mut bash = tokio::process::Command::new("bash");
    bash.args(["--noprofile", "--norc", "-c"])
        .arg(format!("{script}\n{complete}"));
    let completed = bash.output().await.expect("bash");
    assert_eq!(String::from_utf8_lossy(&completed.stdout), "openapi\n");
}

#[tokio::test]
async fn the_manual_has_a_page_for_each_command_and_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path");
    let secret = (
        "VIDENCE_DATABASE_URL",
        "postgres://hunter2@db/vidence".to_owned(),
    );
    vidence(&["man", path], &[secret]).await.success();
    let page = |name: &str| {
        let file = folder.path().join(name);
        fs::read_to_string(&file).unwrap_or_else(|_| panic!("{name} is missing"))
    };
    let first = page("vidence.1");
    for command in [
        "ask",
        "check",
        "completions",
        "config",
        "man",
        "migrate",
        "openapi",
        "ready",
        "reports",
        "serve",
        "takedown",
        "top",
        "verify",
    ] {
        assert!(
            first.contains(&format!("vidence\\-{command}(1)")),
            "{command}"
        );
        let text = page(&format!("vidence-{command}.1"));
        assert!(!text.contains("hunter2"), "{text}");
    }
    assert!(page("vidence-serve.1").contains("VIDENCE_PUBLIC_URL"));
    vidence(&["man", "/nonexistent"], &[]).await.failure(1);
}

#[tokio::test]
async fn the_config_command_shows_sources_and_redacts_secrets() {
    let variables = [
        (
            "VIDENCE_DATABASE_URL",
            "postgres://vidence:hunter2@db.example.org/vidence".to_owned(),
        ),
        ("AWS_SECRET_ACCESS_KEY", "hunter2".to_owned()),
        ("AWS_ACCESS_KEY_ID", "hunter2".to_owned()),
        ("AWS_SESSION_TOKEN", "hunter2".to_owned()),
        ("AWS_ENDPOINT_URL", "http://u:hunter2@s3:9000".to_owned()),
        ("AWS_ENDPOINT", "http://s3:9000".to_owned()),
        ("VIDENCE_READ_LIMIT", "off".to_owned()),
    ];
    let arguments = ["config", "--max-takes", "3"];
    let printed = vidence(&arguments, &variables).await.success();
    assert!(!printed.contains("hunter2"), "{printed}");
    for (name, value, from) in [
        ("--max-takes", "3", "(flag)"),
        ("--read-limit", "off", "(environment)"),
        (
            "--database-url",
            "postgres://***@db.example.org/vidence",
            "(environment)",
        ),
        ("--listen", "127.0.0.1:3000", "(default)"),
        ("--contact", "(not set)", "(default)"),
        ("AWS_SECRET_ACCESS_KEY", "***", "(environment)"),
        ("AWS_SESSION_TOKEN", "***", "(environment)"),
        ("AWS_ENDPOINT", "http://s3:9000", "(environment)"),
    ] {
        let mut lines = printed.lines();
        let line = lines.find(|it| it.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("no {name} in {printed}"));
        assert!(line.contains(value) && line.ends_with(from), "{line}");
    }
}

#[tokio::test]
async fn the_config_command_checks_settings_before_a_restart() {
    let check = ["config", "--check"];
    let fine = vidence(&check, &[]).await.success();
    assert_eq!(fine, "The settings can be used.\n");
    let doubtful = [
        ("VIDENCE_MAX_TAKE", "3".to_owned()),
        (
            "VIDENCE_PUBLIC_URL",
            "http://evidence.example.org".to_owned(),
        ),
    ];
    let doubtful = vidence(&check, &doubtful).await.success();
    for text in [
        "warning: VIDENCE_MAX_TAKE ",
        "warning: --public-url",
        "can be used",
    ] {
        assert!(doubtful.contains(text), "{doubtful}");
    }
    let certificate = [
        ("VIDENCE_TLS_CERT", "/nowhere.pem".to_owned()),
        ("VIDENCE_TLS_KEY", "/nowhere.pem".to_owned()),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("empty.pem").display().to_string();
    fs::write(&empty, "").expect("a file");
    let data = folder.path().join("data").display().to_string();
    let database = |roots: &str| {
        let url = format!("postgres://u@db/n?sslmode=verify-full&sslrootcert={roots}");
        [
            ("VIDENCE_DATABASE_URL", url),
            ("VIDENCE_DATA_DIR", data.clone()),
            ("VIDENCE_LISTEN", "127.0.0.1:0".to_owned()),
        ]
    };
    let (no_roots, empty_roots) = (database("/nowhere.pem"), database(&empty));
    let listen = [("VIDENCE_LISTEN", "0.0.0.0:3000".to_owned())];
    let takes = [("VIDENCE_MAX_TAKES", "many".to_owned())];
    for (wrong, text) in [
        (&certificate[..], "/nowhere.pem"),
        (&no_roots, "/nowhere.pem"),
        (&empty_roots, "holds no certificate"),
        (&listen, "--public-url"),
        (&takes, "--max-takes"),
    ] {
        // A server ends with the same status, which systemd doesn't restart.
        for arguments in [&check[..], &[]] {
            let complaint = vidence(arguments, wrong).await.failure(2);
            assert!(complaint.contains(text), "{complaint}");
        }
    }
}

#[tokio::test]
async fn the_config_command_doubts_certificates_and_keys() {
    let expired = CertificateFiles::valid_until(2020);
    let folder = tempfile::tempdir().expect("a folder");
    let receipt_key = folder.path().join("receipt-key.pem");
    fs::write(&receipt_key, RECEIPT_KEY).expect("a file");
    fs::set_permissions(&receipt_key, Permissions::from_mode(0o644)).expect("permissions");
    let settings = [
        (
            "VIDENCE_TLS_CERT",
            expired.certificate().display().to_string(),
        ),
        ("VIDENCE_TLS_KEY", expired.key().display().to_string()),
        (
            "VIDENCE_PUBLIC_URL",
            "https://evidence.example.org".to_owned(),
        ),
        ("VIDENCE_RECEIPT_KEY", receipt_key.display().to_string()),
    ];
    let doubtful = vidence(&["config", "--check"], &settings).await.success();
    for text in [
        "warning: the certificate has expired",
        "warning: the certificate isn't one of evidence.example.org",
        "warning: others than its owner",
        "can be used",
    ] {
        assert!(doubtful.contains(text), "{text}: {doubtful}");
    }
    let own = CertificateFiles::new();
    let settings = [
        ("VIDENCE_TLS_CERT", own.certificate().display().to_string()),
        ("VIDENCE_TLS_KEY", own.key().display().to_string()),
        ("VIDENCE_PUBLIC_URL", "https://127.0.0.1".to_owned()),
    ];
    let fine = vidence(&["config", "--check"], &settings).await.success();
    assert_eq!(fine, "The settings can be used.\n");
}

#[tokio::test]
async fn a_secret_may_be_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("a file");
        file.display().to_string()
    };
    let url = "postgres://vidence:hunter2@db.example.org/vidence";
    let file = write("url", &format!("{url}\n"));
    let by_file = ("VIDENCE_DATABASE_URL_FILE", file);
    let printed = vidence(&["config"], std::slice::from_ref(&by_file))
        .await
        .success();
    let mut lines = printed.lines();
    let line = lines.find(|it| it.starts_with("--database-url "));
    let line = line.expect("the setting");
    assert!(
        line.contains("postgres://***@db.example.org/vidence"),
        "{line}"
    );
    assert!(line.ends_with("(file)"), "{line}");
    let both = [by_file, ("VIDENCE_DATABASE_URL", url.to_owned())];
    let key = ("AWS_ACCESS_KEY_ID_FILE", write("key", "id"));
    let aws = [key, ("AWS_ACCESS_KEY_ID", "id".to_owned())];
    let two_lines = write("lines", "hunter2\nhunter2\n");
    let two_lines = [("VIDENCE_DATABASE_URL_FILE", two_lines)];
    let invalid = write("invalid", "hunter2");
    let invalid = [("VIDENCE_DATABASE_URL_FILE", invalid)];
    // The secret itself, by mistake.
    let nowhere = [("VIDENCE_DATABASE_URL_FILE", url.to_owned())];
    for (wrong, text) in [
        (
            &both[..],
            "VIDENCE_DATABASE_URL and VIDENCE_DATABASE_URL_FILE are both set",
        ),
        (
            &aws,
            "AWS_ACCESS_KEY_ID and AWS_ACCESS_KEY_ID_FILE are both set",
        ),
        (&two_lines, "must have one line"),
        (&invalid, "--database-url"),
        (
            &nowhere,
            "the file of VIDENCE_DATABASE_URL_FILE can't be read",
        ),
    ] {
        for command in ["serve", "check", "config"] {
            let output = vidence(&[command], wrong).await;
            let complaint = output.failure(2);
            assert!(complaint.contains(text), "{complaint}");
            assert!(!complaint.contains("hunter2"), "{complaint}");
        }
    }
    // What needs no store needs no secret of one.
    vidence(&["openapi"], &nowhere).await.success();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_of_a_bucket_may_be_in_files() {
    let bucket = Bucket::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut variables = bucket.env().to_vec();
    variables.push(("VIDENCE_BLOB_URL", bucket.url()));
    for (name, file) in [
        ("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID_FILE"),
        ("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY_FILE"),
    ] {
        let at = variables.iter().position(|it| it.0 == name);
        let (_, value) = variables.remove(at.expect("a variable"));
        let path = folder.path().join(name);
        fs::write(&path, value).expect("a file");
        variables.push((file, path.display().to_string()));
    }
    let data = folder.path().join("data").display().to_string();
    variables.push(("VIDENCE_DATA_DIR", data));
    vidence(&["migrate"], &variables).await.success();
    let output = vidence(&["check"], &variables).await.success();
    assert!(output.contains("clean"), "{output}");
}

#[tokio::test]
async fn an_invalid_setting_is_named_without_its_secret() {
    let database = ("VIDENCE_DATABASE_URL", "--database-url");
    let blobs = ("VIDENCE_BLOB_URL", "--blob-url");
    for ((variable, flag), value) in [
        (database, "postgress://u:hunter2@h/n"),
        (database, "u:hunter2@h/n"),
        (database, "postgres://u:hunter2@h:port/n"),
        (database, "postgres://u:hunter2?x@h/n?sslmode=require"),
        (
            database,
            "postgres://u:hunter2@h/n?sslmode=require&sslmode=disable",
        ),
        (blobs, "s3://key:hunter2@bucket"),
        (blobs, "key:hunter2@bucket"),
    ] {
        for command in ["check", "reports", "config"] {
            let by_variable = vidence(&[command], &[(variable, value.to_owned())]).await;
            let by_flag = vidence(&[command, flag, value], &[]).await;
            for output in [by_variable, by_flag] {
                assert!(!output.stderr.contains("hunter2"), "{output:?}");
                assert!(!output.stdout.contains("hunter2"), "{output:?}");
                let complaint = output.failure(2);
                assert!(complaint.contains(flag), "{complaint}");
                assert!(complaint.contains("give it as"), "{complaint}");
            }
        }
    }
    let complaint = vidence(&["serve", "--log", "verbose"], &[])
        .await
        .failure(2);
    assert!(
        complaint.contains("off, error, warn, info, debug, trace"),
        "{complaint}"
    );
    // Values that are no secrets are shown.
    let complaint = vidence(&["serve", "--listen", "nowhere"], &[]).await;
    assert!(complaint.failure(2).contains("'nowhere'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_and_takedown_commands_need_only_the_store_settings() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let mut variables = server.environment();
    variables.push(("VIDENCE_PRIVACY", "/nowhere".to_owned()));
    variables.push(("VIDENCE_CREATE_LIMIT", "often".to_owned()));
    let output = vidence(&["reports"], &variables).await.success();
    assert_eq!(output, "No reports.\n");
    let output = vidence(&["takedown", creator.id()], &variables).await;
    assert!(output.success().contains("Taken down."));
}
