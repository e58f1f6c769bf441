//! The timeline: the video from its beginning to its end as a slider that seeks, and shows what is clicked on as a picture,
//! with its stills and ticked steps; below it how long the bytes took to arrive, beside how long the video is.
//!
//! When the recording began isn't known, because a recorder may have paused. So lengths are compared, on one scale, and no
//! clock is drawn; the facts name the times of the arrival.

use leptos::html::Div;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::pictures::{position_ms, seek, time};
use super::player::PlayerHandle;
use crate::browser::parse_time;
use crate::console::controller::Controller;
use crate::video_metadata::{Arrival, VideoMetadata};

/// The width of a drawing, in its own units.
const WIDTH: u64 = 1000;

/// The least width that is visible on a phone.
const MIN_WIDTH: u64 = 4;

/// The video and its arrival.
/// Drawn once stills are made or missing, and not again: the slider may have the focus.
#[component]
pub fn Timeline(
    controller: Controller,
    player: PlayerHandle,
    /// It contains the slider, which is in seconds.
    timeline: NodeRef<Div>,
    /// Whether the stills are made or missing.
    are_stills_settled: Memo<bool>,
    /// The moment that is shown in full size, in milliseconds.
    shown: RwSignal<Option<u64>>,
) -> impl IntoView {
    let drawing = move || match are_stills_settled.get() {
        true => controller
            .metadata
            .with_untracked(|it| it.as_ref().map(draw).unwrap_or_default()),
        false => String::new(),
    };
    let go = move |event| {
        let seconds = event_target::<HtmlInputElement>(&event).value_as_number();
        // Not negative, and far below 2⁵³.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let at_ms = (seconds * 1000.0) as u64;
        seek(player, at_ms);
    };
    // Not on each key: a picture is decoded.
    let show = move |_| shown.set(position_ms(player));
    view! { <div class="timeline" node_ref=timeline inner_html=drawing on:input=go on:click=show></div> }
}

/// The timeline as HTML, of numbers alone: elements with attributes of their own would add 2 KB to the WASM. Empty if the
/// duration isn't known.
fn draw(metadata: &VideoMetadata) -> String {
    let Some(properties) = &metadata.properties else {
        return String::new();
    };
    let duration_ms = properties.duration_ms;
    let stills = metadata.stills.pictures.iter().map(|it| it.at_ms);
    let ticks = metadata.ticks.iter().map(|it| it.at_ms);
    let stills = marks(stills, duration_ms, "4v12");
    let ticks = marks(ticks, duration_ms, "12h0");
    let arrival = metadata.arrival.as_ref().map(arrival_ms);
    let lengths = arrival.map(|it| lengths(duration_ms, it));
    format!(
        "<input type=range aria-label='Second of the video' min=0 max={} step=.5 value=0>{}{}",
        duration_ms.div_ceil(1000),
        svg(&stills, &ticks),
        lengths.unwrap_or_default()
    )
}

/// How long the bytes took to arrive, in milliseconds.
fn arrival_ms(arrival: &Arrival) -> u64 {
    let millis = parse_time(&arrival.last_byte_at) - parse_time(&arrival.first_byte_at);
    // The cast saturates.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let whole = millis as u64;
    whole
}

/// A mark at each of these times.
fn marks(times: impl Iterator<Item = u64>, duration_ms: u64, mark: &str) -> String {
    let mark = |at_ms| format!("M{} {mark}", share(at_ms, duration_ms));
    times.map(mark).collect()
}

/// A line as long as the video, and below it one as long as the arrival, on the scale of the longer one.
fn lengths(duration_ms: u64, arrival_ms: u64) -> String {
    let longest_ms = duration_ms.max(arrival_ms);
    let line = |row: &str, part_ms| {
        let width = share(part_ms, longest_ms).max(MIN_WIDTH);
        format!("M0 {row}h{width}")
    };
    format!(
        "<div class=timeline__lengths><span>Length</span>{}<span>{}</span><span>Arrival</span><span>{}</span></div>",
        svg(&line("5", duration_ms), &line("15", arrival_ms)),
        time(duration_ms),
        time(arrival_ms)
    )
}

/// A drawing as wide as its place.
fn svg(quiet: &str, accent: &str) -> String {
    format!(
        "<svg viewBox='0 0 1000 20' preserveAspectRatio=none aria-hidden=true>\
         <path d='{quiet}'/><path d='{accent}'/></svg>"
    )
}

/// This part of the whole as a width.
fn share(part: u64, whole: u64) -> u64 {
    part.min(whole).saturating_mul(WIDTH) / whole.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_at_their_share_of_the_video() {
        let times = [0, 15_000, 30_000, 31_000].into_iter();
        let want = "M0 12h0M500 12h0M1000 12h0M1000 12h0";
        assert_eq!(marks(times, 30_000, "12h0"), want);
        assert_eq!(marks([5].into_iter(), 0, "4v12"), "M0 4v12");
    }

    #[test]
    fn bars_share_one_scale_and_have_a_minimum_width() {
        for (duration_ms, arrival_ms, want) in [
            (30_000, 31_000, "<path d='M0 5h967'/><path d='M0 15h1000'/>"),
            (30_000, 3_000, "<path d='M0 5h1000'/><path d='M0 15h100'/>"),
            (30_000, 0, "<path d='M0 5h1000'/><path d='M0 15h4'/>"),
            (
                1_000,
                86_400_000,
                "<path d='M0 5h4'/><path d='M0 15h1000'/>",
            ),
        ] {
            let drawn = lengths(duration_ms, arrival_ms);
            assert!(drawn.contains(want), "{drawn}");
        }
    }
}
