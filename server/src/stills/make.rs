//! From coded frames to pictures: which child is asked for which frame, and what its answers are worth.

use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::protocol::{Answer, Coding, Request, answers, most_answer_bytes};
use super::run::{Job, run};
use super::{
    Coded, Decoders, MOST_FRAME_BYTES, MOST_STILLS, MOST_STILLS_BYTES, MOST_TIME, NoStills,
    STILL_SIDE, Still, ffmpeg, jpeg_header,
};
use crate::media::{Codec, VideoTrack};

/// How long the first child may take for all frames. It needs a tenth of it.
const TOGETHER: Duration = Duration::from_secs(8);
/// How long one frame may take alone.
const ALONE: Duration = Duration::from_secs(4);
/// Kept back for turning what ffmpeg made into pictures.
const FINISH: Duration = Duration::from_secs(3);

/// Makes a picture of each of them: upright, at most [`STILL_SIDE`] pixels long, all together of at most
/// [`MOST_STILLS_BYTES`]. Frames beyond [`MOST_STILLS`] or larger than [`MOST_FRAME_BYTES`] are left out, and
/// so is what can't be decoded, as long as anything can. Takes [`MOST_TIME`] at most.
pub async fn make(
    decoders: &Decoders,
    video: &VideoTrack,
    mut frames: Vec<Coded>,
) -> Result<Vec<Still>, NoStills> {
    frames.retain(|frame| (1..=MOST_FRAME_BYTES).contains(&frame.bytes.len()));
    frames.truncate(MOST_STILLS);
    if frames.is_empty() {
        return Err(NoStills::NoFrame);
    }
    let mut work = Work {
        decoders,
        video,
        // Each frame has its share, however many children it takes in the end.
        bytes_each: u32::try_from(MOST_STILLS_BYTES / frames.len()).unwrap_or(u32::MAX),
        deadline: Instant::now() + MOST_TIME,
        stills: frames.iter().map(|_| None).collect(),
        failure: NoStills::NoDecoder(video.codec),
    };
    if let Some(coding) = built_in(video.codec) {
        work.decode_here(coding, &frames).await;
    }
    if let Some(program) = &decoders.ffmpeg {
        work.decode_with_ffmpeg(program, &frames).await;
    }
    let stills: Vec<Still> = work.stills.into_iter().flatten().collect();
    if stills.is_empty() {
        return Err(work.failure);
    }
    Ok(stills)
}

const fn built_in(codec: Codec) -> Option<Coding> {
    match codec {
        Codec::Vp8 => Some(Coding::Vp8),
        Codec::H264 if cfg!(feature = "openh264") => Some(Coding::H264),
        Codec::H264 | Codec::Vp9 | Codec::Av1 | Codec::H265 | Codec::Other => None,
    }
}

struct Work<'a> {
    decoders: &'a Decoders,
    video: &'a VideoTrack,
    bytes_each: u32,
    deadline: Instant,
    /// One for each frame, as far as they are made.
    stills: Vec<Option<Still>>,
    /// What went wrong last.
    failure: NoStills,
}

/// A frame, or what ffmpeg made of it: which one, when, and its bytes.
type Piece<'a> = (usize, Duration, &'a [u8]);

impl Work<'_> {
    /// All keyframes in one child; and if that dies of one of them, each in a child of its own, so that the
    /// others live. Then what needs more than a keyframe, for which nothing else is risked.
    async fn decode_here(&mut self, coding: Coding, frames: &[Coded]) {
        let frames = frames.iter().enumerate();
        let pieces = frames.map(|(index, it)| ((index, it.at, it.bytes.as_slice()), it.pictures));
        let (pieces, between): (Vec<_>, Vec<_>) = pieces.partition(|(_, pictures)| *pictures == 1);
        let pieces: Vec<Piece<'_>> = pieces.into_iter().map(|(piece, _)| piece).collect();
        self.decode_keyframes(coding, pieces).await;
        let between: Vec<Piece<'_>> = between.into_iter().map(|(piece, _)| piece).collect();
        if !between.is_empty() {
            let asked = self.ask(coding, &between, TOGETHER).await;
            self.note(asked);
        }
    }

    async fn decode_keyframes(&mut self, coding: Coding, pieces: Vec<Piece<'_>>) {
        match self.ask(coding, &pieces, TOGETHER).await {
            Err(NoStills::Died | NoStills::TimedOut | NoStills::Nonsense) if pieces.len() > 1 => {
                for piece in pieces {
                    let asked = self.ask(coding, &[piece], ALONE).await;
                    self.note(asked);
                }
            }
            asked => self.note(asked),
        }
    }

    /// The frames that have no picture yet, each in an ffmpeg of its own.
    async fn decode_with_ffmpeg(&mut self, program: &Path, frames: &[Coded]) {
        let mut pixmaps = Vec::new();
        let finish = self.deadline - FINISH;
        let mut frames: Vec<_> = frames.iter().enumerate().collect();
        // Keyframes first: time is short.
        frames.sort_by_key(|(_, it)| it.pictures > 1);
        for (
            index,
            Coded {
                at,
                bytes,
                pictures,
            },
        ) in frames
        {
            if self.stills.get(index).is_some_and(Option::is_some) {
                continue;
            }
            let Some(stream) = ffmpeg::stream(self.video, bytes) else {
                continue;
            };
            let mut arguments = vec![program.into()];
            arguments.extend(ffmpeg::arguments(stream.format, *pictures));
            let job = Job {
                executable: &self.decoders.executable,
                arguments,
                input: vec![&stream.bytes],
                most_output: ffmpeg::MOST_BYTES,
                deadline: finish.min(Instant::now() + ALONE),
            };
            match run(job).await {
                Ok(pixmap) if pixmap.is_empty() => self.failure = NoStills::Unreadable,
                Ok(pixmap) => pixmaps.push((index, *at, pixmap)),
                Err(failure) => self.failure = failure,
            }
        }
        let pieces: Vec<Piece<'_>> = pixmaps
            .iter()
            .map(|(index, at, pixmap)| (*index, *at, pixmap.as_slice()))
            .collect();
        if !pieces.is_empty() {
            let asked = self.ask(Coding::Pixmap, &pieces, FINISH).await;
            self.note(asked);
        }
    }

    fn note(&mut self, asked: Result<(), NoStills>) {
        if let Err(failure) = asked {
            self.failure = failure;
        }
    }

    /// Has a child make pictures of these. An error says what became of the last one that has none.
    async fn ask(
        &mut self,
        coding: Coding,
        pieces: &[Piece<'_>],
        time: Duration,
    ) -> Result<(), NoStills> {
        let request = Request {
            coding,
            rotation: self.video.rotation,
            bytes_each: self.bytes_each,
            config: match coding {
                Coding::H264 => self.video.config.clone(),
                Coding::Vp8 | Coding::Pixmap => Vec::new(),
            },
            frames: pieces.iter().map(|(_, _, bytes)| *bytes).collect(),
        };
        let head = request.head();
        let mut input = vec![head.as_slice()];
        input.extend(&request.frames);
        let job = Job {
            executable: &self.decoders.executable,
            arguments: Vec::new(),
            input,
            most_output: most_answer_bytes(pieces.len(), self.bytes_each),
            deadline: self.deadline.min(Instant::now() + time),
        };
        let said = run(job).await?;
        let answers = answers(&said, pieces.len(), self.bytes_each).ok_or(NoStills::Nonsense)?;
        let mut outcome = Ok(());
        for ((index, at, _), answer) in pieces.iter().zip(answers) {
            match (still(*at, answer), self.stills.get_mut(*index)) {
                (Ok(still), Some(place)) => *place = Some(still),
                (Ok(_), None) => outcome = Err(NoStills::Nonsense),
                (Err(failure), _) => outcome = Err(failure),
            }
        }
        outcome
    }
}

fn still(at: Duration, answer: Answer) -> Result<Still, NoStills> {
    match answer {
        Answer::Picture(jpeg) => match jpeg_header::size(&jpeg) {
            Some((width, height)) if width.max(height) <= STILL_SIDE => Ok(Still {
                at,
                width,
                height,
                jpeg,
            }),
            _ => Err(NoStills::Nonsense),
        },
        Answer::TooLarge => Err(NoStills::TooLarge),
        Answer::Unreadable => Err(NoStills::Unreadable),
    }
}
