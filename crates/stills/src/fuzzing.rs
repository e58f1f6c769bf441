//! What is between a recording and its decoders, without a process and a sandbox, for fuzz targets: both ends of the
//! protocol with the worker, and the input of ffmpeg.

use fast_image_resize::Resizer;

use super::protocol::{Outputs, Request, max_answer_bytes, parse_answers, write_answers};
use super::worker::answer;
use super::{CodedGroup, STILL_SIDE, THUMBNAIL_SIDE, ffmpeg};
use media::VideoTrack;

/// Answers a request as a worker does, and returns whether the server would take the answer.
/// `None`: the worker refuses the request, or it has more than two pictures, which would only take longer.
pub fn serve(request: &[u8]) -> Option<bool> {
    let request = Request::read(request).ok()?;
    let count = request.inputs.iter().map(|it| it.positions.len()).sum();
    if request.inputs.len() > 2 || count > 2 {
        return None;
    }
    let mut output = Vec::new();
    let answers = answer(&request, &mut Resizer::new());
    write_answers(&answers, &mut output).ok()?;
    Some(parse_answers(&output, count, request.outputs).is_some())
}

/// Parses what a worker may say of so many pictures, and returns how many bytes of them the server would keep.
pub fn take_answers(output: &[u8], count: usize, bytes_each: u32) -> Option<u64> {
    let outputs = Outputs {
        side: STILL_SIDE,
        bytes_each,
        thumbnail_side: THUMBNAIL_SIDE,
    };
    let answers = parse_answers(output, count, outputs)?;
    let made = answers.iter().flatten();
    let kept = made.map(|it| (it.jpeg.len() + it.thumbnail.rgb.len()) as u64);
    let kept: u64 = kept.sum();
    assert!(kept <= max_answer_bytes(count, outputs));
    Some(kept)
}

/// The bytes that ffmpeg would be given of a coded group, and the name of their format.
/// `None`: the group is refused, or decoded without it.
pub fn ffmpeg_input(video: &VideoTrack, coded: &CodedGroup) -> Option<(&'static str, Vec<u8>)> {
    let stream = ffmpeg::stream(video, coded)?;
    Some((stream.format, stream.bytes))
}
