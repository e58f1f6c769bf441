//! The worker: the server's executable, started once more to decode inside a sandbox.

use std::ffi::{OsStr, OsString};
use std::io::{stdin, stdout};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use fast_image_resize::Resizer;

use super::decode::decode;
use super::image::{RgbImage, encode_jpegs};
use super::protocol::{Answer, DecodeError, Format, Made, Outputs, Request, write_answers};
use super::sandbox;

/// The first argument of a worker. It is internal: no help text names it.
pub(super) const COMMAND: &str = "decode-stills";

/// Exit code of a worker that couldn't enter its sandbox, and so decoded nothing.
pub(super) const NO_SANDBOX: u8 = 77;

/// Whether this process is a worker. Ask before a thread is started or a file is opened.
pub fn is_worker() -> bool {
    env::args_os().nth(1).as_deref() == Some(OsStr::new(COMMAND))
}

/// Enters the sandbox, then decodes the request on standard input, or executes the ffmpeg named by the arguments.
pub fn run_worker() -> ExitCode {
    let mut arguments = env::args_os().skip(2);
    // Best effort: when memory runs out the kernel kills this process before the server.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    match arguments.next() {
        Some(program) => execute_ffmpeg(&program, arguments),
        None => serve_request(),
    }
}

fn execute_ffmpeg(program: &OsStr, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    // The server's descriptors are close-on-exec already; it may have inherited others that aren't.
    close_fds::set_fds_cloexec(3, &[]);
    if sandbox::confine_ffmpeg(Path::new(program)).is_err() {
        return ExitCode::from(NO_SANDBOX);
    }
    // Returns only on failure.
    let _error = Command::new(program).args(arguments).exec();
    ExitCode::FAILURE
}

fn serve_request() -> ExitCode {
    // Before the sandbox: detecting the processor's features may open a file.
    let mut resizer = Resizer::new();
    if sandbox::confine_built_in().is_err() {
        return ExitCode::from(NO_SANDBOX);
    }
    let Ok(request) = Request::read(stdin().lock()) else {
        return ExitCode::FAILURE;
    };
    let answers = answer(&request, &mut resizer);
    match write_answers(&answers, stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

pub(super) fn answer(request: &Request<Vec<u8>>, resizer: &mut Resizer) -> Vec<Answer> {
    let (mut images, mut results) = (Vec::new(), Vec::new());
    for input in &request.inputs {
        // Scaled down at once: twelve images of full size would take too much memory.
        let mut shrink = |it: RgbImage| {
            it.fit(request.outputs.side, resizer)
                .ok_or(DecodeError::Undecodable)
        };
        let decoded = decode(request.format, &request.config, input, &mut shrink);
        // ffmpeg writes the wanted pictures alone: if there are too few, it is unknown which of them are missing.
        let is_certain = request.format != Format::Ppm || decoded.iter().all(Result::is_ok);
        for it in decoded {
            let it = if is_certain {
                it
            } else {
                it.and(Err(DecodeError::Undecodable))
            };
            results.push(it.map(|image| images.push(image.rotate(request.rotation))));
        }
    }
    let mut made = make(images, request.outputs, resizer)
        .unwrap_or_default()
        .into_iter();
    let answers = results.into_iter();
    let answers = answers.map(|it| it.and_then(|()| made.next().ok_or(DecodeError::Undecodable)));
    answers.collect()
}

/// Makes the wanted outputs of all images. `None`: they can't be made small enough.
fn make(images: Vec<RgbImage>, outputs: Outputs, resizer: &mut Resizer) -> Option<Vec<Made>> {
    let jpegs = match outputs.bytes_each {
        0 => vec![Vec::new(); images.len()],
        bytes_each => encode_jpegs(&images, bytes_each, resizer)?,
    };
    let made = images.into_iter().zip(jpegs);
    let made = made.map(|(image, jpeg)| {
        let thumbnail = match outputs.thumbnail_side {
            0 => RgbImage::default(),
            side => image.fit(side, resizer)?,
        };
        Some(Made { jpeg, thumbnail })
    });
    made.collect()
}
