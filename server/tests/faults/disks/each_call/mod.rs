//! Each single call that changes the disk fails in turn, in whole stories, and at the first start of a server.

mod cases;
mod findings;
mod first_start;
mod fixture;
mod moderation;
mod upload;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::{join, join_all};
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;

use self::cases::{Case, count_calls, counted_calls};
use self::findings::Findings;
use self::fixture::Fixture;
use crate::report::Totals;
use test_support::clients::ledger::RecordId;
use test_support::scale::{scale, seed};

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

/// A story that is told again and again, each time with another call that fails.
#[derive(Clone, Copy, Debug)]
enum Story {
    /// A request, an upload in two pieces, its submission, reading it, and a second request that is deleted.
    Upload,
    /// A request, half an upload, a report of it by a person, and its takedown by the operator.
    Moderation,
}

impl Story {
    /// Tells the story. Returns the take that it is about.
    async fn tell(self, fixture: &Fixture, number: u64) -> RecordId {
        match self {
            Self::Upload => upload::tell(&mut fixture.uploader(number)).await,
            Self::Moderation => moderation::tell(fixture, number).await,
        }
    }

    /// Verifies that what was acknowledged still holds.
    async fn verify(self, fixture: &Fixture, take: RecordId) {
        match self {
            Self::Upload => upload::verify(&fixture.client, &fixture.ledger.get(take)).await,
            Self::Moderation => moderation::verify(fixture, take).await,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_failing_system_call_loses_acknowledged_bytes() {
    fail_each_call_of(Story::Upload, scale().failing_calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_failing_system_call_loses_a_report_or_spares_what_is_taken_down() {
    fail_each_call_of(Story::Moderation, scale().failing_moderation_calls).await;
}

async fn fail_each_call_of(story: Story, count: usize) {
    let calls = calls_of(story).await;
    let cases = Case::sample(&calls, count);
    println!(
        "{} calls, {} stories, seed {}",
        calls.len(),
        cases.len(),
        seed()
    );
    let (cases, findings, totals) = (Mutex::new(cases), Mutex::default(), Mutex::default());
    let servers = 0..SERVERS as u64;
    let servers = servers.map(|number| tell_stories(story, number, &cases, &findings, &totals));
    join_all(servers).await;
    let findings = findings.into_inner().expect("not poisoned");
    println!("{findings:#?}");
    let counts = [
        ("calls of a story", calls.len() as u64),
        ("stories with failed ones", findings.reached as u64),
    ];
    let totals = totals.into_inner().expect("not poisoned");
    totals.report(&format!("each call: {story:?}"), "sqlite", &counts);
    assert!(findings.reached > 0, "no call has failed");
}

/// Kinds of the calls of a story in which none fails, on a server that isn't new.
async fn calls_of(story: Story) -> Vec<String> {
    let fixture = Fixture::new().await;
    for number in 0..2 {
        count_calls(&fixture.disk);
        story.tell(&fixture, number).await;
    }
    // A busy machine takes its time to seal.
    let failures = fixture.client.failures();
    let are_early = failures.iter().all(|it| it.asks_for_retry("still_sealing"));
    assert!(are_early, "{failures:?}");
    assert_eq!(fixture.failures(), failures.len(), "a command has failed");
    counted_calls(&fixture.disk)
}

/// Tells a story on one server until there are no more cases.
async fn tell_stories(
    story: Story,
    number: u64,
    cases: &Mutex<VecDeque<Case>>,
    findings: &Mutex<Findings>,
    totals: &Mutex<Totals>,
) {
    let mut fixture = Fixture::new().await;
    let mut takes = Vec::new();
    loop {
        let next = cases.lock().expect("not poisoned").pop_front();
        let Some(case) = next else { break };
        let before = fixture.client.failures().len();
        let commands_before = fixture.failed_commands.lock().expect("not poisoned").len();
        let take = tell_failing(story, case, &fixture, number * 1000 + takes.len() as u64).await;
        fixture.environment.nodes[0].assert_alive();
        // The disk works again.
        story.verify(&fixture, take).await;
        let call = fixture.disk.call(case.call);
        let (is_clean, printed) = fixture.environment.operator().check_deep().await;
        assert!(is_clean, "{case:?}, {call}: {printed}");
        let answers = &fixture.client.failures()[before..];
        let commands = fixture.failed_commands.lock().expect("not poisoned");
        let has_failed = fixture.disk.failed() > 0;
        let mut findings = findings.lock().expect("not poisoned");
        findings.note(
            case,
            &call,
            has_failed,
            answers,
            &commands[commands_before..],
        );
        takes.push(take);
    }
    fixture.environment.nodes[0].restart().await;
    for take in &takes {
        story.verify(&fixture, *take).await;
    }
    // A failure may leave an object without a row, or several of a story.
    let orphans = 2 * takes.len();
    let audit = fixture.environment.audit(&fixture.ledger, orphans).await;
    let mut totals = totals.lock().expect("not poisoned");
    totals.add(&fixture.ledger, &audit);
    audit.assert_sound(orphans);
}

/// Tells a story with this fault. When it returns the disk works again.
async fn tell_failing(story: Story, case: Case, fixture: &Fixture, number: u64) -> RecordId {
    let (disk, before) = (&fixture.disk, fixture.failures());
    case.begin(disk);
    let done = CancellationToken::new();
    let telling = async {
        let take = timeout(STORY_TIME, story.tell(fixture, number)).await;
        done.cancel();
        take.unwrap_or_else(|_| {
            panic!(
                "{case:?}, {}: the story doesn't end: {:?}",
                disk.call(case.call),
                fixture.client.failures().last()
            )
        })
    };
    let room = async {
        let mut ticks = interval(Duration::from_millis(5));
        while disk.failed() == 0 && !done.is_cancelled() {
            ticks.tick().await;
        }
        let noticed = async {
            while fixture.failures() < before + FAILURES_BEFORE_ROOM && !done.is_cancelled() {
                ticks.tick().await;
            }
        };
        // Perhaps no client has noticed it.
        let _ = timeout(ROOM_AFTER, noticed).await;
        disk.heal();
    };
    join(telling, room).await.0
}
