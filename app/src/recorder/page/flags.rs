//! Flags, and the conditions in the markup that depend on them. Pure.

use crate::recorder::bindings::Flag;
use crate::recorder::state::Phase;

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u64);

impl Flags {
    /// Whether a flag is set.
    pub fn contains(self, flag: Flag) -> bool {
        self.0 & bit(flag) != 0
    }

    /// The set with this flag set or cleared.
    pub fn with(self, flag: Flag, on: bool) -> Self {
        if on {
            Self(self.0 | bit(flag))
        } else {
            Self(self.0 & !bit(flag))
        }
    }

    /// The set with these flags cleared.
    pub fn without(self, flags: &[Flag]) -> Self {
        flags.iter().fold(self, |all, flag| all.with(*flag, false))
    }
}

/// There are fewer flags than bits; a test counts them.
fn bit(flag: Flag) -> u64 {
    1 << flag as u32
}

/// When an element is shown: its `data-when` and `data-if`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// The element is shown in these states; empty: in all.
    states: Vec<String>,
    /// Flags, and whether each has to be set.
    flags: Vec<(Flag, bool)>,
}

impl Condition {
    /// Parses `data-when` and `data-if`. Unknown flags are ignored.
    pub fn parse(states: &str, flags: &str) -> Self {
        let flags = flags.split_ascii_whitespace().filter_map(|word| {
            let (name, on) = match word.strip_prefix('!') {
                Some(name) => (name, false),
                None => (word, true),
            };
            Some((Flag::from_name(name)?, on))
        });
        Self {
            states: states.split_ascii_whitespace().map(str::to_owned).collect(),
            flags: flags.collect(),
        }
    }

    /// Whether the element is shown in this state with these flags.
    pub fn holds(&self, phase: Phase, flags: Flags) -> bool {
        let name = phase.name();
        let group = name.split('-').next().unwrap_or(name);
        let matches = self.states.iter().any(|it| it == name || it == group);
        (matches || self.states.is_empty())
            && self
                .flags
                .iter()
                .all(|(flag, on)| flags.contains(*flag) == *on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::state::{Ending, Obstacle};

    #[test]
    fn flags_are_set_and_cleared_independently() {
        let flags = Flags::default()
            .with(Flag::Dark, true)
            .with(Flag::Silent, true);
        let flags = flags.with(Flag::Dark, false);
        assert!(!flags.contains(Flag::Dark) && flags.contains(Flag::Silent));
        assert_eq!(flags.without(&[Flag::Silent]), Flags::default());
    }

    #[test]
    fn every_flag_has_a_bit() {
        let all = Flag::ALL
            .iter()
            .fold(Flags::default(), |all, flag| all.with(*flag, true));
        assert_eq!(all.0.count_ones() as usize, Flag::ALL.len());
    }

    #[test]
    fn conditions_depend_on_state_and_flags() {
        let offline = Flags::default().with(Flag::Offline, true);
        let too_large = Phase::Ended {
            ending: Ending::TooLarge,
            recording: None,
        };
        for (states, flags, phase, set, want) in [
            ("", "", Phase::Idle, offline, true),
            ("idle review", "", Phase::Review, offline, true),
            ("idle review", "", Phase::ConfirmingDiscard, offline, false),
            (
                "blocked",
                "",
                Phase::Blocked(Obstacle::NoCamera),
                offline,
                true,
            ),
            (
                "blocked-no-camera",
                "",
                Phase::Blocked(Obstacle::NoCamera),
                offline,
                true,
            ),
            (
                "blocked-busy",
                "",
                Phase::Blocked(Obstacle::NoCamera),
                offline,
                false,
            ),
            ("ended", "", too_large, offline, true),
            ("", "offline", Phase::Idle, offline, true),
            ("", "!offline", Phase::Idle, offline, false),
            ("idle", "offline !dark", Phase::Idle, offline, true),
            ("idle", "offline dark", Phase::Idle, offline, false),
            ("review", "offline", Phase::Idle, offline, false),
        ] {
            let condition = Condition::parse(states, flags);
            assert_eq!(
                condition.holds(phase, set),
                want,
                "{states:?} {flags:?} {phase:?}"
            );
        }
    }
}
