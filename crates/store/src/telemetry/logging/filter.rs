//! What is logged: the value of `--log`.
//!
//! Stricter than tracing-subscriber's own syntax, which takes any word for the name of a target: `verbose` would be one,
//! and silence everything else.

use std::str::FromStr;

use tracing_subscriber::EnvFilter;

use super::{OWN_TARGETS, may_be_target};

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Levels of log lines, for all targets or by target. Valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter(String);

impl LogFilter {
    /// The filter of tracing-subscriber. The level of `server` is also that of `store`, unless that has its own: to operators
    /// they are one program.
    pub(super) fn to_env_filter(&self) -> EnvFilter {
        EnvFilter::new(self.directives())
    }

    fn directives(&self) -> String {
        let level = |target: &str| {
            let mut levels = self.0.split(',').filter_map(|it| it.split_once('='));
            levels.find_map(|(name, level)| (name == target).then_some(level))
        };
        match (level("server"), level("store")) {
            (Some(level), None) => format!("{},store={level}", self.0),
            _ => self.0.clone(),
        }
    }
}

impl FromStr for LogFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split(',').all(is_directive) {
            true => Ok(Self(text.to_owned())),
            false => Err(format!(
                "give a level, which is {}, or also levels of targets, such as access_log=warn,info; targets are {}",
                LEVELS.join(", "),
                OWN_TARGETS.join(", ")
            )),
        }
    }
}

fn is_directive(text: &str) -> bool {
    match text.split_once('=') {
        Some((target, level)) => may_be_target(target) && is_level(level),
        None => is_level(text),
    }
}

fn is_level(text: &str) -> bool {
    LEVELS.iter().any(|it| it.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_the_server_is_that_of_its_store() {
        for (text, want) in [
            ("server=debug", "server=debug,store=debug"),
            (
                "warn,server=info,net=trace",
                "warn,server=info,net=trace,store=info",
            ),
            ("server=debug,store=warn", "server=debug,store=warn"),
            ("server::mcp=debug", "server::mcp=debug"),
            ("info", "info"),
        ] {
            assert_eq!(LogFilter(text.to_owned()).directives(), want);
        }
    }

    #[test]
    fn a_filter_is_made_of_levels_and_known_targets() {
        for text in [
            "info",
            "DEBUG",
            "off",
            "access_log=warn,info",
            "server::service::sealing=debug,net=trace,warn",
        ] {
            assert_eq!(text.parse(), Ok(LogFilter(text.to_owned())), "{text}");
        }
        for text in [
            "",
            "verbose",
            "info,",
            "access_log",
            "acces_log=warn",
            "info=info",
            "net=loud",
        ] {
            let error = text.parse::<LogFilter>().expect_err(text);
            assert!(
                error.contains("off, error, warn, info, debug, trace"),
                "{error}"
            );
            assert!(error.contains("access_log"), "{error}");
        }
    }
}
