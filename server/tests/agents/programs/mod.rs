//! Agent programs: which pictures and texts their models see.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::recordings::encode;
use crate::TOOLS;
use test_support::servers::release_server::ReleaseServer;
use test_support::tools::run;

/// Program and model. Codex offers tools to GPT-5, and has GPT-6 write scripts that call them.
const PROGRAMS: [(&str, Option<&str>); 6] = [
    ("claude", None),
    ("codex", Some("gpt-5.5")),
    ("codex", Some("gpt-6.1-sol")),
    ("gemini", None),
    ("opencode", None),
    (AGENTS_SDK, None),
];

/// OpenAI's library for Python, in a program that takes its server object from the guide.
const AGENTS_SDK: &str = "agents-sdk";

/// Length of each recording in seconds, and the number of its stills: the longer one repeats itself, and a contact sheet
/// comes before them.
const RECORDINGS: [(u64, usize); 2] = [(10, 4), (60, 5)];

/// Length of a digest in hexadecimal digits. A longer run is a picture or video passed as text.
const MAX_BASE64_RUN: usize = 64;

/// What a model saw: the output of `observe.js`.
#[derive(Deserialize)]
struct ModelInput {
    version: String,
    model: String,
    pictures: Vec<ModelPicture>,
    texts: Vec<String>,
    text_characters: usize,
    longest_base64_run: usize,
    other: Vec<Value>,
}

#[derive(Deserialize)]
struct ModelPicture {
    media_type: String,
    width: u64,
    height: u64,
}

/// A row of the guide's table.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct ProgramResult {
    program: String,
    version: String,
    model: String,
    recordings: Vec<RecordingResult>,
}

#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct RecordingResult {
    seconds: u64,
    pictures: usize,
    /// Characters of text, rounded up to hundreds.
    characters: usize,
    video: String,
}

/// The results are recorded in `programs.json`, which the guide shows. `UPDATE_EXPECT=1` updates it.
#[tokio::test(flavor = "multi_thread")]
async fn every_agent_program_passes_all_stills_and_no_base64_to_its_model() {
    let server = ReleaseServer::start().await;
    let mut submitted = Vec::new();
    for (seconds, pictures) in RECORDINGS {
        let request = server.submit(encode(seconds).await, "video/mp4").await;
        let arguments = json!({
            "request_id": request.created.id,
            "access_token": request.created.access_token,
            "wait_seconds": 20,
        });
        submitted.push((seconds, pictures, arguments));
    }
    let mut results = Vec::new();
    for (program, model) in PROGRAMS {
        let mut recordings = Vec::new();
        let mut version_and_model = (String::new(), String::new());
        for (seconds, pictures, arguments) in &submitted {
            let input = run_program(&server, program, model, arguments).await;
            recordings.push(check(program, &input, *seconds, *pictures));
            version_and_model = (input.version, input.model);
        }
        results.push(ProgramResult {
            program: program.to_owned(),
            version: version_and_model.0,
            model: version_and_model.1,
            recordings,
        });
    }
    compare_with_recorded(&results);
}

/// The guide's commands are valid, and configure this server.
#[tokio::test(flavor = "multi_thread")]
async fn the_guides_commands_configure_the_mcp_server() {
    let server = ReleaseServer::start().await;
    let endpoint = format!("{}/mcp", server.url());
    let guide = reqwest::get(format!("{}/docs/mcp", server.url())).await;
    let guide = guide.expect("an answer").text().await.expect("text");
    let commands = guide
        .split("<code>")
        .filter_map(|it| it.split("</code>").next());
    let commands: Vec<_> = commands.filter(|it| it.contains(" mcp add ")).collect();
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        let home = tempfile::tempdir().expect("a folder");
        let mut words = command.split(' ');
        let mut program = TOOLS.node(words.next().expect("a program"));
        let path = std::env::var("PATH").expect("a path");
        let path = format!("{}:{path}", TOOLS.file("node_modules/.bin").display());
        program
            .args(words)
            .env("HOME", home.path())
            .env("PATH", path);
        run(&mut program, home.path()).await;
        let files = [
            ".claude.json",
            ".codex/config.toml",
            ".gemini/settings.json",
        ];
        let files = files.map(|it| fs::read_to_string(home.path().join(it)));
        let mut files = files.iter().flatten();
        assert!(files.any(|it| it.contains(&endpoint)), "{command}");
    }
}

/// The SDK's default timeout of a call is five seconds; the guide's snippet raises it.
#[tokio::test(flavor = "multi_thread")]
async fn the_guides_snippet_allows_for_long_tool_calls() {
    let server = ReleaseServer::start().await;
    let created = server.create().await;
    let arguments = json!({
        "request_id": created.id,
        "access_token": created.access_token,
        "wait_seconds": 6,
    });
    let input = run_program(&server, AGENTS_SDK, None, &arguments).await;
    let pending = input.texts.first();
    let pending = pending.is_some_and(|it| it.contains(r#""status":"awaiting_submission""#));
    assert!(pending, "{:?}", input.texts);
}

async fn run_program(
    server: &ReleaseServer,
    program: &str,
    model: Option<&str>,
    arguments: &Value,
) -> ModelInput {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut observer = TOOLS.node("node");
    observer.arg(TOOLS.file("observe.js")).arg(program);
    observer.arg(format!("{}/mcp", server.url()));
    observer.arg(arguments.to_string());
    if let Some(model) = model {
        observer.args(["--model", model]);
    }
    let printed = run(observer.env("TMPDIR", scratch.path()), scratch.path()).await;
    serde_json::from_str(&printed).expect("the input of a model")
}

fn check(program: &str, input: &ModelInput, seconds: u64, stills: usize) -> RecordingResult {
    let what = format!("{program}, {seconds} s: {:#?}", input.texts);
    let pictures = input.pictures.len();
    assert!(
        input
            .pictures
            .iter()
            .all(|it| it.media_type == "image/jpeg"),
        "{what}"
    );
    let (sheets, shown) = input.pictures.split_at(pictures.saturating_sub(stills));
    assert_eq!(
        (sheets.len(), shown.len()),
        (usize::from(seconds > 10), stills),
        "{what}"
    );
    for sheet in sheets {
        assert!(sheet.width.max(sheet.height) <= 1568, "{what}");
    }
    for picture in shown {
        assert_eq!((picture.width, picture.height), (768, 432), "{what}");
    }
    assert!(input.longest_base64_run <= MAX_BASE64_RUN, "{what}");
    assert!(input.other.is_empty(), "{what}");
    // Instructions come first, before anything that could be truncated.
    let metadata = input
        .texts
        .iter()
        .position(|it| it.contains(r#""status":"submitted","next_step":"#));
    assert!(metadata.is_some(), "{what}");
    let mentions = |part: &str| input.texts.iter().any(|it| it.contains(part));
    assert!(
        mentions("curl --fail -H") && mentions("/v1/videos/"),
        "{what}"
    );
    RecordingResult {
        seconds,
        pictures,
        characters: input.text_characters.div_ceil(100) * 100,
        video: if mentions("saved to") {
            "saved as a file"
        } else {
            "by its address"
        }
        .to_owned(),
    }
}

/// Compares with the recorded results. The length of a text depends slightly on folder names.
fn compare_with_recorded(results: &[ProgramResult]) {
    let file = results_file();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = serde_json::to_string_pretty(results).expect("plain data");
        fs::write(&file, text + "\n").expect("a writable file");
    }
    let text = fs::read_to_string(&file).expect("the recorded results");
    let mut recorded_results: Vec<ProgramResult> = serde_json::from_str(&text).expect("results");
    let both = results.iter().zip(&mut recorded_results);
    for (now, then) in both.flat_map(|(now, then)| now.recordings.iter().zip(&mut then.recordings))
    {
        if now.characters.abs_diff(then.characters) <= 200 {
            then.characters = now.characters;
        }
    }
    assert_eq!(results, recorded_results);
}

fn results_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/pages/docs/programs.json")
}
