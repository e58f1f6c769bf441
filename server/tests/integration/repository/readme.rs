//! The commands of README.md and docs/api.md work as described.

use std::path::Path;
use std::process::Stdio;

use reqwest::StatusCode;
use serde_json::Value;
use tokio::process::Command;

use crate::support::{LIVE_WEBM, Server, on_each_storage, wait_until};

on_each_storage! {
    the_readmes_commands_work
    the_readme_configures_agents_as_the_guide_does
}

const ADDRESS: &str = "http://127.0.0.1:3000";

/// The address in docs/api.md, which a server replaces by its own.
const EXAMPLE: &str = "https://evidence.example.org";

fn read(document: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(document);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// The shell blocks of a document below a heading, up to the next heading of any level.
fn shell_blocks(document: &str, heading: &str) -> Vec<String> {
    let text = read(document);
    let (_, section) = text.split_once(heading).expect("a heading");
    let section = section.split("\n#").next().unwrap_or_default();
    let blocks = section.split("```sh\n").skip(1);
    let ends = blocks.map(|it| it.split("```").next().unwrap_or_default().to_owned());
    ends.collect()
}

/// Runs a script, which must succeed, and returns its stdout.
async fn run_script(folder: &Path, script: &str) -> String {
    let ended = Command::new("sh")
        .args(["-eu", "-c", script])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .await
        .expect("a shell");
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{script}\n{errors}");
    String::from_utf8(ended.stdout).expect("text")
}

/// One command of a block, including continued lines, found by a text in its first line.
fn command<'b>(block: &'b str, with: &str) -> &'b str {
    let from = block
        .find(with)
        .unwrap_or_else(|| panic!("no {with} in {block}"));
    let start = block[..from].rfind('\n').map_or(0, |at| at + 1);
    let mut end = start;
    for line in block[start..].split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    &block[start..end]
}

/// README.md leaves the upload and the metadata to the walk-through in docs/api.md.
async fn the_readmes_commands_work(server: Server) {
    let walk_through = shell_blocks("docs/api.md", "## Walk-through\n").concat();
    let walk_through = walk_through.replace(EXAMPLE, ADDRESS);
    let readme = shell_blocks("README.md", "## Use the API\n").concat();
    run_commands(&server, "README.md", &(readme + &walk_through)).await;
    run_commands(&server, "docs/api.md", &walk_through).await;
}

/// Runs the commands of a document for one request, from its creation to its deletion.
async fn run_commands(server: &Server, document: &str, commands: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut known = String::new();
    let run = async |known: &str, command: &str| {
        let script = format!("{known}\n{command}").replace(ADDRESS, &server.base);
        run_script(folder.path(), &script).await
    };
    let json = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };

    let created = json(&run(&known, command(commands, "/v1/requests \\\n")).await);
    let shown = read(document);
    let (_, shown) = shown
        .split_once("```json\n")
        .expect("an answer that is shown");
    let shown = json(shown.split("```").next().unwrap_or_default());
    let names = |it: &Value| -> Vec<String> {
        let fields = it.as_object().expect("an object").keys();
        fields.cloned().collect()
    };
    assert_eq!(names(&created), names(&shown));
    let creator = server.creator(&serde_json::from_value(created).expect("a created request"));
    let token = &creator.created.access_token;
    known += &format!("ID={} TOKEN={token}\n", creator.id());

    let poll = command(commands, "/v1/requests/$ID");
    let status = json(&run(&known, poll).await);
    assert_eq!(status["status"], "awaiting_submission");

    std::fs::write(folder.path().join("video.webm"), LIVE_WEBM).expect("a file");
    let begun = run(&known, command(commands, "/takes")).await;
    let location = begun.lines().find_map(|it| it.strip_prefix("location: "));
    let take = location.expect("a Location").trim().rsplit('/').next();
    let submission = command(commands, "/submission").replace('…', take.expect("an id"));
    let submitted = json(&run(&known, &submission).await);
    assert_eq!(submitted["status"], "submitted");

    let status = json(&run(&known, poll).await);
    assert_eq!(status["status"], "submitted");
    known += &format!("VIDEO={}\n", status["video"]["id"].as_str().expect("an id"));
    std::fs::remove_file(folder.path().join("video.webm")).expect("a file");
    run(&known, command(commands, "-o video.webm")).await;
    run(&known, command(commands, "-r 0-65535")).await;
    let [whole, head] = ["video.webm", "head.webm"].map(|name| {
        let bytes = std::fs::read(folder.path().join(name));
        bytes.expect("a file that curl wrote")
    });
    assert!(whole.ends_with(LIVE_WEBM));
    assert!(head == whole[..whole.len().min(65536)]);

    let made = async || json(&run(&known, command(commands, "/metadata")).await);
    wait_until(async || made().await["stills"]["status"] == "ready").await;
    assert_eq!(made().await["bytes"], whole.len());
    run(&known, command(commands, "/stills/0")).await;
    let still = std::fs::read(folder.path().join("still.jpg"));
    assert!(still.expect("a file").starts_with(b"\xff\xd8\xff"));

    run(&known, command(commands, "DELETE")).await;
    assert_eq!(creator.delete().await, StatusCode::NOT_FOUND);
}

async fn the_readme_configures_agents_as_the_guide_does(server: Server) {
    let guide = server
        .get("/docs/mcp.md")
        .await
        .text()
        .await
        .expect("Markdown");
    let blocks = shell_blocks("README.md", "## Use it from an agent (MCP)\n");
    let lines: Vec<_> = blocks.iter().flat_map(|it| it.lines()).collect();
    assert!(lines.len() > 2, "{lines:?}");
    for line in lines {
        let line = line.replace(ADDRESS, &server.base);
        assert!(guide.contains(&line), "{line} isn't in the guide");
    }
}
