//! The binary's subcommands, each run to its exit in a process of its own.

use crate::support::binary::vidence;
use crate::support::{Server, on_each_storage};

on_each_storage! {
    the_openapi_command_prints_the_served_document
}

async fn the_openapi_command_prints_the_served_document(server: Server) {
    let served = server.get("/v1/openapi.json").await;
    let served = served.text().await.expect("a document");
    let arguments = ["openapi", "--public-url", &server.base];
    let printed = vidence(&arguments, &[]).await.success();
    assert_eq!(printed, served);
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
