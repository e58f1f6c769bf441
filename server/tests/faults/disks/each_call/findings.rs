//! What the stories with failing calls have shown.

use std::collections::BTreeMap;

use app::api::ErrorBody;

use super::cases::{Case, Fault, kind};
use test_support::clients::retrying_client::Failure;

/// The answer to a submission while a failed job waits for its next attempt.
const STILL_SEALING: &str = "503 still_sealing";

/// What all stories together have shown.
#[derive(Debug, Default)]
pub struct Findings {
    /// Stories that had the call that was to fail.
    pub reached: usize,
    /// Failed calls, by their kind.
    failed: BTreeMap<String, usize>,
    /// Failed answers, by the fault and their code, and failed commands.
    answers: BTreeMap<(Fault, String), usize>,
}

impl Findings {
    /// Notes what has failed, and asserts that each failed answer and command says so as it should, and that one failed
    /// call fails one of them.
    pub fn note(
        &mut self,
        case: Case,
        call: &str,
        has_failed: bool,
        answers: &[Failure],
        commands: &[String],
    ) {
        if has_failed {
            self.reached += 1;
            *self.failed.entry(kind(call)).or_default() += 1;
        }
        let mut codes: Vec<String> = answers.iter().map(code).collect();
        for printed in commands {
            assert_is_error(printed);
            codes.push("a command".to_owned());
        }
        let failed = codes.iter().filter(|code| *code != STILL_SEALING).count();
        assert!(
            case.fault == Fault::FullFrom || failed <= 1,
            "{case:?}, {call}: {codes:?} {commands:?}"
        );
        for code in codes {
            *self.answers.entry((case.fault, code)).or_default() += 1;
        }
    }
}

/// Asserts that a failed command says why, and hasn't panicked.
pub fn assert_is_error(printed: &str) {
    let says_why = printed.lines().any(|it| it.starts_with("Error: "));
    assert!(says_why && !printed.contains("panicked"), "{printed}");
}

/// Status and code of a failed answer.
/// That to a HEAD has no body, and so no code; the form of a report is answered by a page.
fn code(failure: &Failure) -> String {
    let Some((status, body)) = &failure.answer else {
        panic!("no answer: {failure:?}");
    };
    let status = status.as_u16();
    if body.is_empty() {
        return status.to_string();
    }
    if failure.url.ends_with("/report") && body.starts_with(b"<!DOCTYPE html>") {
        return format!("{status} page");
    }
    let body: ErrorBody = serde_json::from_slice(body).expect("the envelope");
    format!("{status} {}", body.error.code)
}
