//! What a run of the fault tests tells.

/// What tests say that miss something, or find it changed or back.
const LOSSES: [&str; 18] = [
    // The audit and the check after a fault.
    "bytes are lost",
    "bytes differ",
    "not all is removed",
    "rows and objects contradict each other",
    "check --deep finds",
    // Clients.
    "taken back",
    "a submission is lost",
    "a video differs",
    "it is back",
    "another key",
    // The answer to them, of what they were told that it is there.
    "404 Not Found",
    "left: 404",
    "401 Unauthorized",
    "left: 401",
    // A server that doesn't start on what a power cut has left.
    "can't use the key of receipts",
    "isn't the blob folder of this database",
    "database disk image is malformed",
    // The order of system calls.
    "is not synced in time",
];

/// Lines of a message, at most: those of an assertion and of its two values.
const MESSAGE: usize = 3;

/// Whether a test that failed with these words says that something is lost.
/// A harness that breaks isn't that.
pub fn reports_loss(why: &str) -> bool {
    LOSSES.iter().any(|it| why.contains(it))
}

/// The tests that passed and failed on a server.
pub struct Results {
    pub passed: Vec<String>,
    /// With what each said when it failed.
    pub failed: Vec<(String, String)>,
}

impl Results {
    /// Parses what Rust's test runner prints.
    pub fn parse(printed: &str) -> Self {
        let printed = &without_slow_notes(printed);
        let named = |suffix: &str| -> Vec<String> {
            let names = printed
                .lines()
                .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(suffix));
            names.map(str::to_owned).collect()
        };
        let why = |test: &str| {
            let (_, output) = printed.split_once(&format!("---- {test} stdout ----"))?;
            let output = output.split("\n---- ").next()?;
            let panics = output.split(" panicked at ").skip(1).map(message);
            Some(panics.collect::<Vec<_>>().join("; "))
        };
        let failed = named(" ... FAILED").into_iter();
        Self {
            passed: named(" ... ok"),
            failed: failed
                .map(|test| {
                    let why = why(&test).filter(|it| !it.is_empty());
                    (test, why.unwrap_or_else(|| "no panic".to_owned()))
                })
                .collect(),
        }
    }

    /// The names of the tests that failed.
    pub fn failed_names(&self) -> String {
        let names: Vec<_> = self.failed.iter().map(|it| it.0.as_str()).collect();
        names.join(", ")
    }
}

/// Removes what is printed between the name of a test and its result when that takes more than a minute.
fn without_slow_notes(printed: &str) -> String {
    let is_note = |line: &&str| line.contains(" has been running for over ");
    let lines = printed.split_inclusive('\n');
    lines
        .map(
            |line| match line.rfind("test ").filter(|_| is_note(&line)) {
                Some(note) => &line[..note],
                None => line,
            },
        )
        .collect()
}

/// The message of a panic, below the line with its position in the source.
fn message(panic: &str) -> String {
    let lines = panic.lines().skip(1).map(str::trim);
    let is_message = |it: &&str| {
        let is_next = ["stack backtrace:", "note: "]
            .iter()
            .any(|next| it.starts_with(next));
        !it.is_empty() && !is_next
    };
    let lines: Vec<&str> = lines.take_while(is_message).take(MESSAGE).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_test_is_named_with_what_it_said() {
        let printed = "running 4 tests\n\
                       test power::a ... test power::a has been running for over 60 seconds\nok\n\
                       test power::b ... FAILED\n\
                       test power::c ... FAILED\n\
                       test power::d ... FAILED\n\n\
                       failures:\n\n\
                       ---- power::b stdout ----\n\n\
                       thread 'power::b' (7) panicked at server/tests/faults/audit.rs:1:2:\n\
                       bytes are lost\nstack backtrace:\n\n\
                       ---- power::c stdout ----\n\n\
                       thread 'power::c' (8) panicked at server/tests/faults/power/machine.rs:1:2:\n\
                       the machine halted by itself\n\n\
                       ---- power::d stdout ----\n\n\
                       thread 'power::d' (9) panicked at crates/test-support/src/polling.rs:1:2:\n\
                       the condition held in time\nstack backtrace:\n   0: main\n\
                       thread 'power::d' (9) panicked at server/tests/faults/power/installation.rs:1:2:\n\
                       assertion `left == right` failed: check --deep finds missing: a\n  left: \"1\"\n right: \"0\"\n\
                       stack backtrace:\n";
        let results = Results::parse(printed);
        assert_eq!(results.passed, ["power::a"]);
        let check = "assertion `left == right` failed: check --deep finds missing: a left: \"1\" right: \"0\"";
        let waited = format!("the condition held in time; {check}");
        let failed = [
            ("power::b", "bytes are lost", true),
            ("power::c", "the machine halted by itself", false),
            ("power::d", waited.as_str(), true),
        ];
        for (_, why, lost) in failed {
            assert_eq!(reports_loss(why), lost, "{why}");
        }
        let failed = failed.map(|(test, why, _)| (test.to_owned(), why.to_owned()));
        assert_eq!(results.failed, failed);
    }
}
