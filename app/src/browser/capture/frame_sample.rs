//! Samples a frame of a video in some of its pixels, enough to tell light from dark; and counts its frames.

use std::time::Duration;

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlElement, HtmlVideoElement};

use crate::browser;
use crate::browser::dom::element;
use crate::browser::js::{call_now, construct, get_field, object};

/// How many pairs of lines are copied: in pairs, because colours have half the resolution.
const PAIRS: u32 = 6;

/// Ends before the next sample, which is taken a second later. A copy may wait for the graphics processor.
const COPY_TIME: Duration = Duration::from_millis(900);

/// Some pixels of the current frame, spread over it, as RGBA. Empty: there is no frame yet.
pub async fn sample_frame(video: &HtmlVideoElement) -> Vec<u8> {
    let lines = copy_lines(video).await;
    let pixels = lines.or_else(|| draw_scaled(video));
    pixels.map(|it| it.to_vec()).unwrap_or_default()
}

/// Some lines of the frame, without a canvas: for one Chromium copies whole frames, and keeps them, 50 MB after six samples in
/// 1080p. `None`: there is no frame, the browser has no WebCodecs or doesn't convert what it copies, the frame is turned against
/// the video, or the copy took too long.
async fn copy_lines(video: &HtmlVideoElement) -> Option<Uint8Array> {
    let frame = construct("VideoFrame", &Array::of1(video))?;
    let (width, height) = (video.video_width() & !1, video.video_height());
    let pair_bytes = width * 2 * 4;
    let pixels = Uint8Array::new_with_length(pair_bytes * PAIRS);
    let copies = Array::new();
    for pair in 0..PAIRS {
        // In the middle of each of as many bands, on an even line.
        let y = (height * (2 * pair + 1) / (2 * PAIRS)) & !1;
        let rect = [("x", 0), ("y", y), ("width", width), ("height", 2)];
        let rect = object(&rect.map(|(name, it)| (name, it.into())));
        let options = object(&[("rect", rect), ("format", "RGBA".into())]);
        let copied = pixels.subarray(pair_bytes * pair, pair_bytes * (pair + 1));
        let copy = call_now(&frame, "copyTo", &Array::of2(&copied, &options));
        copies.push(&copy.unwrap_or_default());
    }
    let all = JsFuture::from(Promise::all(&copies));
    let copied = browser::timeout(COPY_TIME, all).await;
    // A camera has few frames, and waits for those that aren't given back.
    call_now(&frame, "close", &Array::new());
    // Browsers that ignore the format copy several planes, or one with red and blue exchanged, which hardly matters.
    let planes = get_field(&copied?.ok()?, "0");
    (get_field(&planes, "length") == 1.0).then_some(pixels)
}

/// The frame, scaled to 16×9 pixels. By names, because the types of web-sys would add a hundred bytes to the WASM and its script.
fn draw_scaled(video: &HtmlVideoElement) -> Option<Uint8Array> {
    if video.video_width() == 0 {
        return None;
    }
    let document = web_sys::window()?.document()?;
    let canvas: HtmlElement = document.create_element("canvas").ok()?.unchecked_into();
    element::set_attribute(&canvas, "width", "16");
    element::set_attribute(&canvas, "height", "9");
    // It is read back at once, for which a graphics processor would have to be waited for.
    let read = object(&[("willReadFrequently", JsValue::TRUE)]);
    let context = call_now(&canvas, "getContext", &Array::of2(&"2d".into(), &read))?;
    let [edge, width, height] = [0, 16, 9].map(JsValue::from);
    let area = Array::of4(&edge, &edge, &width, &height);
    call_now(&context, "drawImage", &Array::of1(video).concat(&area))?;
    let pixels = call_now(&context, "getImageData", &area)?;
    Some(Uint8Array::new(&get_field(&pixels, "data")))
}

/// How many frames of a video were to be shown, and how many of them were dropped.
/// `None`: the browser doesn't count.
pub fn count_frames(video: &HtmlVideoElement) -> Option<(f64, f64)> {
    let quality = call_now(video, "getVideoPlaybackQuality", &Array::new())?;
    let number = |name| get_field(&quality, name).as_f64();
    Some((number("totalVideoFrames")?, number("droppedVideoFrames")?))
}
