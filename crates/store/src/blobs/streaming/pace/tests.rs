use futures_util::FutureExt;

use super::*;

fn pace(budget: &Arc<StreamBudget>, fast: usize) -> Pace {
    let pace = Pace::new(budget.clone(), 0);
    pace.in_flight.fast_bytes.store(fast, Ordering::Relaxed);
    pace
}

fn reserve(pace: &Pace) -> Option<PieceReservation> {
    pace.reserve().now_or_never()
}

/// Sends a piece, and drops it after this time.
fn held_for(reservation: PieceReservation, length: usize, time: Duration) {
    let mut piece = reservation.piece(length, 0..length);
    piece.sent_at = Instant::now().checked_sub(time);
    assert!(piece.sent_at.is_some(), "a clock that began before that");
}

#[test]
fn the_hold_time_of_a_piece_decides_whether_a_client_is_fast() {
    for (length, held, want) in [
        (LARGE, FAST, true),
        (LARGE, FAST * 2, false),
        (SMALL, FAST / 4, true),
        (SMALL, FAST / 2, false),
        (1, FAST / 4, true),
        (1, FAST / 2, false),
    ] {
        assert_eq!(is_fast(length, held), want, "{length} bytes for {held:?}");
    }
}

#[test]
fn one_slow_piece_ends_what_fast_ones_have_proven() {
    let budget = Arc::default();
    let stream = pace(&budget, PROVEN);
    let reservation = reserve(&stream).expect("nothing is held");
    assert_eq!(reservation.size(), LARGE);
    held_for(reservation, LARGE, FAST * 2);
    let reservation = reserve(&stream).expect("nothing is held");
    assert_eq!(reservation.size(), SMALL);
    // A piece that was never sent doesn't count.
    drop(reservation.piece(SMALL, 0..SMALL));
    assert_eq!(stream.in_flight.fast_bytes.load(Ordering::Relaxed), 0);
}

#[test]
fn an_unproven_stream_holds_one_piece_and_waits_for_it() {
    let budget = Arc::default();
    for fast in [0, PROVEN - 1] {
        let stream = pace(&budget, fast);
        let first = reserve(&stream).expect("nothing is held");
        assert_eq!(first.size(), SMALL, "{fast}");
        assert!(reserve(&stream).is_none(), "{fast}");
        assert!(stream.try_reserve_ahead(1).is_none(), "{fast}");
        drop(first);
        assert!(reserve(&stream).is_some(), "{fast}");
    }
}

#[test]
fn a_stream_on_trial_holds_so_many_large_pieces_until_one_is_slow() {
    let stream = Pace::new(Arc::default(), 4);
    let first = reserve(&stream).expect("nothing is held");
    assert_eq!(first.size(), LARGE);
    let ahead: Vec<_> = (1..8)
        .map_while(|ahead| stream.try_reserve_ahead(ahead))
        .collect();
    assert_eq!(ahead.len(), 3);
    assert!(reserve(&stream).is_none());
    held_for(first, LARGE, FAST * 2);
    drop(ahead);
    let next = reserve(&stream).expect("nothing is held");
    assert_eq!(next.size(), SMALL);
    assert!(stream.try_reserve_ahead(1).is_none());
    // Fast pieces from then on count again.
    drop(next);
    for _ in 0..PROVEN / SMALL {
        held_for(reserve(&stream).expect("nothing is held"), SMALL, FAST / 64);
    }
    assert_eq!(reserve(&stream).expect("nothing is held").size(), LARGE);
}

#[test]
fn unproven_streams_never_take_the_second_half_of_the_budget() {
    let budget: Arc<StreamBudget> = Arc::default();
    let streams = (0..MAX_LARGE).map(|_| Pace::new(budget.clone(), 4));
    let streams: Vec<_> = streams.collect();
    let mut held = Vec::new();
    for stream in &streams {
        held.push(reserve(stream).expect("nothing is held"));
        held.extend((1..8).map_while(|ahead| stream.try_reserve_ahead(ahead)));
    }
    assert_eq!(held.len(), MAX_LARGE / 2 + MAX_LARGE - MAX_LARGE / 8);
    assert_eq!(budget.memory().used, budget.memory().limit / 2);
}

#[test]
fn proven_streams_share_the_budget_and_never_exceed_it() {
    let budget: Arc<StreamBudget> = Arc::default();
    let streams: Vec<_> = (0..100).map(|_| pace(&budget, PROVEN)).collect();
    let (mut held, mut most) = (Vec::new(), 0);
    for stream in &streams {
        held.push(reserve(stream).expect("nothing is held"));
        let ahead = (1..8).map_while(|ahead| stream.try_reserve_ahead(ahead));
        let before = held.len();
        held.extend(ahead);
        most = most.max(held.len() - before + 1);
        assert!(budget.memory().used <= budget.memory().limit);
    }
    assert_eq!(most, 8, "of the first ones");
    // Half of the budget went to the first eight, the rest to 32 by twos; the others get small pieces.
    let last = held.last().expect("one for each");
    assert_eq!(last.size(), SMALL);
    assert_eq!(held.len(), 8 * 8 + 32 * 2 + 60);
    drop(held);
    assert_eq!(budget.memory().used, 0);
}

#[test]
fn a_proven_stream_that_finds_no_budget_waits_for_its_own_piece_only() {
    let budget: Arc<StreamBudget> = Arc::default();
    let others: Vec<_> = (0..MAX_LARGE).filter_map(|_| budget.try_large()).collect();
    let stream = pace(&budget, PROVEN);
    let small = reserve(&stream).expect("nothing is held");
    assert_eq!(small.size(), SMALL);
    assert!(reserve(&stream).is_none());
    drop(small);
    assert!(reserve(&stream).is_some());
    drop(others);
    assert_eq!(reserve(&stream).expect("budget").size(), LARGE);
}
