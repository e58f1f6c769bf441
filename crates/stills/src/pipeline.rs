//! From coded frames to pictures: which child is asked for which of them, and what its answers are worth.

use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::protocol::{Answer, Coding, Input, Request, answers, most_answer_bytes};
use super::subprocess::{Job, run};
use super::{
    Coded, Decoders, MOST_FRAME_BYTES, MOST_GROUP_BYTES, MOST_STILLS, MOST_STILLS_BYTES, Moment,
    NoStills, STILL_SIDE, Still, ffmpeg, jpeg_header,
};
use media::{Codec, VideoTrack};

/// Makes a picture of each moment: upright, at most [`STILL_SIDE`] pixels long, all together of at most
/// [`MOST_STILLS_BYTES`], in the order of time. What is larger than [`MOST_FRAME_BYTES`] a keyframe and
/// [`MOST_GROUP_BYTES`] else is left out, and so are moments beyond [`MOST_STILLS`] and what can't be decoded, as long as
/// anything can. Takes [`TimeLimits::video`] at most.
pub async fn make(
    decoders: &Decoders,
    video: &VideoTrack,
    mut coded: Vec<Coded>,
) -> Result<Vec<Still>, NoStills> {
    coded.retain(|it| {
        let most = if is_keyframe(it) {
            MOST_FRAME_BYTES
        } else {
            MOST_GROUP_BYTES
        };
        (1..=most).contains(&it.bytes.len())
    });
    let mut room = MOST_STILLS;
    for it in &mut coded {
        it.moments.truncate(room);
        room -= it.moments.len();
    }
    let count = MOST_STILLS - room;
    if count == 0 {
        return Err(NoStills::NoFrame);
    }
    let mut work = Work {
        decoders,
        video,
        // Each picture has its share, however many children it takes in the end.
        bytes_each: u32::try_from(MOST_STILLS_BYTES / count).unwrap_or(u32::MAX),
        deadline: Instant::now() + decoders.time_limits.video,
        stills: Vec::new(),
        failure: NoStills::NoDecoder(video.codec),
    };
    if let Some(coding) = built_in(video.codec) {
        work.decode_here(coding, &coded).await;
    }
    if let Some(program) = &decoders.ffmpeg {
        work.decode_with_ffmpeg(program, &coded).await;
    }
    if work.stills.is_empty() {
        return Err(work.failure);
    }
    work.stills.sort_by_key(|still| still.at);
    Ok(work.stills)
}

fn is_keyframe(coded: &Coded) -> bool {
    matches!(coded.moments.as_slice(), [Moment { place: 0, .. }])
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
    /// As they are made, one a moment.
    stills: Vec<Still>,
    /// What went wrong last.
    failure: NoStills,
}

/// What is decoded together, or what ffmpeg made of it, and the pictures that are wanted of it.
struct Piece<'a> {
    bytes: &'a [u8],
    moments: Vec<Moment>,
}

impl<'a> From<&'a Coded> for Piece<'a> {
    fn from(coded: &'a Coded) -> Self {
        Self {
            bytes: &coded.bytes,
            moments: coded.moments.clone(),
        }
    }
}

impl Work<'_> {
    /// All keyframes in one child; and if that dies of one of them, each in a child of its own, so that the
    /// others live. Then what lies between them, each group in a child of its own, as long as there is time.
    async fn decode_here(&mut self, coding: Coding, coded: &[Coded]) {
        let (keyframes, groups): (Vec<&Coded>, Vec<&Coded>) =
            coded.iter().partition(|it| is_keyframe(it));
        self.decode_keyframes(coding, &keyframes).await;
        let end = Instant::now() + self.decoders.time_limits.child;
        for group in groups {
            let asked = self.ask(coding, &[group.into()], end).await;
            self.note(asked);
        }
    }

    async fn decode_keyframes(&mut self, coding: Coding, keyframes: &[&Coded]) {
        let pieces: Vec<Piece<'_>> = keyframes.iter().copied().map(Piece::from).collect();
        let end = Instant::now() + self.decoders.time_limits.child;
        match self.ask(coding, &pieces, end).await {
            Err(NoStills::Died | NoStills::TimedOut | NoStills::Nonsense) if pieces.len() > 1 => {
                for piece in pieces {
                    let asked = self
                        .ask(
                            coding,
                            &[piece],
                            Instant::now() + self.decoders.time_limits.keyframe,
                        )
                        .await;
                    self.note(asked);
                }
            }
            asked => self.note(asked),
        }
    }

    /// What has no picture yet: keyframes first, because time is short.
    async fn decode_with_ffmpeg(&mut self, program: &Path, coded: &[Coded]) {
        let (keyframes, groups): (Vec<&Coded>, Vec<&Coded>) =
            coded.iter().partition(|it| is_keyframe(it));
        self.decode_each_with_ffmpeg(program, &keyframes).await;
        // It would take longer still.
        if !matches!(self.failure, NoStills::TimedOut) {
            self.decode_each_with_ffmpeg(program, &groups).await;
        }
    }

    /// Each in an ffmpeg of its own; then all that came of it in one child.
    async fn decode_each_with_ffmpeg(&mut self, program: &Path, coded: &[&Coded]) {
        let mut made = Vec::new();
        let finish = self.deadline - self.decoders.time_limits.finish;
        let end = finish.min(Instant::now() + self.decoders.time_limits.child);
        for it in coded {
            let moments = it.moments.iter();
            let moments = moments.filter(|it| !self.stills.iter().any(|still| still.at == it.at));
            let moments: Vec<Moment> = moments.cloned().collect();
            let Some(stream) = ffmpeg::stream(self.video, &it.bytes) else {
                continue;
            };
            if moments.is_empty() {
                continue;
            }
            let mut arguments = vec![program.into()];
            arguments.extend(ffmpeg::arguments(stream.format, &moments));
            let job = Job {
                executable: &self.decoders.executable,
                arguments,
                input: vec![&stream.bytes],
                most_output: ffmpeg::MOST_BYTES * moments.len() as u64,
                deadline: match is_keyframe(it) {
                    true => finish.min(Instant::now() + self.decoders.time_limits.keyframe),
                    false => end,
                },
            };
            match run(job).await {
                Ok(pixmaps) if pixmaps.is_empty() => self.failure = NoStills::Unreadable,
                Ok(pixmaps) => made.push((pixmaps, moments)),
                Err(failure) => self.failure = failure,
            }
        }
        let pieces = made.iter().map(|(pixmaps, moments)| Piece {
            bytes: pixmaps,
            // The others are not among them.
            moments: (0..)
                .zip(moments)
                .map(|(place, it)| Moment { at: it.at, place })
                .collect(),
        });
        let pieces: Vec<Piece<'_>> = pieces.collect();
        if !pieces.is_empty() {
            let asked = self
                .ask(
                    Coding::Pixmap,
                    &pieces,
                    Instant::now() + self.decoders.time_limits.finish,
                )
                .await;
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
        end: Instant,
    ) -> Result<(), NoStills> {
        let inputs = pieces.iter().map(|it| Input {
            bytes: it.bytes,
            wanted: it.moments.iter().map(|it| it.place).collect(),
        });
        let request = Request {
            coding,
            rotation: self.video.rotation,
            bytes_each: self.bytes_each,
            config: match coding {
                Coding::H264 => self.video.config.clone(),
                Coding::Vp8 | Coding::Pixmap => Vec::new(),
            },
            inputs: inputs.collect(),
        };
        let head = request.head();
        let mut input = vec![head.as_slice()];
        input.extend(request.inputs.iter().map(|it| it.bytes));
        let moments: Vec<&Moment> = pieces.iter().flat_map(|it| &it.moments).collect();
        let job = Job {
            executable: &self.decoders.executable,
            arguments: Vec::new(),
            input,
            most_output: most_answer_bytes(moments.len(), self.bytes_each),
            deadline: self.deadline.min(end),
        };
        let said = run(job).await?;
        let answers = answers(&said, moments.len(), self.bytes_each).ok_or(NoStills::Nonsense)?;
        let mut outcome = Ok(());
        for (moment, answer) in moments.into_iter().zip(answers) {
            match still(moment.at, answer) {
                Ok(still) => self.stills.push(still),
                Err(failure) => outcome = Err(failure),
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
