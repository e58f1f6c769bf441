//! The timeouts of each phase, by a clock that the tests move.

use super::*;
use crate::progress::MIN_PROGRESS;

fn timeouts() -> Timeouts {
    Timeouts::default()
}

fn second(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn accepted(now: Instant) -> Activity {
    Activity::new(now, 0.0)
}

fn http2(now: Instant) -> Activity {
    let mut activity = accepted(now);
    activity.multiplex();
    activity
}

/// Sends a request without a body.
fn request(activity: &mut Activity, now: Instant) {
    activity.read(100, now);
    activity.begin(false, now);
}

/// A connection between two requests, with this fraction of the spread.
fn idle(now: Instant, share: f64) -> Activity {
    let mut activity = Activity::new(now, share);
    request(&mut activity, now);
    activity.end(now);
    activity
}

/// Evaluates the connection at the times it asks for, and returns after how long it ends, and why.
fn end_of(activity: &mut Activity, from: Instant) -> (Duration, Decision) {
    let mut now = from;
    loop {
        match activity.evaluate(now, false, &timeouts()) {
            Decision::RecheckAt(next) => now = next,
            over => return (now - from, over),
        }
    }
}

fn is_open(activity: &mut Activity, now: Instant, is_crowded: bool) -> bool {
    let decision = activity.evaluate(now, is_crowded, &timeouts());
    matches!(decision, Decision::RecheckAt(_))
}

/// When the connection stalls within ten minutes, if it does. `happens` is called each second.
fn stalls(
    activity: &mut Activity,
    start: Instant,
    is_crowded: bool,
    mut happens: impl FnMut(&mut Activity, u64),
) -> Option<Duration> {
    (0..600).find_map(|n| {
        happens(activity, n);
        let decision = activity.evaluate(start + second(n), is_crowded, &timeouts());
        (decision == Decision::Stalled).then(|| second(n))
    })
}

/// A step that writes this many bytes every ten seconds.
fn writes(bytes: usize) -> impl Fn(&mut Activity, u64) {
    move |activity, n| {
        if n % 10 == 0 {
            activity.wrote(bytes);
        }
    }
}

/// Compares with the documented figures instead of [`Timeouts`].
#[test]
fn timeouts_are_as_documented() {
    let start = Instant::now();
    let mut head = accepted(start);
    head.read(1, start);
    assert_eq!(end_of(&mut head, start), (second(15), Decision::Stalled));
    for (share, unused, between) in [(0.0, 30, 620), (1.0, 45, 635)] {
        let mut never_used = Activity::new(start, share);
        let end = (second(unused), Decision::Idle);
        assert_eq!(end_of(&mut never_used, start), end);
        let mut idle = idle(start, share);
        assert_eq!(end_of(&mut idle, start), (second(between), Decision::Idle));
        for activity in [&mut never_used, &mut idle] {
            assert!(is_open(activity, start + second(4), true));
            assert!(!is_open(activity, start + second(5), true));
        }
    }
    assert_eq!(timeouts().handshake, second(30));
    assert_eq!(timeouts().silence, second(75));
    assert_eq!((STALL, MIN_PROGRESS), (second(120), 1024));
}

#[test]
fn a_trickle_is_stalled_and_a_slow_transfer_is_not() {
    let start = Instant::now();
    let stalls_with = |bytes| {
        let mut activity = accepted(start);
        request(&mut activity, start);
        stalls(&mut activity, start, false, writes(bytes))
    };
    // 1 KiB must move within two minutes.
    assert_eq!(stalls_with(0), Some(STALL));
    assert_eq!(stalls_with(1024 / 12 - 10), Some(STALL));
    assert_eq!(stalls_with(1024 / 12 + 10), None);
}

#[test]
fn after_the_shutdown_notice_idle_connections_close_and_requests_go_on() {
    let start = Instant::now();
    let told_at = start + timeouts().idle;
    let grace = (SHUTDOWN_GRACE, Decision::Idle);
    let told = || {
        let mut activity = http2(start);
        request(&mut activity, start);
        activity.end(start);
        activity.announce_shutdown(told_at);
        activity
    };
    assert_eq!(end_of(&mut told(), told_at), grace);

    let mut half_a_head = accepted(start);
    half_a_head.read(1, start);
    half_a_head.announce_shutdown(told_at);
    assert_eq!(end_of(&mut half_a_head, told_at), grace);

    let mut requesting = told();
    request(&mut requesting, told_at + second(1));
    assert_eq!(end_of(&mut requesting, told_at).1, Decision::Stalled);
    requesting.end(told_at + second(50));
    let later = (second(50) + SHUTDOWN_GRACE, Decision::Idle);
    assert_eq!(end_of(&mut requesting, told_at), later);

    let mut sending = told();
    sending.blocked();
    assert_eq!(end_of(&mut sending, told_at), (STALL, Decision::Stalled));
    sending.flushed(told_at + second(50));
    assert_eq!(end_of(&mut sending, told_at), later);
}

#[test]
fn a_head_times_out_even_in_many_pieces() {
    let end = (timeouts().head, Decision::Stalled);
    let start = Instant::now();
    let second_head = start + second(60);
    for (mut slow, from) in [
        (accepted(start), start),
        (idle(start, 0.0), second_head),
        // Idle connections have a random time longer, heads haven't.
        (Activity::new(start, 1.0), start),
    ] {
        for n in 0..14 {
            slow.read(1, from + second(n));
            assert!(is_open(&mut slow, from + second(n), false));
        }
        assert_eq!(end_of(&mut slow, from), end);
    }
}

#[test]
fn many_long_polls_on_one_connection_are_not_a_stall() {
    let start = Instant::now();
    let mut agent = http2(start);
    agent.begin(false, start);
    for n in 1..100 {
        let now = start + second(50 * n);
        agent.begin(false, now);
        agent.wrote(10);
        agent.end(now);
        assert!(is_open(&mut agent, now, false));
    }
}

#[test]
fn pings_are_no_progress_and_bodies_are() {
    for (is_ping, want) in [(true, Some(STALL)), (false, None)] {
        let start = Instant::now();
        let mut activity = http2(start);
        activity.begin(false, start);
        let stalled = stalls(&mut activity, start, false, |activity, n| match is_ping {
            true => activity.read(1000, start + second(n)),
            false => activity.moved_in_bodies(1000),
        });
        assert_eq!(stalled, want, "pings: {is_ping}");
    }
}

#[test]
fn the_rest_of_a_refused_body_is_not_parsed_as_a_head() {
    let start = Instant::now();
    let mut refused = accepted(start);
    refused.begin(true, start);
    refused.end(start);
    refused.read(1000, start + second(1));
    let end = (timeouts().idle, Decision::Idle);
    assert_eq!(end_of(&mut refused, start), end);
    refused.body_ended();
    let next = start + second(20);
    refused.read(1, next);
    let end = (timeouts().head, Decision::Stalled);
    assert_eq!(end_of(&mut refused, next), end);
}

#[test]
fn bytes_between_http2_requests_begin_no_head() {
    let start = Instant::now();
    let mut idle = http2(start);
    request(&mut idle, start);
    idle.end(start);
    idle.read(17, start + second(1));
    assert_eq!(end_of(&mut idle, start), (timeouts().idle, Decision::Idle));
}

#[test]
fn pending_connections_evict_idle_ones_and_none_with_a_request() {
    let start = Instant::now();
    let later = start + timeouts().crowded;
    let mut activity = accepted(start);
    assert!(!is_open(&mut activity, later, true));
    request(&mut activity, start);
    assert!(is_open(&mut activity, later, true));
}

#[test]
fn the_end_of_a_response_times_out_like_the_rest() {
    for (bytes, want) in [(8, Some(STALL)), (1000, None)] {
        let start = Instant::now();
        let mut slow = accepted(start);
        request(&mut slow, start);
        // hyper has the whole response, and the client reads it slowly. The next request has to wait.
        slow.blocked();
        slow.end(start);
        slow.read(100, start);
        let stalled = stalls(&mut slow, start, true, writes(bytes));
        assert_eq!(stalled, want, "{bytes} bytes each 10 s");
    }
    let start = Instant::now();
    let mut slow = accepted(start);
    slow.begin(false, start);
    slow.blocked();
    slow.end(start);
    let sent = start + second(100);
    slow.flushed(sent);
    assert_eq!(end_of(&mut slow, sent), (timeouts().idle, Decision::Idle));
}

#[test]
fn over_http2_an_unfinished_head_times_out() {
    let start = Instant::now();
    let mut slow = http2(start);
    slow.set_unfinished(true, start + second(3));
    // More bytes of the same head don't extend its timeout.
    slow.set_unfinished(true, start + second(9));
    let end = (second(3) + timeouts().head, Decision::Stalled);
    assert_eq!(end_of(&mut slow, start), end);

    // While another request is in progress the connection stays open. After its response the head has its whole
    // timeout.
    let mut busy = http2(start);
    busy.begin(false, start);
    busy.set_unfinished(true, start);
    assert!(is_open(&mut busy, start + second(40), false));
    busy.end(start + second(40));
    let end = (second(40) + timeouts().head, Decision::Stalled);
    assert_eq!(end_of(&mut busy, start), end);

    // A head that ends in time has no effect.
    let mut quick = http2(start);
    quick.set_unfinished(true, start);
    quick.set_unfinished(false, start + second(14));
    let end = (timeouts().unused, Decision::Idle);
    assert_eq!(end_of(&mut quick, start), end);
}

#[test]
fn a_handshake_is_not_evicted_and_what_follows_it_has_its_own_timeout() {
    let start = Instant::now();
    let mut activity = accepted(start);
    let (begun, ended) = (start + second(4), start + second(13));
    activity.begin_handshake(begun);
    assert!(is_open(&mut activity, ended, true));
    activity.end_handshake(ended);
    assert!(is_open(&mut activity, ended + second(4), true));
    assert!(!is_open(&mut activity, ended + second(5), true));
    assert!(is_open(&mut activity, ended + second(29), false));
    assert!(!is_open(&mut activity, ended + second(30), false));
}
