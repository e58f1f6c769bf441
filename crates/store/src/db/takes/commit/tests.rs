use super::*;

fn take(committed: u64, length: Option<u64>) -> Take {
    Take {
        committed,
        length,
        ..Take::begun(TakeId::random(), RequestId::random(), 0)
    }
}

#[test]
fn an_append_begins_at_the_end_and_contradicts_no_length() {
    for (declared, at, length, want) in [
        (None, 10, None, true),
        (None, 9, None, false),
        (None, 11, None, false),
        (None, 10, Some(10), true),
        (None, 10, Some(11), true),
        (None, 10, Some(9), false),
        (Some(20), 10, None, true),
        (Some(20), 10, Some(20), true),
        (Some(20), 10, Some(19), false),
        (Some(20), 10, Some(21), false),
        // Shorter than what is committed, whatever a row says.
        (Some(9), 10, Some(9), false),
    ] {
        let accepts = take(10, declared).accepts(at, length);
        assert_eq!(accepts, want, "{declared:?}, {at}, {length:?}");
    }
}

#[test]
fn nothing_is_appended_to_a_complete_or_poisoned_take() {
    let complete = Take {
        state: TakeState::Complete,
        ..take(10, None)
    };
    let poisoned = Take {
        poisoned: true,
        ..take(10, None)
    };
    assert!(!complete.accepts(10, None) && !poisoned.accepts(10, None));
}
