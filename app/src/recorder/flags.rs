//! Which flags are up, and what the markup makes of them. Pure.

use super::bindings::Flag;
use super::state::Phase;

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u64);

impl Flags {
    /// Whether this one is up.
    pub fn has(self, flag: Flag) -> bool {
        self.0 & bit(flag) != 0
    }

    /// The same, with this one up or down.
    pub fn with(self, flag: Flag, up: bool) -> Self {
        if up {
            Self(self.0 | bit(flag))
        } else {
            Self(self.0 & !bit(flag))
        }
    }

    /// The same, with these down.
    pub fn without(self, flags: &[Flag]) -> Self {
        flags.iter().fold(self, |all, flag| all.with(*flag, false))
    }
}

/// There are fewer of them than bits.
fn bit(flag: Flag) -> u64 {
    1 << flag as u32
}

/// When something is shown: `data-when` and `data-if`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// In one of these states; none: in all.
    states: Vec<String>,
    /// While all of these are up, or down.
    flags: Vec<(Flag, bool)>,
}

impl Condition {
    /// As the markup says it. What names no flag counts for nothing.
    pub fn parse(when: &str, flags: &str) -> Self {
        let flags = flags.split_ascii_whitespace().filter_map(|word| {
            let (name, up) = match word.strip_prefix('!') {
                Some(name) => (name, false),
                None => (word, true),
            };
            Some((Flag::named(name)?, up))
        });
        Self {
            states: when.split_ascii_whitespace().map(str::to_owned).collect(),
            flags: flags.collect(),
        }
    }

    /// Whether it holds.
    pub fn holds(&self, phase: Phase, flags: Flags) -> bool {
        let name = phase.name();
        let group = name.split('-').next().unwrap_or(name);
        let here = self.states.iter().any(|it| it == name || it == group);
        (here || self.states.is_empty())
            && self.flags.iter().all(|(flag, up)| flags.has(*flag) == *up)
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{Ending, Obstacle};
    use super::*;

    #[test]
    fn flags_go_up_and_down_alone() {
        let flags = Flags::default()
            .with(Flag::Dark, true)
            .with(Flag::Unheard, true);
        let flags = flags.with(Flag::Dark, false);
        assert!(!flags.has(Flag::Dark) && flags.has(Flag::Unheard));
        assert_eq!(flags.without(&[Flag::Unheard]), Flags::default());
    }

    #[test]
    fn there_is_a_bit_for_each_flag() {
        let all = Flag::ALL
            .iter()
            .fold(Flags::default(), |all, flag| all.with(*flag, true));
        assert_eq!(all.0.count_ones() as usize, Flag::ALL.len());
    }

    #[test]
    fn conditions_hold() {
        let offline = Flags::default().with(Flag::Offline, true);
        for (when, flags, phase, up, want) in [
            ("", "", Phase::Idle, offline, true),
            ("idle review", "", Phase::Review, offline, true),
            ("idle review", "", Phase::Preview, offline, false),
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
            ("over", "", Phase::Over(Ending::TooLarge), offline, true),
            ("", "offline", Phase::Idle, offline, true),
            ("", "!offline", Phase::Idle, offline, false),
            ("idle", "offline !dark", Phase::Idle, offline, true),
            ("idle", "offline dark", Phase::Idle, offline, false),
            ("review", "offline", Phase::Idle, offline, false),
        ] {
            let condition = Condition::parse(when, flags);
            assert_eq!(
                condition.holds(phase, up),
                want,
                "{when:?} {flags:?} {phase:?}"
            );
        }
    }
}
