//! How a result delivers a video, and what it advises next.

use app::api::VideoView;
use app::video_metadata::{StillsStatus, VideoMetadata};
use media::Container;

use crate::mcp::client::ClientKind;
use crate::mcp::input::Delivery;
use crate::mcp::output::DeliveryMode;

/// The largest video in an answer over MCP.
/// Some clients read up to 8 MiB, and base64 makes four bytes of three.
pub(crate) const MAX_INLINE_BYTES: u64 = 5 << 20;

/// How the result delivers the video, and why it is not inline.
pub(super) fn delivery_mode(
    client: ClientKind,
    delivery: Delivery,
    bytes: u64,
    most: u64,
) -> (DeliveryMode, Option<String>) {
    match (delivery, client) {
        (Delivery::Link, _) => (DeliveryMode::Link, None),
        (Delivery::Auto, ClientKind::DropsVideos | ClientKind::CutsAnswers) => {
            let why = "the program that you run in shows you no videos".to_owned();
            (DeliveryMode::Link, Some(why))
        }
        (Delivery::Auto | Delivery::Inline, _) if bytes <= most => (DeliveryMode::Inline, None),
        (Delivery::Auto | Delivery::Inline, _) => {
            let why = format!("it has {bytes} bytes, and at most {most} are put into an answer");
            (DeliveryMode::Link, Some(why))
        }
    }
}

/// A command for any shell. It holds no token, so that a logged result grants no access.
pub(super) fn how_to_fetch(video: &VideoView, container: Container) -> String {
    let (extension, url) = (container.extension(), &video.url);
    format!("curl --fail -H \"Authorization: Bearer ACCESS_TOKEN\" -o video.{extension} \"{url}\"")
}

/// The next step for the agent, also for the case that the video is of no use.
///
/// It keeps agents from sending a human the same request twice.
pub(super) fn next_step(metadata: &VideoMetadata, none_shown: bool, inline: bool) -> String {
    let advice = match (metadata.stills.status, none_shown) {
        (StillsStatus::Pending, _) if inline => {
            "Pictures of the video are still being made: to see them, call again after poll_after_seconds with \
             delivery: \"link\", which doesn't send the video twice."
        }
        (StillsStatus::Pending, _) => {
            "Pictures of the video are still being made: to see them, call again after poll_after_seconds."
        }
        (_, true) => {
            "This answer shows no pictures, stills.reason says why: look at the video itself."
        }
        (_, false) => {
            "Look at the pictures, and at the video if they don't answer it. To see another moment, call again with \
             at_ms; to read small print, with full_resolution: true as well."
        }
    };
    let properties = metadata.properties.as_ref();
    let truncated = match properties.is_some_and(|it| it.truncated) {
        true => " The end of the video is missing.",
        false => "",
    };
    let hdr = match properties.is_some_and(|it| it.hdr) {
        true => {
            " The video is HDR, so its pictures are paler than what was filmed: judge no colors by them."
        }
        false => "",
    };
    format!(
        "{advice}{truncated}{hdr} If it doesn't show what you need, make a new request whose prompt says what was missing and \
         how to film it, such as: go closer, until the serial number can be read. When you have what you need, call \
         delete_video_request."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_video_is_put_into_an_answer_if_it_fits_and_its_client_takes_it() {
        use ClientKind::{AcceptsVideos, CutsAnswers, DropsVideos};
        for (client, delivery, bytes, want) in [
            (AcceptsVideos, Delivery::Auto, 10, DeliveryMode::Inline),
            (AcceptsVideos, Delivery::Auto, 11, DeliveryMode::Link),
            (AcceptsVideos, Delivery::Inline, 10, DeliveryMode::Inline),
            (AcceptsVideos, Delivery::Inline, 11, DeliveryMode::Link),
            (AcceptsVideos, Delivery::Link, 1, DeliveryMode::Link),
            (DropsVideos, Delivery::Auto, 10, DeliveryMode::Link),
            (DropsVideos, Delivery::Inline, 10, DeliveryMode::Inline),
            (CutsAnswers, Delivery::Auto, 10, DeliveryMode::Link),
        ] {
            let (mode, reason) = delivery_mode(client, delivery, bytes, 10);
            assert_eq!(mode, want, "{client:?} {delivery:?} {bytes}");
            let refused = delivery != Delivery::Link && want == DeliveryMode::Link;
            assert_eq!(reason.is_some(), refused, "{client:?} {delivery:?} {bytes}");
        }
    }
}
