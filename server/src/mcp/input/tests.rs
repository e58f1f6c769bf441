use serde_json::json;

use super::*;

fn arguments(value: Value) -> Option<JsonObject> {
    value.as_object().cloned()
}

#[test]
fn numbers_may_be_written_as_agents_write_them() {
    let given = json!({"prompt": "a", "expires_in_hours": 24.0});
    let input: RequestVideo = read(arguments(given)).expect("an input");
    assert_eq!(input.expires_in_hours, 24);
    let given = json!({"prompt": "a", "expires_in_hours": "24"});
    let input: RequestVideo = read(arguments(given)).expect("an input");
    assert_eq!(input.expires_in_hours, 24);
    for (given, want) in [
        (json!(60), 45),
        (json!("45"), 45),
        (json!(-1), 0),
        (json!(1e300), 45),
        (json!(2.0), 2),
        (Value::Null, 0),
    ] {
        let given = json!({"request_id": "a", "access_token": "b", "wait_seconds": given});
        let input: GetEvidence = read(arguments(given.clone())).expect("an input");
        assert_eq!(input.wait, Duration::from_secs(want), "{given}");
    }
    let given = json!({"request_id": "a", "access_token": "b", "delivery": null});
    let input: GetEvidence = read(arguments(given)).expect("an input");
    assert_eq!(
        (input.wait, input.delivery),
        (Duration::ZERO, Delivery::Auto)
    );
    assert_eq!(input.moments().ok(), Some(None));
}

#[test]
fn moments_are_one_time_or_a_span() {
    let moments = |given: Value| {
        let mut all = json!({"request_id": "a", "access_token": "b"});
        let all = all.as_object_mut().expect("an object");
        all.extend(arguments(given).expect("an object"));
        let input: GetEvidence = read(Some(all.clone()))?;
        input.moments()
    };
    for (given, want) in [
        (json!({}), None),
        (json!({"at_ms": null}), None),
        (json!({"at_ms": 7040.4}), Some(Moments::At(7040))),
        (
            json!({"at_ms": "7040", "full_resolution": "true"}),
            Some(Moments::At(7040)),
        ),
        (
            json!({"from_ms": 5000}),
            Some(Moments::Between(5000, u64::MAX)),
        ),
        (json!({"to_ms": 1e300}), Some(Moments::Between(0, u64::MAX))),
        (
            json!({"from_ms": 1, "to_ms": 2}),
            Some(Moments::Between(1, 2)),
        ),
    ] {
        assert_eq!(moments(given.clone()).ok(), Some(want), "{given}");
    }
    for given in [
        json!({"at_ms": -1}),
        json!({"at_ms": "soon"}),
        json!({"at_ms": 1, "from_ms": 0}),
        json!({"from_ms": 2, "to_ms": 1}),
        json!({"full_resolution": true}),
        json!({"full_resolution": 1}),
    ] {
        assert!(moments(given.clone()).is_err(), "{given}");
    }
}
