//! The programs: which pictures and which texts their models see.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::films::film;
use crate::TOOLS;
use test_support::shipped::Shipped;
use test_support::tools::run;

/// Which of them, with which model where that makes a difference: Codex offers tools to GPT-5, and has GPT-6 write
/// scripts that call them.
const PROGRAMS: [(&str, Option<&str>); 6] = [
    ("claude", None),
    ("codex", Some("gpt-5.5")),
    ("codex", Some("gpt-6.1-sol")),
    ("gemini", None),
    ("opencode", None),
    (AGENTS_SDK, None),
];

/// OpenAI's library for Python, in a program that has its server object from the guide.
const AGENTS_SDK: &str = "agents-sdk";

/// How long the recordings are, in seconds, and how many pictures there are of each.
const FILMS: [(u64, usize); 2] = [(10, 4), (60, 12)];

/// As long as a digest in hexadecimal digits. What is longer is a picture or a video that became text.
const LONGEST_WORD: usize = 64;

/// What a model saw, as `story.js` has it.
#[derive(Deserialize)]
struct Seen {
    version: String,
    model: String,
    pictures: Vec<SeenPicture>,
    texts: Vec<String>,
    text_characters: usize,
    longest_base64_run: usize,
    other: Vec<Value>,
}

#[derive(Deserialize)]
struct SeenPicture {
    media_type: String,
    width: u64,
    height: u64,
}

/// A line of the guide's table.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Line {
    program: String,
    version: String,
    model: String,
    films: Vec<SeenFilm>,
}

#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
struct SeenFilm {
    seconds: u64,
    pictures: usize,
    /// Of text, in hundreds.
    characters: usize,
    video: String,
}

/// What each of them sees is written down for the guide, which shows it. `UPDATE_EXPECT=1` takes over what is different.
#[tokio::test(flavor = "multi_thread")]
async fn every_program_shows_its_model_all_pictures_and_no_bytes_as_text() {
    let shipped = Shipped::start().await;
    let mut submitted = Vec::new();
    for (seconds, pictures) in FILMS {
        let request = shipped
            .submitted_film(film(seconds).await, "video/mp4")
            .await;
        let arguments = json!({
            "request_id": request.created.id,
            "access_token": request.created.access_token,
            "wait_seconds": 20,
        });
        submitted.push((seconds, pictures, arguments));
    }
    let mut lines = Vec::new();
    for (program, model) in PROGRAMS {
        let mut films = Vec::new();
        let mut about = (String::new(), String::new());
        for (seconds, pictures, arguments) in &submitted {
            let seen = ask(&shipped, program, model, arguments).await;
            films.push(check(program, &seen, *seconds, *pictures));
            about = (seen.version, seen.model);
        }
        lines.push(Line {
            program: program.to_owned(),
            version: about.0,
            model: about.1,
            films,
        });
    }
    compare(&lines);
}

/// The guide's commands are what the programs take, and write down this server.
#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_guide_adds_the_server() {
    let shipped = Shipped::start().await;
    let endpoint = format!("{}/mcp", shipped.url());
    let guide = reqwest::get(format!("{}/docs/mcp", shipped.url())).await;
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
        let written = [
            ".claude.json",
            ".codex/config.toml",
            ".gemini/settings.json",
        ];
        let written = written.map(|it| fs::read_to_string(home.path().join(it)));
        let mut written = written.iter().flatten();
        assert!(written.any(|it| it.contains(&endpoint)), "{command}");
    }
}

/// `llms.txt` has a line for each program: the guide's own command, or what makes the same of the server.
#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_llms_txt_are_those_of_the_guide() {
    let shipped = Shipped::start().await;
    let text = async |path: &str| {
        let answer = reqwest::get(format!("{}{path}", shipped.url())).await;
        answer.expect("an answer").text().await.expect("text")
    };
    let (guide, llms) = (text("/docs/mcp.md").await, text("/llms.txt").await);
    let line = |program: &str| {
        let mut lines = llms.lines();
        let line = lines.find(|it| it.starts_with(&format!("- {program}: ")));
        let code = line.and_then(|it| it.split('`').nth(1));
        code.unwrap_or_else(|| panic!("no line for {program}"))
    };
    for program in ["Claude Code", "Codex", "Gemini CLI"] {
        assert!(guide.contains(line(program)), "{program}");
    }
    let opencode = format!("{{{}}}", line("opencode"));
    let opencode: Value = serde_json::from_str(&opencode).expect("JSON");
    let server = json!({ "type": "remote", "url": format!("{}/mcp", shipped.url()) });
    assert_eq!(opencode, json!({ "mcp": { "vidence": server } }));

    let scratch = tempfile::tempdir().expect("a folder");
    let mut python = TOOLS.python("python");
    python.args(["-c", SAME_SERVER, &guide, line("OpenAI Agents SDK")]);
    run(&mut python, scratch.path()).await;
}

/// A program that compares the guide's object with that of a line.
const SAME_SERVER: &str = r#"
import re, sys
from agents.mcp import MCPServerStreamableHttp
guide, line = sys.argv[1:]
names = {}
exec(re.search(r"^```python\n(.*?)^```$", guide, re.M | re.S)[1], names)
about = lambda it: (it.params, it.client_session_timeout_seconds)
assert about(names["vidence"]) == about(eval(line)), line
"#;

/// The SDK gives a call up after five seconds unless it is told otherwise, as the guide's snippet does.
#[tokio::test(flavor = "multi_thread")]
async fn the_snippet_of_the_guide_lets_a_call_wait() {
    let shipped = Shipped::start().await;
    let created = shipped.create().await;
    let arguments = json!({
        "request_id": created.id,
        "access_token": created.access_token,
        "wait_seconds": 6,
    });
    let seen = ask(&shipped, AGENTS_SDK, None, &arguments).await;
    let waited = seen.texts.first();
    let waited = waited.is_some_and(|it| it.contains(r#""status":"awaiting_submission""#));
    assert!(waited, "{:?}", seen.texts);
}

async fn ask(shipped: &Shipped, program: &str, model: Option<&str>, arguments: &Value) -> Seen {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut story = TOOLS.node("node");
    story.arg(TOOLS.file("story.js")).arg(program);
    story.arg(format!("{}/mcp", shipped.url()));
    story.arg(arguments.to_string());
    if let Some(model) = model {
        story.args(["--model", model]);
    }
    let printed = run(story.env("TMPDIR", scratch.path()), scratch.path()).await;
    serde_json::from_str(&printed).expect("what a model saw")
}

fn check(program: &str, seen: &Seen, seconds: u64, pictures: usize) -> SeenFilm {
    let what = format!("{program}, {seconds} s: {:#?}", seen.texts);
    assert_eq!(seen.pictures.len(), pictures, "{what}");
    for picture in &seen.pictures {
        assert_eq!(picture.media_type, "image/jpeg", "{what}");
        assert_eq!((picture.width, picture.height), (768, 432), "{what}");
    }
    assert!(seen.longest_base64_run <= LONGEST_WORD, "{what}");
    assert!(seen.other.is_empty(), "{what}");
    // What to do comes first, before anything could be cut.
    let facts = seen
        .texts
        .iter()
        .position(|it| it.contains(r#""status":"submitted","next_step":"#));
    assert!(facts.is_some(), "{what}");
    let said = |part: &str| seen.texts.iter().any(|it| it.contains(part));
    assert!(said("curl --fail -H") && said("/v1/videos/"), "{what}");
    SeenFilm {
        seconds,
        pictures,
        characters: seen.text_characters.div_ceil(100) * 100,
        video: if said("saved to") {
            "saved as a file"
        } else {
            "by its address"
        }
        .to_owned(),
    }
}

/// With what the guide shows. How long a text is depends a little on the names of folders.
fn compare(lines: &[Line]) {
    let file = recorded();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = serde_json::to_string_pretty(lines).expect("plain data");
        fs::write(&file, text + "\n").expect("a writable file");
    }
    let text = fs::read_to_string(&file).expect("what is written down");
    let mut written: Vec<Line> = serde_json::from_str(&text).expect("lines");
    let both = lines.iter().zip(&mut written);
    for (now, then) in both.flat_map(|(now, then)| now.films.iter().zip(&mut then.films)) {
        if now.characters.abs_diff(then.characters) <= 200 {
            then.characters = now.characters;
        }
    }
    assert_eq!(lines, written);
}

fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/guide/programs.json")
}
