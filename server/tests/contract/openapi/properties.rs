//! Property tests by schemathesis: every response is described, and every described response occurs.
//!
//! `schemathesis.toml` configures the checks, `hooks.py` provides tokens and ids. All checks are on unless said
//! otherwise.

use std::collections::BTreeSet;
use std::fs;

use app::api::CreatedRequest;
use serde_json::{Value, json};

use crate::TOOLS;
use test_support::servers::release_server::{ReleaseServer, Submitted, recording_path};
use test_support::tools::run;

/// One run of schemathesis.
struct Run {
    /// Kind of client; see `hooks.py`.
    client: &'static str,
    /// Whether each request is answered as soon as it is created.
    submits: bool,
    phases: &'static str,
    /// Generated calls of each operation, or sequences of calls, at most.
    examples: u32,
    /// A check that doesn't apply.
    excluded_check: Option<&'static str>,
}

const RUNS: [Run; 5] = [
    Run {
        client: "owner",
        submits: false,
        phases: "examples,coverage,fuzzing",
        examples: 60,
        excluded_check: None,
    },
    // Follows the document's links, from each response to the next call.
    Run {
        client: "owner",
        submits: true,
        phases: "stateful",
        examples: 20,
        excluded_check: None,
    },
    Run {
        client: "other_owner",
        submits: false,
        phases: "coverage,fuzzing",
        examples: 20,
        excluded_check: None,
    },
    Run {
        client: "forged_token",
        submits: false,
        phases: "coverage,fuzzing",
        examples: 20,
        excluded_check: None,
    },
    Run {
        client: "anonymous",
        submits: false,
        phases: "coverage,fuzzing",
        examples: 20,
        excluded_check: None,
    },
];

/// A client beyond its rate limit.
const RATE_LIMITED: Run = Run {
    client: "anonymous",
    submits: false,
    phases: "coverage",
    examples: 1,
    // The rate limit applies before authentication.
    excluded_check: Some("missing_required_header"),
};

/// An operation, and a status that it answered with.
type Pair = (String, u16);

#[tokio::test(flavor = "multi_thread")]
async fn every_response_matches_the_openapi_document_and_every_described_one_occurs() {
    let server = ReleaseServer::start().await;
    let mut answered = BTreeSet::new();
    for run in &RUNS {
        let fixtures = Fixtures::create(&server).await;
        answered.extend(run.execute(&server, &fixtures).await);
    }
    // These need time to pass, too many calls, or a broken server.
    // Captions need a transcriber, and what is sent here has no malformed query: both have tests of their own.
    let elsewhere = [
        ("getCaptions", 200),
        ("getCaptions", 409),
        ("getStill", 400),
    ];
    let unreachable = |pair: &Pair| {
        matches!(pair.1, 410 | 429 | 500) || elsewhere.contains(&(pair.0.as_str(), pair.1))
    };
    let mut described = described(&server.openapi().await);
    described.retain(|pair| !unreachable(pair));
    let missing: Vec<&Pair> = described.difference(&answered).collect();
    assert!(missing.is_empty(), "described and never seen: {missing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rate_limited_responses_match_the_openapi_document() {
    let server = ReleaseServer::with_rate_limit("1/hour:1").await;
    let answered = RATE_LIMITED.execute(&server, &Fixtures::default()).await;
    let limited: Vec<&Pair> = answered.iter().filter(|pair| pair.1 == 429).collect();
    assert_eq!(limited.len(), 9, "{answered:?}");
}

/// Existing resources for the calls.
#[derive(Default)]
struct Fixtures {
    submitted: Vec<Submitted>,
    awaiting: Vec<CreatedRequest>,
    /// Requests to be deleted.
    to_delete: Vec<CreatedRequest>,
    /// Access token of another request.
    other_token: String,
}

impl Fixtures {
    async fn create(server: &ReleaseServer) -> Self {
        let mut fixtures = Self {
            other_token: server.create().await.access_token,
            ..Self::default()
        };
        for _ in 0..2 {
            fixtures.submitted.push(server.submit_recording().await);
            fixtures.awaiting.push(server.create().await);
        }
        for _ in 0..20 {
            fixtures.to_delete.push(server.create().await);
        }
        fixtures
    }

    fn to_json(&self, submits: bool) -> Value {
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
            "to_delete": self.to_delete.iter().map(created).collect::<Value>(),
            "other_token": self.other_token,
            "submits": submits,
        })
    }
}

impl Run {
    /// Runs schemathesis, which must find nothing. Returns the responses seen.
    async fn execute(&self, server: &ReleaseServer, fixtures: &Fixtures) -> BTreeSet<Pair> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        let json = fixtures.to_json(self.submits).to_string();
        fs::write(file("fixtures.json"), json).expect("a file");
        let mut schemathesis = TOOLS.python("schemathesis");
        schemathesis
            .arg("--config-file")
            .arg(TOOLS.file("openapi/schemathesis.toml"))
            .args(["run", &server.openapi_url(), "--checks", "all"])
            .args(["--phases", self.phases])
            .args(["--max-examples", &self.examples.to_string()])
            .args(
                self.excluded_check
                    .iter()
                    .flat_map(|it| ["--exclude-checks", it]),
            )
            .env("SCHEMATHESIS_HOOKS", TOOLS.file("openapi/hooks.py"))
            .env("CLIENT", self.client)
            .env("RECORDING", recording_path())
            .env("FIXTURES", file("fixtures.json"))
            .env("RESPONSES", file("responses.json"));
        run(&mut schemathesis, folder.path()).await;
        let answered = fs::read_to_string(file("responses.json")).expect("responses");
        let answered: BTreeSet<Pair> = serde_json::from_str(&answered).expect("pairs");
        println!("{} ({}): {answered:?}", self.client, self.phases);
        answered
    }
}

/// All responses that a document describes.
fn described(openapi: &Value) -> BTreeSet<Pair> {
    let paths = openapi["paths"].as_object().expect("paths");
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
