//! What schemathesis finds: whatever is answered is described so, and whatever is described is answered.
//!
//! `schemathesis.toml` says what counts as a finding, `hooks.py` how one comes by tokens and videos. All
//! checks are on, where nothing else is said.

use std::collections::BTreeSet;
use std::fs;

use app::api::CreatedRequest;
use serde_json::{Value, json};

use crate::TOOLS;
use test_support::shipped::{Shipped, Submitted, film};
use test_support::tools::run;

/// One call of schemathesis.
struct Run {
    /// Who calls: see `hooks.py`.
    caller: &'static str,
    /// Whether somebody answers each request as soon as it is created.
    humans_submit: bool,
    phases: &'static str,
    /// Generated calls of each operation, at most; or stories.
    examples: u32,
    /// Checks that don't apply.
    without: Option<&'static str>,
}

const RUNS: [Run; 5] = [
    Run {
        caller: "owner",
        humans_submit: false,
        phases: "examples,coverage,fuzzing",
        examples: 60,
        without: None,
    },
    // By the links of the document, from each answer to the next call.
    Run {
        caller: "owner",
        humans_submit: true,
        phases: "stateful",
        examples: 20,
        without: None,
    },
    Run {
        caller: "stranger",
        humans_submit: false,
        phases: "coverage,fuzzing",
        examples: 20,
        without: None,
    },
    Run {
        caller: "forger",
        humans_submit: false,
        phases: "coverage,fuzzing",
        examples: 20,
        without: None,
    },
    Run {
        caller: "nobody",
        humans_submit: false,
        phases: "coverage,fuzzing",
        examples: 20,
        without: None,
    },
];

/// Who calls too often.
const HASTY: Run = Run {
    caller: "nobody",
    humans_submit: false,
    phases: "coverage",
    examples: 1,
    // Who calls too often is told so before anybody asks for a token.
    without: Some("missing_required_header"),
};

/// An operation, and a status that it answered with.
type Pair = (String, u16);

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_described_and_every_description_true() {
    let shipped = Shipped::start().await;
    let mut seen = BTreeSet::new();
    for run in &RUNS {
        let stage = Stage::set(&shipped).await;
        seen.extend(run.against(&shipped, &stage).await);
    }
    // These need time to pass, too many calls, and a broken server.
    let out_of_reach = |pair: &Pair| matches!(pair.1, 410 | 429 | 500);
    let mut described = described(&shipped.document().await);
    described.retain(|pair| !out_of_reach(pair));
    let unseen: Vec<&Pair> = described.difference(&seen).collect();
    assert!(unseen.is_empty(), "described and never seen: {unseen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_calls_too_often_is_told_so_as_described() {
    let shipped = Shipped::limited("1/hour:1").await;
    let seen = HASTY.against(&shipped, &Stage::default()).await;
    let told: Vec<&Pair> = seen.iter().filter(|pair| pair.1 == 429).collect();
    assert_eq!(told.len(), 6, "{seen:?}");
}

/// What there is to be called for.
#[derive(Default)]
struct Stage {
    submitted: Vec<Submitted>,
    awaiting: Vec<CreatedRequest>,
    /// To be deleted.
    doomed: Vec<CreatedRequest>,
    /// Somebody else's token.
    stranger: String,
}

impl Stage {
    async fn set(shipped: &Shipped) -> Self {
        let mut stage = Self {
            stranger: shipped.create().await.access_token,
            ..Self::default()
        };
        for _ in 0..2 {
            stage.submitted.push(shipped.submitted().await);
            stage.awaiting.push(shipped.create().await);
        }
        for _ in 0..20 {
            stage.doomed.push(shipped.create().await);
        }
        stage
    }

    fn told(&self, humans_submit: bool) -> Value {
        let created = |it: &CreatedRequest| json!({ "id": it.id, "token": it.access_token });
        let submitted = |it: &Submitted| {
            json!({
                "id": it.created.id,
                "token": it.created.access_token,
                "video": it.video,
                "etag": it.etag,
            })
        };
        json!({
            "submitted": self.submitted.iter().map(submitted).collect::<Value>(),
            "awaiting": self.awaiting.iter().map(created).collect::<Value>(),
            "doomed": self.doomed.iter().map(created).collect::<Value>(),
            "stranger": self.stranger,
            "humans_submit": humans_submit,
        })
    }
}

impl Run {
    /// Fails with what schemathesis finds, and returns what it saw.
    async fn against(&self, shipped: &Shipped, stage: &Stage) -> BTreeSet<Pair> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        let told = stage.told(self.humans_submit).to_string();
        fs::write(file("stage.json"), told).expect("a file");
        let mut schemathesis = TOOLS.python("schemathesis");
        schemathesis
            .arg("--config-file")
            .arg(TOOLS.file("schemathesis.toml"))
            .args(["run", &shipped.document_url(), "--checks", "all"])
            .args(["--phases", self.phases])
            .args(["--max-examples", &self.examples.to_string()])
            .args(self.without.iter().flat_map(|it| ["--exclude-checks", it]))
            .env("SCHEMATHESIS_HOOKS", TOOLS.file("hooks.py"))
            .env("CALLER", self.caller)
            .env("FILM", film())
            .env("STAGE", file("stage.json"))
            .env("SEEN", file("seen.json"));
        run(&mut schemathesis, folder.path()).await;
        let seen = fs::read_to_string(file("seen.json")).expect("what was seen");
        let seen: BTreeSet<Pair> = serde_json::from_str(&seen).expect("pairs");
        println!("{} ({}): {seen:?}", self.caller, self.phases);
        seen
    }
}

/// All that a document describes.
fn described(document: &Value) -> BTreeSet<Pair> {
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().filter_map(Value::as_object).flatten();
    let pairs = operations.flat_map(|(_, operation)| {
        let name = operation["operationId"].as_str().expect("a name");
        let statuses = operation["responses"].as_object().expect("responses");
        statuses
            .keys()
            .map(|status| (name.to_owned(), status.parse().expect("a status")))
    });
    pairs.collect()
}
