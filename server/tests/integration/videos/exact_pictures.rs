//! Pictures on demand where ffmpeg is installed: of any moment, not only of keyframes.

use std::time::Duration;

use media::{CodedPicture, Container, Reader};
use reqwest::{Method, Response, StatusCode};

use crate::support::{Creator, FIVE_SCENES_MP4, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM};

/// The pictures of a recording.
fn pictures(container: Container, recording: &[u8]) -> Vec<CodedPicture> {
    let mut reader = Reader::new(container);
    reader.feed(recording);
    reader.finish().expect("a recording").summary.pictures
}

async fn show(creator: &Creator<'_>, video: &str, at_ms: u128) -> Response {
    let id = video.rsplit('/').next().expect("an id");
    let path = format!("/videos/{id}/stills/{at_ms}?full=true");
    let answer = creator.send_authorized(Method::GET, &path).await;
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
async fn behind_damage_the_next_keyframe_is_shown() {
    let server = Server::with_ffmpeg().await;
    let creator = server.create_request().await;
    let mut recording = LIVE_MP4.to_vec();
    let pictures = pictures(Container::Mp4, &recording);
    let damaged = pictures.iter().position(|it| !it.is_keyframe);
    let damaged = damaged.expect("a picture that is no keyframe");
    let place = |at: u64| usize::try_from(at).expect("small");
    // Behind the NAL unit's length and header.
    let bytes = &pictures[damaged].bytes;
    recording[place(bytes.start + 8)..place(bytes.end)].fill(0xff);
    let video = creator.submit_video(&recording).await;
    let wanted = pictures[damaged + 1].at.expect("it is shown").as_millis();
    let answer = show(&creator, &video, wanted).await;
    let keyframes = pictures.iter().filter(|it| it.is_keyframe);
    let mut keyframes = keyframes.filter_map(|it| Some(it.at?.as_millis()));
    let shown = moment(&answer);
    assert!(keyframes.any(|at| at == shown), "{shown} for {wanted}");
}
