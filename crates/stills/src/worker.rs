//! What the same binary does as the child, instead of serving.

use std::ffi::{OsStr, OsString};
use std::io::{stdin, stdout};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use fast_image_resize::Resizer;

use super::image::{self, Picture};
use super::protocol::{Answer, Request, answer};
use super::{STILL_SIDE, decode, sandbox};

/// The first argument that makes a child of it. Nobody types it, and no help names it.
pub const COMMAND: &str = "decode-stills";

/// Exit code: it couldn't give up its rights, and so did nothing.
pub(super) const UNCONFINED: u8 = 77;

/// Whether this process is to be the child. To be asked before anything else: neither a thread nor a file
/// is wanted.
pub fn is_child() -> bool {
    env::args_os().nth(1).as_deref() == Some(OsStr::new(COMMAND))
}

/// Gives up its rights; then decodes what comes on standard input, or becomes the ffmpeg that the further
/// arguments name.
pub fn child() -> ExitCode {
    let mut arguments = env::args_os().skip(2);
    // Best effort: where memory runs out this goes before the server does.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    match arguments.next() {
        Some(program) => become_ffmpeg(&program, arguments),
        None => decode(),
    }
}

fn become_ffmpeg(program: &OsStr, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    // Ours close themselves; whoever started the server may have left others open.
    close_fds::set_fds_cloexec(3, &[]);
    if sandbox::ffmpeg(Path::new(program)).is_err() {
        return ExitCode::from(UNCONFINED);
    }
    // Returns only if there is no such program.
    let _error = Command::new(program).args(arguments).exec();
    ExitCode::FAILURE
}

fn decode() -> ExitCode {
    // Asks for the processor's abilities, which may open a file.
    let mut resizer = Resizer::new();
    if sandbox::own_decoders().is_err() {
        return ExitCode::from(UNCONFINED);
    }
    let Ok(request) = Request::read(stdin().lock()) else {
        return ExitCode::FAILURE;
    };
    let answers = answers(&request, &mut resizer);
    match answer(&answers, stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn answers(request: &Request<Vec<u8>>, resizer: &mut Resizer) -> Vec<Answer> {
    let (mut pictures, mut answers) = (Vec::new(), Vec::new());
    for input in &request.inputs {
        // Scaled at once: twelve whole pictures would be too many.
        let mut small = |it: Picture| it.fit(STILL_SIDE, resizer).ok_or(Answer::Unreadable);
        for decoded in decode::decode(request.coding, &request.config, input, &mut small) {
            answers.push(match decoded {
                Ok(picture) => {
                    pictures.push(picture.turn(request.rotation));
                    None
                }
                Err(answer) => Some(answer),
            });
        }
    }
    let jpegs = image::jpegs(&pictures, request.bytes_each, resizer).unwrap_or_default();
    let mut jpegs = jpegs.into_iter().map(Answer::Picture);
    let answers = answers.into_iter();
    let answers = answers.map(|it| it.or_else(|| jpegs.next()).unwrap_or(Answer::Unreadable));
    answers.collect()
}
