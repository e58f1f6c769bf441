//! When something is shown: for the island to follow, and right from the start.

use leptos::attr::custom::custom_attribute;
use leptos::attr::{Attribute, hidden};

use crate::recorder::bindings::Flag;

/// A condition beside the state.
#[derive(Clone, Copy, Debug)]
pub(super) enum While {
    /// The flag is up.
    Up(Flag),
    /// It isn't.
    Down(Flag),
}

use While::{Down, Up};

/// Shown in these states, blank-separated.
pub(super) fn during(states: &'static str) -> impl Attribute {
    (
        custom_attribute("data-when", states),
        hidden(!begins(states)),
    )
}

/// Shown while all of these hold.
pub(super) fn given(conditions: &[While]) -> impl Attribute + use<> {
    (
        custom_attribute("data-if", names(conditions)),
        hidden(!hold(conditions)),
    )
}

/// Shown in these states while all of these hold.
pub(super) fn during_given(states: &'static str, conditions: &[While]) -> impl Attribute + use<> {
    (
        custom_attribute("data-when", states),
        custom_attribute("data-if", names(conditions)),
        hidden(!(begins(states) && hold(conditions))),
    )
}

/// A page begins in the state `idle`.
fn begins(states: &str) -> bool {
    states.split(' ').any(|state| state == "idle")
}

/// And with all flags down.
fn hold(conditions: &[While]) -> bool {
    conditions.iter().all(|it| matches!(it, Down(_)))
}

fn names(conditions: &[While]) -> String {
    let names: Vec<_> = conditions
        .iter()
        .map(|it| match it {
            Up(flag) => flag.name().to_owned(),
            Down(flag) => format!("!{}", flag.name()),
        })
        .collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_belongs_to_the_beginning_is_shown_at_first() {
        assert!(begins("asking idle"));
        assert!(!begins("preview"));
        assert!(hold(&[Down(Flag::Dark), Down(Flag::Unheard)]));
        assert!(!hold(&[Down(Flag::Dark), Up(Flag::Unheard)]));
    }

    #[test]
    fn conditions_are_written_as_the_island_reads_them() {
        let conditions = [Up(Flag::HasScreen), Down(Flag::IsHandheld)];
        assert_eq!(names(&conditions), "has-screen !is-handheld");
    }
}
