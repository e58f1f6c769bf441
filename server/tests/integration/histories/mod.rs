//! Property tests: random histories of API calls are compared with a model, and both storages with each other.
//!
//! `PROPTEST_CASES` sets the number of histories, `PROPTEST_RNG_SEED` repeats a run.

mod driver;
mod expected;
mod model;
mod normalize;
mod operation;
mod received;
mod takes;

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use futures_util::future::join_all;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use server::config::LimitArgs;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use self::driver::Driver;
use self::expected::ExpectedResponse;
use self::model::{LIVE, MAX_REQUEST_BYTES, MAX_TAKE_BYTES, MAX_TAKES, Model, ServedRecording};
use self::operation::{Operation, Token, VideoRequest, history};
use self::received::ReceivedResponse;
use crate::support::{HOUR, Server, generous_limits};
use test_support::on_postgres_s3;

/// Number of histories; they take a few seconds.
const CASES: u32 = 30;

/// Longest shrinking of a failed history.
const MAX_SHRINK_STEPS: u32 = 4000;

on_postgres_s3! {
    any_history_is_answered_alike_on_both_storages
}

#[tokio::test(flavor = "multi_thread")]
async fn any_history_is_answered_as_the_model_predicts() {
    check(vec![Server::sqlite().await]).await;
}

async fn any_history_is_answered_alike_on_both_storages() {
    check(vec![Server::sqlite().await, Server::postgres_s3().await]).await;
}

/// Runs random histories on these servers, one after the other.
async fn check(servers: Vec<Server>) {
    let limits = LimitArgs {
        max_video_bytes: MAX_TAKE_BYTES,
        max_request_bytes: MAX_REQUEST_BYTES,
        max_takes: u32::try_from(MAX_TAKES).expect("a few"),
        ..generous_limits()
    };
    let mut drivers = Vec::new();
    for server in servers {
        drivers.push(Driver::new(server.with_limits(limits.clone()).await));
    }
    let served_recording =
        join_all(drivers.iter().map(|it| fetch_served_recording(it.server()))).await;
    assert!(
        served_recording.windows(2).all(|it| it[0] == it[1]),
        "one index"
    );

    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => rand::random(),
    };
    println!("PROPTEST_RNG_SEED={seed}");
    let (drivers, handle) = (Mutex::new(drivers), Handle::current());
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: MAX_SHRINK_STEPS,
        ..config
    });
    let outcome = block_in_place(|| {
        runner.run(&history(), |history| {
            let mut drivers = drivers.lock().unwrap_or_else(PoisonError::into_inner);
            let result = handle.block_on(run_history(&mut drivers, &history, &served_recording[0]));
            result.map_err(TestCaseError::fail)
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

/// Learns what a recording that needs an index is served as.
async fn fetch_served_recording(server: &Server) -> ServedRecording {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE).await;
    let answer = creator.send_authorized(reqwest::Method::GET, &path).await;
    let etag = answer.headers()["etag"].to_str().expect("text").to_owned();
    let live = answer.bytes().await.expect("bytes").to_vec();
    assert!(live.len() > LIVE.len(), "with an index");
    let version = etag.trim_matches('"').rsplit('.').next();
    let version = version.expect("a version").to_owned();
    ServedRecording { live, version }
}

/// Runs one history on all servers. An error holds the history up to the failure.
async fn run_history(
    drivers: &mut [Driver],
    history: &[Operation],
    served_recording: &ServedRecording,
) -> Result<(), String> {
    let now = drivers.iter().map(|it| it.server().app.clock.now());
    // A full hour, so that what is rounded to hours is the same in each history.
    let start = (now.max().expect("a server") / HOUR + 1) * HOUR;
    for driver in &mut *drivers {
        driver.reset();
        let server = driver.server();
        server.advance_clock(start - server.app.clock.now());
    }
    let mut model = Model::new(start, served_recording.clone());
    let mut log = String::new();
    for operation in history {
        let step = step(drivers, operation, &mut model, &mut log);
        if let Err(why) = step.await {
            return Err(format!("{why}; after this:\n{log}"));
        }
    }
    Ok(())
}

async fn step(
    drivers: &mut [Driver],
    operation: &Operation,
    model: &mut Model,
    log: &mut String,
) -> Result<(), String> {
    let _ = writeln!(log, "{operation:?}");
    let before = model.now;
    model.now += 1;
    let to_head = matches!(
        operation,
        Operation::GetOffset { .. }
            | Operation::GetVideo {
                kind: VideoRequest::Head,
                ..
            }
    );
    let mut responses = Vec::new();
    for driver in &mut *drivers {
        driver.server().advance_clock(1);
        if operation.is_call() {
            responses.push(driver.call(operation, model).await);
        } else {
            driver.pass(operation).await;
        }
    }
    let expected = model.answer(operation);
    for driver in &*drivers {
        driver.server().advance_clock(model.now - before - 1);
    }
    if let Some(expected) = expected {
        compare(&expected, &responses, to_head, log)?;
    }
    if model.has_abandoned_takes() {
        // The server's own sweep may run at any time, so run it now.
        model.sweep();
        for driver in &mut *drivers {
            driver.pass(&Operation::Sweep).await;
        }
    }
    // Check everything after each operation, not only what the next one touches. Waits don't count: the next
    // operation must be the first to see an expiry.
    if operation.is_wait() {
        return Ok(());
    }
    let swept = matches!(operation, Operation::Sweep);
    for driver in &*drivers {
        match driver.orphans(model, swept) {
            left if left.is_empty() => {}
            left => return Err(format!("objects remain: {left:?}")),
        }
    }
    for request in 0..model.requests.len() {
        observe(drivers, request, model, log).await?;
    }
    Ok(())
}

/// Compares all read-only views of a request.
async fn observe(
    drivers: &mut [Driver],
    request: usize,
    model: &Model,
    log: &mut String,
) -> Result<(), String> {
    let take = model.takes.iter().rposition(|it| it.request == request);
    let link = model.link(request).map(|_| model.link_state(request, take));
    let responses = join_all(drivers.iter().map(|it| it.link_state(request, take))).await;
    let seen = |why| format!("request {request}, seen by its link: {why}");
    compare(&either(link), &responses, false, log).map_err(seen)?;

    let status = model.read_status(request, Token::Own);
    let responses = join_all(drivers.iter_mut().map(|it| it.status(request))).await;
    let seen = |why| format!("request {request}, seen by its creator: {why}");
    compare(&either(status), &responses, false, log).map_err(seen)?;

    if model.requests[request].video.is_some() {
        let kind = VideoRequest::Head;
        let get_video = Operation::GetVideo {
            request,
            token: Token::Own,
            kind,
        };
        let video = model.get_video(request, Token::Own, kind);
        let responses = join_all(drivers.iter_mut().map(|it| it.call(&get_video, model))).await;
        let seen = |why| format!("the video of request {request}: {why}");
        compare(&either(video), &responses, true, log).map_err(seen)?;
    }
    Ok(())
}

fn either(answer: Result<ExpectedResponse, ExpectedResponse>) -> ExpectedResponse {
    answer.unwrap_or_else(|refusal| refusal)
}

/// Compares responses with the expected one, and with each other.
fn compare(
    expected: &ExpectedResponse,
    responses: &[ReceivedResponse],
    to_head: bool,
    log: &mut String,
) -> Result<(), String> {
    for received in responses {
        if let Err(why) = expected.check(received, to_head) {
            let _ = writeln!(log, "  {}", received.summary());
            return Err(why);
        }
    }
    match responses {
        [first, second] if first != second => {
            let (first, second) = (first.summary(), second.summary());
            Err(format!("SQLite: {first}, PostgreSQL: {second}"))
        }
        _ => Ok(()),
    }
}
