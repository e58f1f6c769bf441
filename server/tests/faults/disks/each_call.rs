//! Each single call that changes the disk fails in turn, in a whole story: a request, an upload in two pieces, its
//! submission, reading it, and a second request that is deleted.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

use app::api::{ErrorBody, RequestView};
use futures_util::future::{join, join_all};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use reqwest::header::RANGE;
use reqwest::{Client, StatusCode};
use rustix::io::Errno;
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;
use crate::environment::failing_disk::FailingDisk;
use crate::report::Totals;
use test_support::clients::agent;
use test_support::clients::ledger::{Ledger, Record, RecordId};
use test_support::clients::retrying_client::{Failure, RetryingClient};
use test_support::clients::uploader::{UploadProfile, Uploader};
use test_support::scale::{scale, seed, seeded_rng};

/// Servers at a time. Most of a story is waiting.
const SERVERS: usize = 8;

/// Bytes of an upload, which is sent in two pieces.
const VIDEO_BYTES: u64 = 120_000;

/// A disk that stays full gets room after so many failed answers.
const FAILURES_BEFORE_ROOM: usize = 3;

/// It gets room after this time even if no client has noticed it.
const ROOM_AFTER: Duration = Duration::from_secs(2);

/// Much longer than sealing waits after failures, half a minute and more: the longest that a story waits for anything.
const STORY_TIME: Duration = Duration::from_secs(120);

/// The answer to a submission while a failed job waits for its next attempt.
const STILL_SEALING: &str = "503 still_sealing";

/// How a disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// One call finds it full.
    FullOnce,
    /// One call finds it broken.
    BrokenOnce,
    /// It is full from one call on, until it gets room.
    FullFrom,
}

/// One story: the fault, and the number of the call with which it begins.
type Case = (Fault, u64);

/// What all stories together have shown.
#[derive(Debug, Default)]
struct Findings {
    /// Stories that had the call that was to fail.
    reached: usize,
    /// Failed calls, by their kind.
    failed: BTreeMap<String, usize>,
    /// Failed answers, by the fault and their code.
    answers: BTreeMap<(Fault, String), usize>,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_failing_system_call_loses_acknowledged_bytes() {
    let calls = calls_of_a_story().await;
    let faults = [Fault::FullOnce, Fault::BrokenOnce, Fault::FullFrom];
    let cases = faults.into_iter().zip(0..);
    let cases = cases.flat_map(|(fault, number)| {
        let sample = sample(&calls, &mut seeded_rng(number));
        sample.into_iter().map(move |call| (fault, call))
    });
    let cases: VecDeque<Case> = cases.collect();
    println!(
        "{} calls, {} stories, seed {}",
        calls.len(),
        cases.len(),
        seed()
    );
    let (cases, findings, totals) = (Mutex::new(cases), Mutex::default(), Mutex::default());
    let servers = 0..SERVERS as u64;
    let servers = servers.map(|number| tell_stories(number, &cases, &findings, &totals));
    join_all(servers).await;
    let findings = findings.into_inner().expect("not poisoned");
    println!("{findings:#?}");
    let counts = [
        ("calls of a story", calls.len() as u64),
        ("stories with failed ones", findings.reached as u64),
    ];
    let totals = totals.into_inner().expect("not poisoned");
    totals.report("each failing call", "sqlite", &counts);
    assert!(findings.reached > 0, "no call has failed");
}

/// Kinds of the calls of a story in which none fails, on a server that isn't new.
async fn calls_of_a_story() -> Vec<String> {
    let disk = FailingDisk::new();
    let environment = Environment::sqlite_on_failing_disk(&disk).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    for number in 0..2 {
        disk.fail_from(u64::MAX, Errno::NOSPC);
        tell_story(&mut uploader(number, &client, &ledger)).await;
    }
    assert!(client.failures().is_empty(), "{:?}", client.failures());
    (1..=disk.calls()).map(|it| kind(&disk.call(it))).collect()
}

/// Kind of a call: without the ids in its path.
fn kind(call: &str) -> String {
    let (name, path) = call.split_once(' ').unwrap_or_default();
    let place = match path.strip_prefix("/blobs") {
        Some(below) => ["blobs", "request", "take", "object"][below.matches('/').count().min(3)],
        None => path.trim_start_matches('/'),
    };
    format!("{name} {place}")
}

/// Numbers of [`Scale::failing_calls`](test_support::scale::Scale) calls: first one of each kind.
fn sample(calls: &[String], rng: &mut StdRng) -> Vec<u64> {
    let mut numbers: Vec<usize> = (0..calls.len()).collect();
    numbers.shuffle(rng);
    let mut kinds = BTreeSet::new();
    let (firsts, others): (Vec<usize>, Vec<usize>) = numbers
        .into_iter()
        .partition(|it| kinds.insert(&calls[*it]));
    let sample = firsts.into_iter().chain(others).take(scale().failing_calls);
    sample.map(|it| it as u64 + 1).collect()
}

fn uploader<'a>(number: u64, client: &'a RetryingClient, ledger: &'a Ledger) -> Uploader<'a> {
    let mut uploader = Uploader::new(number, client, client, ledger);
    uploader.profile = UploadProfile {
        take_bytes: VIDEO_BYTES..=VIDEO_BYTES,
        append_bytes: VIDEO_BYTES / 2..=VIDEO_BYTES / 2,
        slow_one_in: u32::MAX,
        tolerates_failed_takes: true,
        ..UploadProfile::default()
    };
    uploader
}

/// Tells stories on one server until there are no more.
async fn tell_stories(
    number: u64,
    cases: &Mutex<VecDeque<Case>>,
    findings: &Mutex<Findings>,
    totals: &Mutex<Totals>,
) {
    let disk = FailingDisk::new();
    let mut environment = Environment::sqlite_on_failing_disk(&disk).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let (mut told, mut videos) = (0, Vec::new());
    loop {
        let next = cases.lock().expect("not poisoned").pop_front();
        let Some(case) = next else { break };
        let before = client.failures().len();
        let mut uploader = uploader(number * 1000 + told as u64, &client, &ledger);
        let video = tell_failing_story(case, &disk, &client, &mut uploader).await;
        environment.nodes[0].assert_alive();
        told += 1;
        // The disk works again.
        verify(&client, &ledger.get(video)).await;
        let (is_clean, printed) = environment.operator().check_deep().await;
        assert!(is_clean, "{case:?}, {}: {printed}", disk.call(case.1));
        note(findings, case, &disk, &client.failures()[before..]);
        videos.push(video);
    }
    environment.nodes[0].restart().await;
    for video in videos {
        verify(&client, &ledger.get(video)).await;
    }
    // A failure may leave an object without a row, or several of a story.
    let orphans = 2 * told;
    let audit = environment.audit(&ledger, orphans).await;
    totals.lock().expect("not poisoned").add(&ledger, &audit);
    audit.assert_sound(orphans);
}

/// Tells a story with this fault. When it returns the disk works again.
async fn tell_failing_story(
    (fault, call): Case,
    disk: &FailingDisk,
    client: &RetryingClient,
    uploader: &mut Uploader<'_>,
) -> RecordId {
    let before = client.failures().len();
    match fault {
        Fault::FullOnce => disk.fail_once(call, Errno::NOSPC),
        Fault::BrokenOnce => disk.fail_once(call, Errno::IO),
        Fault::FullFrom => disk.fail_from(call, Errno::NOSPC),
    }
    let done = CancellationToken::new();
    let story = async {
        let video = timeout(STORY_TIME, tell_story(uploader)).await;
        done.cancel();
        video.unwrap_or_else(|_| {
            panic!(
                "{fault:?} {call}, {}: the story doesn't end: {:?}",
                disk.call(call),
                client.failures().last()
            )
        })
    };
    let room = async {
        let mut ticks = interval(Duration::from_millis(5));
        while disk.failed() == 0 && !done.is_cancelled() {
            ticks.tick().await;
        }
        let noticed = async {
            while client.failures().len() < before + FAILURES_BEFORE_ROOM && !done.is_cancelled() {
                ticks.tick().await;
            }
        };
        // Perhaps no client has noticed it.
        let _ = timeout(ROOM_AFTER, noticed).await;
        disk.heal();
    };
    join(story, room).await.0
}

/// Uploads and reads a video, and creates and deletes another request. Returns the video.
async fn tell_story(uploader: &mut Uploader<'_>) -> RecordId {
    let video = uploader.complete_request().await;
    verify(uploader.agent, &uploader.ledger.get(video)).await;
    let other = uploader.start_request().await;
    uploader.append(other, 0..VIDEO_BYTES / 2, false).await;
    uploader.delete_request(other).await;
    video
}

/// Reads a video, and a range of it.
async fn verify(client: &RetryingClient, record: &Record) {
    agent::verify_video(client, record).await;
    let get = |path: String, range: &'static str| {
        move |http: &Client, url: &str| {
            let get = http.get(format!("{url}{path}")).header(RANGE, range);
            get.bearer_auth(&record.token)
        }
    };
    let view = client
        .send(get(format!("/v1/requests/{}", record.request), ""))
        .await;
    let view: RequestView = view.json().await.expect("a request");
    let path = format!("/v1/videos/{}", view.video.expect("a video").id);
    let part = client.send(get(path, "bytes=50000-69999")).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    let part = part.bytes().await.expect("a part");
    assert_eq!(part.len(), 20_000);
    assert_eq!(
        record.content.first_difference(50_000, &part),
        None,
        "{record:?}"
    );
}

/// Notes what has failed, and asserts that each failed answer is an error in the envelope, and that one failed call
/// fails one answer.
fn note(findings: &Mutex<Findings>, case: Case, disk: &FailingDisk, failures: &[Failure]) {
    let mut findings = findings.lock().expect("not poisoned");
    let call = disk.call(case.1);
    if disk.failed() > 0 {
        findings.reached += 1;
        *findings.failed.entry(kind(&call)).or_default() += 1;
    }
    let codes: Vec<String> = failures.iter().map(code).collect();
    let failed = codes.iter().filter(|code| *code != STILL_SEALING).count();
    assert!(
        case.0 == Fault::FullFrom || failed <= 1,
        "{case:?}, {call}: {codes:?}"
    );
    for code in codes {
        *findings.answers.entry((case.0, code)).or_default() += 1;
    }
}

/// Status and code of a failed answer. That to a HEAD has no body, and so no code.
fn code(failure: &Failure) -> String {
    let Some((status, body)) = &failure.answer else {
        panic!("no answer: {failure:?}");
    };
    let status = status.as_u16();
    if body.is_empty() {
        return status.to_string();
    }
    let body: ErrorBody = serde_json::from_slice(body).expect("the envelope");
    format!("{status} {}", body.error.code)
}
