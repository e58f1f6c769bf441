//! What a run of the fault tests tells.

/// The tests that passed and failed on a server.
pub struct Results {
    pub passed: Vec<String>,
    /// With what each said when it failed: a harness that breaks isn't lost data.
    pub failed: Vec<(String, String)>,
}

impl Results {
    /// Parses what Rust's test runner prints.
    pub fn parse(printed: &str) -> Self {
        let named = |suffix: &str| -> Vec<String> {
            let names = printed
                .lines()
                .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(suffix));
            names.map(str::to_owned).collect()
        };
        let why = |test: &str| {
            let (_, output) = printed.split_once(&format!("---- {test} stdout ----"))?;
            let (_, message) = output.split_once(" panicked at ")?;
            // Below the line with the position in the source.
            message.lines().nth(1)
        };
        let failed = named(" ... FAILED").into_iter();
        Self {
            passed: named(" ... ok"),
            failed: failed
                .map(|test| {
                    let why = why(&test).unwrap_or("no panic").to_owned();
                    (test, why)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_test_is_named_with_what_it_said() {
        let printed = "running 3 tests\n\
                       test power::a ... ok\n\
                       test power::b ... FAILED\n\
                       test power::c ... FAILED\n\n\
                       failures:\n\n\
                       ---- power::b stdout ----\n\n\
                       thread 'power::b' (7) panicked at server/tests/faults/audit.rs:1:2:\n\
                       bytes are lost\nstack backtrace:\n\n\
                       ---- power::c stdout ----\n\n\
                       thread 'power::c' (8) panicked at server/tests/faults/power/machine.rs:1:2:\n\
                       the machine halted by itself\n";
        let results = Results::parse(printed);
        assert_eq!(results.passed, ["power::a"]);
        let failed = [
            ("power::b", "bytes are lost"),
            ("power::c", "the machine halted by itself"),
        ];
        let failed = failed.map(|(test, why)| (test.to_owned(), why.to_owned()));
        assert_eq!(results.failed, failed);
    }
}
