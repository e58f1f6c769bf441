//! Random histories of the interface, each held against a model of it; and the two storages against each other.
//!
//! `PROPTEST_CASES` has it try more of them, and `PROPTEST_RNG_SEED` the same ones again.

mod expected;
mod model;
mod names;
mod operation;
mod player;
mod takes;

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use futures_util::future::join_all;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use server::config::LimitArgs;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use self::expected::{Answer, Reply};
use self::model::{LIVE, Learned, MOST_BYTES, MOST_BYTES_OF_A_REQUEST, MOST_TAKES, Model};
use self::operation::{Ask, Operation, Token, history};
use self::player::Player;
use crate::support::{HOUR, Server, generous};
use test_support::on_a_cluster;

/// So many histories take a few seconds.
const HISTORIES: u32 = 30;

/// What a failing history may be shortened by, at most.
const SHORTENINGS: u32 = 4000;

on_a_cluster! {
    both_storages_answer_any_history_alike_and_as_specified
}

#[tokio::test(flavor = "multi_thread")]
async fn any_history_is_answered_as_specified() {
    check(vec![Server::on_a_laptop().await]).await;
}

async fn both_storages_answer_any_history_alike_and_as_specified() {
    check(vec![
        Server::on_a_laptop().await,
        Server::in_a_cluster().await,
    ])
    .await;
}

/// Plays random histories on these servers, one after the other on the same ones.
async fn check(servers: Vec<Server>) {
    let limits = LimitArgs {
        max_video_bytes: MOST_BYTES,
        max_request_bytes: MOST_BYTES_OF_A_REQUEST,
        max_takes: u32::try_from(MOST_TAKES).expect("a few"),
        ..generous()
    };
    let mut players = Vec::new();
    for server in servers {
        players.push(Player::new(server.limited(limits.clone()).await));
    }
    let learned = join_all(players.iter().map(|it| learn(it.server()))).await;
    assert!(learned.windows(2).all(|it| it[0] == it[1]), "one index");

    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = HISTORIES;
    }
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => rand::random(),
    };
    println!("PROPTEST_RNG_SEED={seed}");
    let (players, handle) = (Mutex::new(players), Handle::current());
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: SHORTENINGS,
        ..config
    });
    let outcome = block_in_place(|| {
        runner.run(&history(), |history| {
            let mut players = players.lock().unwrap_or_else(PoisonError::into_inner);
            let played = handle.block_on(play(&mut players, &history, &learned[0]));
            played.map_err(TestCaseError::fail)
        })
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, history)) => {
            panic!(
                "{why}\nThe shortest such history has {} operations. PROPTEST_RNG_SEED={seed}",
                history.len()
            )
        }
        Err(error) => panic!("{error}"),
    }
}

/// What a recording that needs an index is served as.
async fn learn(server: &Server) -> Learned {
    let creator = server.create().await;
    let path = creator.submit_video(LIVE).await;
    let answer = creator.ask(reqwest::Method::GET, &path).await;
    let etag = answer.headers()["etag"].to_str().expect("text").to_owned();
    let live = answer.bytes().await.expect("bytes").to_vec();
    assert!(live.len() > LIVE.len(), "with an index");
    let version = etag.trim_matches('"').rsplit('.').next();
    let version = version.expect("a version").to_owned();
    Learned { live, version }
}

/// Plays one history on all servers at once. An error is the story until its failure.
async fn play(
    players: &mut [Player],
    history: &[Operation],
    learned: &Learned,
) -> Result<(), String> {
    let now = players.iter().map(|it| it.server().app.clock.now());
    // What counts by full hours does so from the same moment on.
    let start = (now.max().expect("a server") / HOUR + 1) * HOUR;
    for player in &mut *players {
        player.forget();
        let server = player.server();
        server.later(start - server.app.clock.now());
    }
    let mut model = Model::new(start, learned.clone());
    let mut story = String::new();
    for operation in history {
        let step = step(players, operation, &mut model, &mut story);
        if let Err(why) = step.await {
            return Err(format!("{why}; after this:\n{story}"));
        }
    }
    Ok(())
}

async fn step(
    players: &mut [Player],
    operation: &Operation,
    model: &mut Model,
    story: &mut String,
) -> Result<(), String> {
    let _ = writeln!(story, "{operation:?}");
    let before = model.now;
    model.now += 1;
    let to_head = matches!(
        operation,
        Operation::AskOffset { .. } | Operation::Watch { ask: Ask::Head, .. }
    );
    let mut replies = Vec::new();
    for player in &mut *players {
        player.server().later(1);
        if operation.is_call() {
            replies.push(player.call(operation, model).await);
        } else {
            player.pass(operation).await;
        }
    }
    let expected = model.answer(operation);
    for player in &*players {
        player.server().later(model.now - before - 1);
    }
    if let Some(expected) = expected {
        compare(&expected, &replies, to_head, story)?;
    }
    if model.has_abandoned_takes() {
        // The server's own sweep may come at any time, so it comes now.
        model.sweep();
        for player in &mut *players {
            player.pass(&Operation::Sweep).await;
        }
    }
    // What is over must be so for whatever comes next, and not only for what looks first.
    if operation.is_wait() {
        return Ok(());
    }
    let swept = matches!(operation, Operation::Sweep);
    for player in &*players {
        match player.leftovers(model, swept) {
            left if left.is_empty() => {}
            left => return Err(format!("there still is {left:?}")),
        }
    }
    for request in 0..model.requests.len() {
        observe(players, request, model, story).await?;
    }
    Ok(())
}

/// Looks at a request from all sides that change nothing.
async fn observe(
    players: &mut [Player],
    request: usize,
    model: &Model,
    story: &mut String,
) -> Result<(), String> {
    let take = model.takes.iter().rposition(|it| it.request == request);
    let link = model.link(request).map(|_| model.link_state(request, take));
    let replies = join_all(players.iter().map(|it| it.link_state(request, take))).await;
    let seen = |why| format!("request {request}, seen by its link: {why}");
    compare(&either(link), &replies, false, story).map_err(seen)?;

    let status = model.read_status(request, Token::Own);
    let replies = join_all(players.iter_mut().map(|it| it.status(request))).await;
    let seen = |why| format!("request {request}, seen by its creator: {why}");
    compare(&either(status), &replies, false, story).map_err(seen)?;

    if model.requests[request].video.is_some() {
        let ask = Ask::Head;
        let watch = Operation::Watch {
            request,
            token: Token::Own,
            ask,
        };
        let video = model.watch(request, Token::Own, ask);
        let replies = join_all(players.iter_mut().map(|it| it.call(&watch, model))).await;
        let seen = |why| format!("the video of request {request}: {why}");
        compare(&either(video), &replies, true, story).map_err(seen)?;
    }
    Ok(())
}

fn either(answer: Result<Answer, Answer>) -> Answer {
    answer.unwrap_or_else(|refusal| refusal)
}

/// Holds the replies against what was expected, and against each other.
fn compare(
    expected: &Answer,
    replies: &[Reply],
    to_head: bool,
    story: &mut String,
) -> Result<(), String> {
    for reply in replies {
        if let Err(why) = expected.check(reply, to_head) {
            let _ = writeln!(story, "  {}", reply.summary());
            return Err(why);
        }
    }
    match replies {
        [first, second] if first != second => {
            let (first, second) = (first.summary(), second.summary());
            Err(format!("SQLite: {first}, PostgreSQL: {second}"))
        }
        _ => Ok(()),
    }
}
