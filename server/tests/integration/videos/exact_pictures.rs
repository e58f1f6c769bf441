//! Pictures on demand: of any moment, not only of keyframes, and by one call of a creator at a time.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use media::{CodedPicture, Container, Reader};
use reqwest::header::RETRY_AFTER;
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use server::config::QuotaArgs;
use server::service::videos::picture::{DECODING_TIME, Moments, decode};
use stills::{Decoders, Size, TimeLimits};

use super::stills::opened;
use crate::support::{
    Creator, FIVE_SCENES_MP4, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM, assert_refused,
    unlimited_quotas, wait_until,
};

/// The pictures of a recording.
fn pictures(container: Container, recording: &[u8]) -> Vec<CodedPicture> {
    let mut reader = Reader::new(container);
    reader.feed(recording);
    reader.finish().expect("a recording").summary.pictures
}

async fn ask(creator: &Creator<'_>, video: &str, at_ms: u128) -> Response {
    let id = video.rsplit('/').next().expect("an id");
    let path = format!("/videos/{id}/stills/{at_ms}?full=true");
    creator.send_authorized(Method::GET, &path).await
}

async fn show(creator: &Creator<'_>, video: &str, at_ms: u128) -> Response {
    let answer = ask(creator, video, at_ms).await;
    assert_eq!(answer.status(), StatusCode::OK);
    answer
}

/// The moment that an answer shows, in milliseconds.
fn moment(answer: &Response) -> u128 {
    let location = answer.headers()["content-location"]
        .to_str()
        .expect("a path");
    let moment = location.rsplit('/').next().expect("a moment");
    let moment = moment.strip_suffix("?full=true").expect("in full");
    moment.parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn with_ffmpeg_the_picture_of_any_moment_is_shown() {
    let server = Server::with_ffmpeg().await;
    for (container, recording) in [
        (Container::WebM, LIVE_WEBM),
        (Container::WebM, VP9_WEBM),
        (Container::Mp4, LIVE_MP4),
        (Container::Mp4, FIVE_SCENES_MP4),
    ] {
        let creator = server.create_request().await;
        let video = creator.submit_video(recording).await;
        let pictures = pictures(container, recording);
        let between: Vec<Duration> = pictures
            .iter()
            .filter(|it| !it.is_keyframe)
            .filter_map(|it| it.at)
            .collect();
        assert!(between.len() > 5, "pictures that are no keyframes");
        for index in [0, between.len() / 2, between.len() - 1] {
            let want = between[index].as_millis();
            let answer = show(&creator, &video, want).await;
            assert_eq!(moment(&answer), want, "{container:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_moment_of_h264_is_shown_without_ffmpeg_too() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_MP4).await;
    let pictures = pictures(Container::Mp4, LIVE_MP4);
    for index in [1, pictures.len() / 2, pictures.len() - 1] {
        let want = pictures[index].at.expect("it is shown").as_millis();
        assert_eq!(moment(&show(&creator, &video, want).await), want);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_whose_bytes_have_changed_is_reported_as_damaged() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_MP4).await;
    let pictures = pictures(Container::Mp4, LIVE_MP4);
    let last = pictures.last().expect("a picture");
    let objects = server.objects();
    let is_recording =
        |it: &&PathBuf| fs::metadata(it).is_ok_and(|it| it.len() == LIVE_MP4.len() as u64);
    let object = objects.iter().find(is_recording).expect("an object");
    let mut bytes = fs::read(object).expect("an object");
    bytes[usize::try_from(last.bytes.start).expect("small")] ^= 1;
    fs::write(object, bytes).expect("other bytes");
    let answer = ask(&creator, &video, last.at.expect("it is shown").as_millis()).await;
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let body: Value = answer.json().await.expect("JSON");
    let message = body["error"]["message"].as_str().expect("text");
    assert!(message.contains("is damaged"), "{message}");
}

/// Spoils a picture of the first GOP, which all behind it there refer to. Returns its index, too.
fn damaged(recording: &[u8], pictures: &[CodedPicture]) -> (usize, Vec<u8>) {
    let mut recording = recording.to_vec();
    let index = pictures.iter().position(|it| !it.is_keyframe);
    let index = index.expect("a picture that is no keyframe");
    let place = |at: u64| usize::try_from(at).expect("small");
    // Behind the NAL unit's length and header.
    let bytes = &pictures[index].bytes;
    recording[place(bytes.start + 8)..place(bytes.end)].fill(0xff);
    (index, recording)
}

/// The times of the keyframes, in milliseconds.
fn keyframes(pictures: &[CodedPicture]) -> Vec<u128> {
    let keyframes = pictures.iter().filter(|it| it.is_keyframe);
    let times = keyframes.filter_map(|it| Some(it.at?.as_millis()));
    times.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_damage_the_next_keyframe_is_shown() {
    let server = Server::with_ffmpeg().await;
    let creator = server.create_request().await;
    let pictures = pictures(Container::Mp4, LIVE_MP4);
    let (damaged, recording) = damaged(LIVE_MP4, &pictures);
    let video = creator.submit_video(&recording).await;
    let wanted = pictures[damaged + 1].at.expect("it is shown").as_millis();
    let shown = moment(&show(&creator, &video, wanted).await);
    assert!(
        keyframes(&pictures).contains(&shown),
        "{shown} for {wanted}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_moments_that_depend_on_damage_show_a_keyframe() {
    let server = Server::with_ffmpeg().await;
    let creator = server.create_request().await;
    let pictures = pictures(Container::Mp4, FIVE_SCENES_MP4);
    let (damaged, recording) = damaged(FIVE_SCENES_MP4, &pictures);
    let video = opened(&creator, &recording).await;
    let last = pictures.last().and_then(|it| it.at).expect("a picture");
    let behind = pictures[damaged + 1].at.expect("it is shown");
    let both = [behind, last].map(|it| u64::try_from(it.as_millis()).expect("a moment"));
    let both = Moments::Each(both.to_vec());
    let shown = decode(&server.app, &video.video, &both, Size::FULL, DECODING_TIME).await;
    let shown = shown.expect("pictures");
    let times: Vec<u128> = shown.iter().map(|it| it.at_ms.into()).collect();
    assert!(keyframes(&pictures).contains(&times[0]), "{times:?}");
    assert_eq!(times[1..], [last.as_millis()]);
}

/// A program in this folder.
fn script(folder: &Path, lines: &str) -> PathBuf {
    let program = folder.join("script");
    fs::write(&program, format!("#!/bin/sh\n{lines}\n")).expect("a file");
    fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("permissions");
    program
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keyframe_is_shown_where_decoding_up_to_the_moment_takes_too_long() {
    let folder = tempfile::tempdir().expect("a folder");
    let hanging = script(folder.path(), "while :; do :; done");
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let video = opened(&creator, LIVE_WEBM).await;
    let mut app = server.app.clone();
    app.decoders = Decoders::new(env!("CARGO_BIN_EXE_vidence").into(), Some(hanging));
    let pictures = pictures(Container::WebM, LIVE_WEBM);
    let between = pictures.iter().position(|it| !it.is_keyframe);
    let between = pictures[between.expect("one")].at.expect("it is shown");
    let between = u64::try_from(between.as_millis()).expect("a moment");
    let limit = Duration::from_secs(30);
    let shown = decode(&app, &video.video, &Moments::At(between), Size::FULL, limit).await;
    let shown = shown.expect("a picture")[0].at_ms;
    assert!(
        keyframes(&pictures).contains(&shown.into()),
        "{shown} for {between}"
    );
}

/// One call of a creator decodes at a time. While it hangs its others find no turn, and take none from
/// other creators.
#[tokio::test(flavor = "multi_thread")]
async fn a_creators_surplus_calls_are_refused_and_those_of_others_served() {
    const SURPLUS: usize = 3;
    let folder = tempfile::tempdir().expect("a folder");
    let begun = folder.path().join("begun");
    let lines = format!(": > '{}'\nexec sleep 600", begun.display());
    let hanging = script(folder.path(), &lines);

    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    };
    let server = Server::sqlite().await.with_quotas(quotas).await;
    let creator = server.create_request_from("198.51.100.1").await;
    let other = server.create_request_from("198.51.100.2").await;
    let others_video = other.submit_video(LIVE_WEBM).await;
    let video = opened(&creator, LIVE_WEBM).await;
    let id = &video.metadata.id;

    // It shares the server's turns, and has a decoder of its own.
    let mut app = server.app.clone();
    let never = Duration::from_mins(10);
    let limits = TimeLimits {
        video: never,
        child: never,
        keyframe: never,
        finish: Duration::ZERO,
    };
    app.decoders = Decoders::new(hanging, None).with_time_limits(limits);
    let beginning = Moments::At(0);
    let hung = decode(&app, &video.video, &beginning, Size::FULL, never);
    let beside = async {
        wait_until(async || begun.exists()).await;
        let surplus = join_all((0..SURPLUS).map(|_| ask(&creator, id, 0)));
        let (refused, served) = tokio::join!(surplus, ask(&other, &others_video, 0));
        assert_eq!(served.status(), StatusCode::OK);
        for answer in refused {
            assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
            assert_eq!(answer.headers()[RETRY_AFTER], "1");
            assert_refused(answer, 429, "rate_limited").await;
        }
    };
    tokio::select! {
        ended = hung => panic!("{ended:?}"),
        () = beside => {}
    }
    // The call that hung has ended, and left its turn.
    show(&creator, id, 0).await;
}
