//! When an element is shown: the attributes that the island evaluates, and the initial visibility.

use leptos::attr::custom::custom_attribute;
use leptos::attr::{Attribute, hidden};

use crate::recorder::bindings::Flag;

/// A condition on a flag.
#[derive(Clone, Copy, Debug)]
pub(in crate::pages::record) enum FlagIs {
    /// The flag is set.
    Set(Flag),
    /// The flag isn't set.
    Unset(Flag),
}

use FlagIs::{Set, Unset};

/// Shown in these states, separated by spaces.
pub(in crate::pages::record) fn shown_in(states: &'static str) -> impl Attribute {
    (
        custom_attribute("data-when", states),
        hidden(!is_initial(states)),
    )
}

/// Shown while all conditions hold.
pub(in crate::pages::record) fn shown_if(conditions: &[FlagIs]) -> impl Attribute + use<> {
    (
        custom_attribute("data-if", flag_names(conditions)),
        hidden(!hold_initially(conditions)),
    )
}

/// Shown in these states while all conditions hold.
pub(in crate::pages::record) fn shown_in_if(
    states: &'static str,
    conditions: &[FlagIs],
) -> impl Attribute + use<> {
    (
        custom_attribute("data-when", states),
        custom_attribute("data-if", flag_names(conditions)),
        hidden(!(is_initial(states) && hold_initially(conditions))),
    )
}

/// Whether one of the states is `idle`, in which the page begins.
fn is_initial(states: &str) -> bool {
    states.split(' ').any(|state| state == "idle")
}

/// Whether the conditions hold in the beginning, when no flag is set.
fn hold_initially(conditions: &[FlagIs]) -> bool {
    conditions.iter().all(|it| matches!(it, Unset(_)))
}

fn flag_names(conditions: &[FlagIs]) -> String {
    let names: Vec<_> = conditions
        .iter()
        .map(|it| match it {
            Set(flag) => flag.name().to_owned(),
            Unset(flag) => format!("!{}", flag.name()),
        })
        .collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_initial_state_is_visible_at_first() {
        assert!(is_initial("requesting-access idle"));
        assert!(!is_initial("preview"));
        assert!(hold_initially(&[Unset(Flag::Dark), Unset(Flag::Silent)]));
        assert!(!hold_initially(&[Unset(Flag::Dark), Set(Flag::Silent)]));
    }

    #[test]
    fn conditions_are_written_as_the_island_parses_them() {
        let conditions = [Set(Flag::HasScreen), Unset(Flag::IsHandheld)];
        assert_eq!(flag_names(&conditions), "has-screen !is-handheld");
    }
}
