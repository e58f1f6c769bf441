//! Agent programs: which pictures and texts their models see.
//!
//! A little more than 300 lines: one run of each program and what it showed.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::recordings::encode;
use crate::TOOLS;
use test_support::recordings::speech::record;
use test_support::servers::release_server::ReleaseServer;
use test_support::servers::transcriber::Transcriber;
use test_support::tools::run;
use test_support::wait_until;

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

/// What is said in one of the recordings.
const SENTENCE: &str = "Look at the front door. The lock is broken, and the window is open.";

/// An answer of our server that a program passes on, and what its model must see of it.
struct Asked {
    /// Its column in the guide's table.
    answer: &'static str,
    arguments: Value,
    sheets: usize,
    pictures: usize,
    /// Width and height of each picture.
    size: (u64, u64),
    /// A part of its texts.
    says: &'static str,
}

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
    answers: Vec<AnswerResult>,
}

#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct AnswerResult {
    answer: String,
    /// Whether it gets a contact sheet.
    contact_sheet: bool,
    /// Pictures of one moment each.
    stills: usize,
    /// Whether it gets what is said.
    transcript: bool,
    /// Characters of text, rounded up to hundreds.
    characters: usize,
    /// About what it costs the model. `None`: the program lets people choose a model.
    tokens: Option<u64>,
    video: String,
}

/// The results are recorded in `programs.json`, which the guide shows. `UPDATE_EXPECT=1` updates it.
#[tokio::test(flavor = "multi_thread")]
async fn every_agent_program_passes_all_stills_and_no_base64_to_its_model() {
    let transcriber = Transcriber::start().await;
    let server = ReleaseServer::with_transcriber(&transcriber).await;
    let asked = ask(&server).await;
    let mut results = Vec::new();
    for (program, model) in PROGRAMS {
        let mut answers = Vec::new();
        let mut version_and_model = (String::new(), String::new());
        for asked in &asked {
            let input = run_program(&server, program, model, &asked.arguments).await;
            answers.push(check(program, &input, asked));
            version_and_model = (input.version, input.model);
        }
        results.push(ProgramResult {
            program: program.to_owned(),
            version: version_and_model.0,
            model: version_and_model.1,
            answers,
        });
    }
    compare_with_recorded(&results);
}

/// Submits recordings, and returns what is asked about them.
async fn ask(server: &ReleaseServer) -> [Asked; 5] {
    let submit = async |recording: Vec<u8>| {
        let request = server.submit(recording, "video/mp4").await;
        let credentials = json!({
            "request_id": request.created.id,
            "access_token": request.created.access_token,
            "wait_seconds": 20,
        });
        (request, credentials)
    };
    let (silent, short) = submit(encode(10).await).await;
    let (long_silent, long) = submit(encode(60).await).await;
    let coding =
        "-s 1280x720 -c:v libx264 -preset veryfast -pix_fmt yuv420p -g 20 -c:a aac said.mp4";
    let (spoken, speech) = submit(record(SENTENCE, coding).await).await;
    for (request, status) in [
        (&silent, "none"),
        (&long_silent, "none"),
        (&spoken, "ready"),
    ] {
        wait_until(async || server.metadata(request).await["transcript"]["status"] == status).await;
    }
    let mut label = short.clone();
    label["at_ms"] = json!(5000);
    label["full_resolution"] = json!(true);
    let mut span = long.clone();
    span["from_ms"] = json!(20_000);
    span["to_ms"] = json!(30_000);
    let overview = |answer, arguments, sheets, pictures| Asked {
        answer,
        arguments,
        sheets,
        pictures,
        size: (768, 432),
        says: "",
    };
    [
        overview("10 s", short, 0, 4),
        // It repeats itself, and a contact sheet comes before the stills.
        overview("60 s", long, 1, 5),
        overview("10 s of these", span, 0, 8),
        Asked {
            says: "window",
            ..overview("8 s with speech", speech, 0, 4)
        },
        Asked {
            size: (1280, 720),
            ..overview("one picture in full", label, 0, 1)
        },
    ]
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

fn check(program: &str, input: &ModelInput, asked: &Asked) -> AnswerResult {
    let what = format!("{program}, {}: {:#?}", asked.answer, input.texts);
    let pictures = input.pictures.len();
    let mut types = input.pictures.iter().map(|it| &*it.media_type);
    assert!(types.all(|it| it == "image/jpeg"), "{what}");
    let (sheets, shown) = input
        .pictures
        .split_at(pictures.saturating_sub(asked.pictures));
    assert_eq!(
        (sheets.len(), shown.len()),
        (asked.sheets, asked.pictures),
        "{what}"
    );
    for sheet in sheets {
        assert!(sheet.width.max(sheet.height) <= 1568, "{what}");
    }
    for picture in shown {
        assert_eq!((picture.width, picture.height), asked.size, "{what}");
    }
    assert!(input.longest_base64_run <= MAX_BASE64_RUN, "{what}");
    assert!(input.other.is_empty(), "{what}");
    let mentions = |part: &str| input.texts.iter().any(|it| it.contains(part));
    for part in [
        // Instructions come first, before anything that could be truncated.
        r#""status":"submitted","next_step":"#,
        "curl --fail -H",
        "/v1/videos/",
        asked.says,
    ] {
        assert!(mentions(part), "{part}: {what}");
    }
    AnswerResult {
        answer: asked.answer.to_owned(),
        contact_sheet: !sheets.is_empty(),
        stills: shown.len(),
        transcript: !asked.says.is_empty(),
        characters: input.text_characters.div_ceil(100) * 100,
        tokens: tokens(input),
        video: if mentions("saved to") {
            "saved as a file"
        } else {
            "by its address"
        }
        .to_owned(),
    }
}

/// About what the input costs its model in tokens, rounded up to hundreds: four characters of text a token, and pictures
/// as the makers of the models state it.
fn tokens(input: &ModelInput) -> Option<u64> {
    let of_picture = |it: &ModelPicture| match input.model.split('-').next() {
        Some("claude") => Some(it.width * it.height / 750),
        // 1.2 for each patch of 32 × 32 pixels.
        Some("gpt") => Some(it.width.div_ceil(32) * it.height.div_ceil(32) * 12 / 10),
        // Of any size.
        Some("gemini") => Some(1090),
        _ => None,
    };
    let pictures: Option<u64> = input.pictures.iter().map(of_picture).sum();
    let text = input.text_characters as u64 / 4;
    Some((pictures? + text).div_ceil(100) * 100)
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
    for (now, then) in both.flat_map(|(now, then)| now.answers.iter().zip(&mut then.answers)) {
        if now.characters.abs_diff(then.characters) <= 200 {
            (then.characters, then.tokens) = (now.characters, now.tokens);
        }
    }
    assert_eq!(results, recorded_results);
}

fn results_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/pages/docs/programs.json")
}
