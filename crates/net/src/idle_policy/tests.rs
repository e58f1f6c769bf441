use super::*;

fn timeouts() -> Timeouts {
    Timeouts::default()
}

fn second(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn just_come(now: Instant) -> Activity {
    Activity::new(now, 0.0)
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

/// When the connection stalls within ten minutes, if it does. `happens` is called each second.
fn stalls(
    activity: &mut Activity,
    start: Instant,
    is_crowded: bool,
    mut happens: impl FnMut(&mut Activity, u64),
) -> Option<Duration> {
    (0..600).find_map(|n| {
        happens(activity, n);
        let verdict = activity.evaluate(start + second(n), is_crowded, &timeouts());
        (verdict == Decision::Stalled).then(|| second(n))
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

#[test]
fn who_says_nothing_is_let_go() {
    let start = Instant::now();
    let mut unused = just_come(start);
    assert_eq!(
        end_of(&mut unused, start),
        (timeouts().unused, Decision::Idle)
    );

    let mut idle = just_come(start);
    idle.read(100, start);
    idle.begin(false, start);
    idle.end(start);
    assert_eq!(end_of(&mut idle, start), (timeouts().idle, Decision::Idle));
}

/// Compares with the documented figures instead of [`Timeouts`].
#[test]
fn nobody_has_longer_than_was_promised() {
    let start = Instant::now();
    assert_eq!(end_of(&mut just_come(start), start).0, second(30));
    let mut head = just_come(start);
    head.read(1, start);
    assert_eq!(end_of(&mut head, start), (second(15), Decision::Stalled));
    for (share, at_most) in [(0.0, 130), (1.0, 145)] {
        let mut idle = Activity::new(start, share);
        idle.read(100, start);
        idle.begin(false, start);
        idle.end(start);
        assert_eq!(end_of(&mut idle, start), (second(at_most), Decision::Idle));
        let crowded = start + second(5);
        assert_eq!(idle.evaluate(crowded, true, &timeouts()), Decision::Idle);
    }
    assert_eq!(timeouts().handshake, second(10));
    assert_eq!(timeouts().silence, second(30));
    let asking = |bytes| {
        let mut asking = just_come(start);
        asking.read(100, start);
        asking.begin(false, start);
        stalls(&mut asking, start, false, writes(bytes))
    };
    // 1 KiB must move within two minutes.
    assert_eq!(asking(0), Some(second(120)));
    assert_eq!(asking(1024 / 12 - 10), Some(second(120)));
    assert_eq!(asking(1024 / 12 + 10), None);
}

#[test]
fn some_have_longer_with_nothing_to_do_unless_others_wait() {
    let start = Instant::now();
    for share in [0.1, 1.0] {
        let longer = timeouts().spread.mul_f64(share);
        let mut unused = Activity::new(start, share);
        assert_eq!(
            end_of(&mut unused, start),
            (timeouts().unused + longer, Decision::Idle)
        );
        assert_eq!(
            unused.evaluate(start + timeouts().crowded, true, &timeouts()),
            Decision::Idle
        );
        let mut slow = Activity::new(start, share);
        slow.read(1, start);
        assert_eq!(
            end_of(&mut slow, start),
            (timeouts().head, Decision::Stalled)
        );
    }
}

#[test]
fn who_is_told_that_it_is_over_has_a_moment_and_what_is_on_its_way_has_its_time() {
    let start = Instant::now();
    let asked_once = || {
        let mut activity = just_come(start);
        activity.multiplex();
        activity.begin(false, start);
        activity.end(start);
        activity
    };
    let mut told = asked_once();
    let over = start + timeouts().idle;
    told.announce_shutdown(over);
    assert_eq!(
        told.evaluate(over, true, &timeouts()),
        Decision::RecheckAt(over + PARK_AFTER)
    );
    assert_eq!(end_of(&mut told, over), (SHUTDOWN_GRACE, Decision::Idle));

    let mut half_a_head = just_come(start);
    half_a_head.read(1, start);
    half_a_head.announce_shutdown(over);
    assert_eq!(
        half_a_head.evaluate(over, true, &timeouts()),
        Decision::RecheckAt(over + PARK_AFTER)
    );
    assert_eq!(
        end_of(&mut half_a_head, over),
        (SHUTDOWN_GRACE, Decision::Idle)
    );

    let mut asking = asked_once();
    asking.announce_shutdown(over);
    asking.begin(false, over + second(1));
    assert_eq!(end_of(&mut asking, over).1, Decision::Stalled);
    asking.end(over + second(50));
    let end = (second(50) + SHUTDOWN_GRACE, Decision::Idle);
    assert_eq!(end_of(&mut asking, over), end);

    let mut reading = asked_once();
    reading.announce_shutdown(over);
    reading.blocked();
    assert_eq!(end_of(&mut reading, over), (STALL, Decision::Stalled));
    reading.flushed(over + second(50));
    assert_eq!(end_of(&mut reading, over), end);
}

#[test]
fn a_head_must_come_in_time_however_many_its_pieces() {
    let start = Instant::now();
    let mut slow = just_come(start);
    for n in 0..14 {
        slow.read(1, start + second(n));
        assert!(matches!(
            slow.evaluate(start + second(n), false, &timeouts()),
            Decision::RecheckAt(_)
        ));
    }
    assert_eq!(
        end_of(&mut slow, start),
        (timeouts().head, Decision::Stalled)
    );
}

#[test]
fn the_second_head_too() {
    let start = Instant::now();
    let mut slow = just_come(start);
    slow.read(100, start);
    slow.begin(false, start);
    slow.end(start + second(1));
    slow.read(1, start + second(60));
    assert_eq!(
        end_of(&mut slow, start + second(60)),
        (timeouts().head, Decision::Stalled)
    );
}

#[test]
fn a_trickle_keeps_nobody_a_place_and_a_slow_line_does() {
    for (bytes, want) in [(8, Some(STALL)), (1000, None)] {
        let start = Instant::now();
        let mut activity = just_come(start);
        activity.read(100, start);
        activity.begin(false, start);
        let over = stalls(&mut activity, start, false, writes(bytes));
        assert_eq!(over, want, "{bytes} bytes each 10 s");
    }
}

#[test]
fn many_waits_on_one_connection_are_no_stall() {
    let start = Instant::now();
    let mut agent = just_come(start);
    agent.multiplex();
    agent.begin(false, start);
    for n in 1..100 {
        let now = start + second(50 * n);
        agent.begin(false, now);
        agent.wrote(10);
        agent.end(now);
        assert!(matches!(
            agent.evaluate(now, false, &timeouts()),
            Decision::RecheckAt(_)
        ));
    }
}

#[test]
fn pings_are_no_progress_and_bodies_are() {
    for (pings, want) in [(true, Some(STALL)), (false, None)] {
        let start = Instant::now();
        let mut activity = just_come(start);
        activity.multiplex();
        activity.begin(false, start);
        let over = stalls(&mut activity, start, false, |activity, n| match pings {
            true => activity.read(1000, start + second(n)),
            false => activity.moved_in_bodies(1000),
        });
        assert_eq!(over, want, "pings: {pings}");
    }
}

#[test]
fn nobody_rests_while_a_body_may_still_arrive() {
    let start = Instant::now();
    let mut refused = just_come(start);
    refused.begin(true, start);
    refused.end(start);
    refused.read(1000, start + second(1));
    assert!(!refused.may_park(start + second(60)));
    // The rest of its body doesn't count as a request either, which would have a shorter timeout.
    assert_eq!(
        end_of(&mut refused, start),
        (timeouts().idle, Decision::Idle)
    );
    refused.begin(true, start);
    refused.body_ended();
    refused.end(start);
    assert!(refused.may_park(start + second(60)));
    refused.begin(false, start);
    refused.end(start);
    assert!(refused.may_park(start + second(60)));
}

#[test]
fn what_comes_between_requests_of_http2_is_no_request() {
    let start = Instant::now();
    let mut idle = just_come(start);
    idle.multiplex();
    idle.read(100, start);
    idle.begin(false, start);
    idle.end(start);
    idle.read(17, start + second(1));
    assert_eq!(end_of(&mut idle, start), (timeouts().idle, Decision::Idle));
}

#[test]
fn who_has_been_answered_rests_after_a_moment_and_not_before_all_is_sent() {
    let start = Instant::now();
    let mut idle = just_come(start);
    let later = start + PARK_AFTER;
    assert!(!idle.may_park(later), "it never asked");
    idle.read(100, start);
    idle.begin(false, start);
    assert!(!idle.may_park(later), "it is being answered");
    idle.blocked();
    idle.end(start);
    assert!(!idle.may_park(later), "something is still to be sent");
    idle.wrote(100);
    idle.flushed(start);
    assert!(!idle.may_park(start));
    assert_eq!(
        idle.evaluate(start, false, &timeouts()),
        Decision::RecheckAt(later)
    );
    assert!(idle.may_park(later));
    idle.read(1, later);
    assert!(!idle.may_park(later + PARK_AFTER), "it asks");
}

#[test]
fn a_crowd_ends_what_waits_and_nothing_that_works() {
    let start = Instant::now();
    let later = start + timeouts().crowded;
    let mut idle = just_come(start);
    assert_eq!(idle.evaluate(later, true, &timeouts()), Decision::Idle);
    idle.begin(false, start);
    assert!(matches!(
        idle.evaluate(later, true, &timeouts()),
        Decision::RecheckAt(_)
    ));
}

#[test]
fn the_end_of_an_answer_has_as_long_as_it_moves() {
    for (bytes, want) in [(8, Some(STALL)), (1000, None)] {
        let start = Instant::now();
        let mut slow = just_come(start);
        slow.read(100, start);
        slow.begin(false, start);
        // hyper has the whole response, and the client reads it slowly. The next request has to wait.
        slow.blocked();
        slow.end(start);
        slow.read(100, start);
        let over = stalls(&mut slow, start, true, writes(bytes));
        assert_eq!(over, want, "{bytes} bytes each 10 s");
    }
    let start = Instant::now();
    let mut slow = just_come(start);
    slow.begin(false, start);
    slow.blocked();
    slow.end(start);
    let sent = start + second(100);
    slow.flushed(sent);
    assert_eq!(end_of(&mut slow, sent), (timeouts().idle, Decision::Idle));
}

#[test]
fn what_says_its_end_does_not_rest() {
    let start = Instant::now();
    let mut closing = just_come(start);
    closing.begin(false, start);
    closing.end(start);
    closing.closing();
    assert!(!closing.may_park(start + second(60)));
}

#[test]
fn over_http2_what_has_begun_must_end_in_time() {
    let start = Instant::now();
    let mut slow = just_come(start);
    slow.multiplex();
    assert!(slow.is_unfinished(true, start + second(3)));
    // More bytes of the same head don't extend its timeout.
    assert!(!slow.is_unfinished(true, start + second(9)));
    let end = (second(3) + timeouts().head, Decision::Stalled);
    assert_eq!(end_of(&mut slow, start), end);

    // While another request is in progress the connection stays open. After its response the head has its whole
    // timeout.
    let mut busy = just_come(start);
    busy.multiplex();
    busy.begin(false, start);
    busy.is_unfinished(true, start);
    assert!(matches!(
        busy.evaluate(start + second(40), false, &timeouts()),
        Decision::RecheckAt(_)
    ));
    busy.end(start + second(40));
    let end = (second(40) + timeouts().head, Decision::Stalled);
    assert_eq!(end_of(&mut busy, start), end);

    // A head that ends in time has no effect.
    let mut quick = just_come(start);
    quick.multiplex();
    quick.is_unfinished(true, start);
    assert!(!quick.is_unfinished(false, start + second(14)));
    assert_eq!(
        end_of(&mut quick, start),
        (timeouts().unused, Decision::Idle)
    );
}
