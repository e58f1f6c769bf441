//! Samples a frame of a video in few pixels, enough to tell light from dark; and counts its frames.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlVideoElement};

use crate::browser::js::{call_now, get_field, object};

const WIDTH: i32 = 16;
const HEIGHT: i32 = 9;

/// The current frame as RGBA, scaled to 16×9 pixels. Empty: there is no frame yet.
pub fn sample_frame(video: &HtmlVideoElement) -> Vec<u8> {
    if video.video_width() == 0 {
        return Vec::new();
    }
    draw_scaled(video).unwrap_or_default()
}

fn draw_scaled(video: &HtmlVideoElement) -> Option<Vec<u8>> {
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.unchecked_into();
    canvas.set_width(WIDTH.unsigned_abs());
    canvas.set_height(HEIGHT.unsigned_abs());
    // It is read back at once, for which a graphics processor would have to be waited for.
    let read = object(&[("willReadFrequently", JsValue::TRUE)]);
    let context = canvas.get_context_with_context_options("2d", &read);
    let context: CanvasRenderingContext2d = context.ok()??.unchecked_into();
    let (width, height) = (f64::from(WIDTH), f64::from(HEIGHT));
    context
        .draw_image_with_html_video_element_and_dw_and_dh(video, 0.0, 0.0, width, height)
        .ok()?;
    let pixels = context.get_image_data(0.0, 0.0, width, height).ok()?;
    Some(pixels.data().0)
}

/// How many frames of a video were to be shown, and how many of them were dropped.
/// `None`: the browser doesn't count.
pub fn count_frames(video: &HtmlVideoElement) -> Option<(f64, f64)> {
    let quality = call_now(video, "getVideoPlaybackQuality", &Array::new())?;
    let number = |name| get_field(&quality, name).as_f64();
    Some((number("totalVideoFrames")?, number("droppedVideoFrames")?))
}
