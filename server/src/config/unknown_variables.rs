//! Variables that look like settings and are none, such as `VIDENCE_MAX_TAKE`: they have no effect, and nothing else
//! would say so.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use clap::Command;

use super::secret_files;

const PREFIX: &str = "VIDENCE_";

/// What Kubernetes sets in every container for a Service of this name.
const KUBERNETES: [&str; 2] = ["VIDENCE_SERVICE_", "VIDENCE_PORT"];

/// The similarity from which on a name is suggested, as clap suggests flags.
const MIN_SIMILARITY: f64 = 0.8;

/// A warning for each name of a variable that is no setting.
pub(super) fn warnings(cli: &Command, names: impl Iterator<Item = String>) -> Vec<String> {
    let known = known(cli);
    let unknown = names.filter(|it| {
        it.starts_with(PREFIX)
            && !known.contains(it)
            && !KUBERNETES.iter().any(|own| it.starts_with(own))
    });
    unknown.map(|name| warning(&name, &known)).collect()
}

fn known(command: &Command) -> BTreeSet<String> {
    let variables = command.get_arguments().flat_map(|setting| {
        let own = setting.get_env().and_then(OsStr::to_str).map(str::to_owned);
        own.into_iter().chain(secret_files::variable_of(setting))
    });
    variables
        .chain(command.get_subcommands().flat_map(known))
        .collect()
}

fn warning(name: &str, known: &BTreeSet<String>) -> String {
    // Without the prefix, which makes all names alike.
    let similarity = |it: &str| strsim::jaro(&it[PREFIX.len()..], &name[PREFIX.len()..]);
    let nearest = known
        .iter()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    match nearest.filter(|it| similarity(it) >= MIN_SIMILARITY) {
        Some(nearest) => format!("{name} is no setting, and has no effect; is it {nearest}?"),
        None => format!("{name} is no setting, and has no effect"),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::config::Config;

    #[test]
    fn a_misspelt_variable_is_reported_with_the_nearest_setting() {
        let cli = Config::command();
        for (name, want) in [
            ("VIDENCE_MAX_TAKE", Some("VIDENCE_MAX_TAKES")),
            ("VIDENCE_PUBLICURL", Some("VIDENCE_PUBLIC_URL")),
            (
                "VIDENCE_DATABASE_URL_FIL",
                Some("VIDENCE_DATABASE_URL_FILE"),
            ),
            ("VIDENCE_TRUSTED_PROXY", Some("VIDENCE_TRUSTED_PROXIES")),
            ("VIDENCE_XYZ", None),
        ] {
            let warnings = warnings(&cli, [name.to_owned()].into_iter());
            let [warning] = &warnings[..] else {
                panic!("{warnings:?}");
            };
            let suggested = want.map(|it| format!("; is it {it}?"));
            let suggested = suggested.as_deref().unwrap_or_default();
            assert_eq!(
                *warning,
                format!("{name} is no setting, and has no effect{suggested}")
            );
        }
        let fine = [
            "VIDENCE_LISTEN",
            "VIDENCE_LOG",
            "VIDENCE_TRANSCRIBER_KEY_FILE",
            "VIDENCE_SERVICE_HOST",
            "VIDENCE_PORT_80_TCP",
            "PATH",
        ];
        assert_eq!(
            warnings(&cli, fine.map(str::to_owned).into_iter()),
            Vec::<String>::new()
        );
    }
}
