//! An error of a setting names the remedy, and ends with the status that tells whether a restart can help.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use axum::Router;
use axum::http::StatusCode;
use tokio::net::TcpListener;
use tokio::process::Command;

use crate::support::process::ServerProcess;

/// The paths are whole: which folder the command was called in may be the mistake.
#[tokio::test]
async fn a_command_without_its_database_names_the_file_and_the_flag() {
    let folder = tempfile::tempdir().expect("a folder");
    let called = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .arg("reports")
        .current_dir(folder.path())
        .env_clear()
        .output()
        .await
        .expect("the binary");
    let stderr = String::from_utf8_lossy(&called.stderr);
    assert_eq!(called.status.code(), Some(1), "{stderr}");
    let place = fs::canonicalize(folder.path()).expect("a folder");
    let file = place.join("data/vidence.db").display().to_string();
    for text in [&file, "--data-dir", "VIDENCE_DATA_DIR", "--database-url"] {
        assert!(stderr.contains(text), "{text}: {stderr}");
    }
    assert!(!folder.path().join("data").exists(), "it created a folder");
}

/// A machine's role may come later than the server, so this is no setting that stays wrong.
#[tokio::test]
async fn a_bucket_without_a_key_names_the_variables() {
    let nothing = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = nothing.local_addr().expect("an address");
    // What AWS tells a machine about its role, on one that has none.
    let metadata = Router::new().fallback(async || StatusCode::NOT_FOUND);
    tokio::spawn(async { axum::serve(nothing, metadata).await });
    let variables = ["AWS_ENDPOINT_URL", "AWS_METADATA_ENDPOINT"];
    let variables = variables.map(|name| (name, format!("http://{address}")));
    let flags = ["--listen", "127.0.0.1:0", "--blob-url", "s3://evidence"];
    let mut server = ServerProcess::start_with(&flags, &variables);
    let (status, stderr) = server.wait().await;
    assert_eq!(status.code(), Some(1), "{stderr}");
    let named = stderr.contains("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY aren't set");
    assert!(named && stderr.contains("s3://evidence"), "{stderr}");
}

/// With `--blob-url file:///tmp`, for example.
/// It is no mount point that is filled later: those are empty.
#[tokio::test]
async fn a_folder_of_other_things_is_a_setting_that_cannot_work() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("theirs"), "").expect("a file");
    let open = Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), open).expect("permissions");
    let place = format!("file://{}", folder.path().display());
    let flags = ["--listen", "127.0.0.1:0", "--blob-url", &place];
    let mut server = ServerProcess::start_with(&flags, &[]);
    let (status, stderr) = server.wait().await;
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("name an empty folder"), "{stderr}");
}
