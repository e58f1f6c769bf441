//! The attempts to decode what has no picture yet: together, each alone, by the built-in decoder, by ffmpeg.

use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::{Picture, Thumbnail, is_keyframe};
use crate::image::jpeg_header;
use crate::protocol::{
    Answer, DecodeError, Format, Input, Made, Outputs, Request, max_answer_bytes, parse_answers,
};
use crate::subprocess::{Job, run};
use crate::{CodedGroup, Decoders, Moment, NoStills, Still, ffmpeg};
use media::VideoTrack;

/// The decoding of a video under way.
pub(super) struct Pipeline<'a> {
    pub decoders: &'a Decoders,
    pub video: &'a VideoTrack,
    pub outputs: Outputs,
    pub deadline: Instant,
    /// The pictures made so far, one a moment, in any order.
    pub pictures: Vec<Picture>,
    /// The last failure.
    pub failure: NoStills,
}

/// A coded group, or the images that ffmpeg made of it, with the moments to make stills of.
struct Source<'a> {
    bytes: &'a [u8],
    moments: Vec<Moment>,
}

impl<'a> From<&'a CodedGroup> for Source<'a> {
    fn from(coded: &'a CodedGroup) -> Self {
        Self {
            bytes: &coded.bytes,
            moments: coded.moments.clone(),
        }
    }
}

impl Pipeline<'_> {
    /// Decodes all keyframes, then each other group in a worker of its own as long as there is time.
    pub async fn decode_built_in(&mut self, format: Format, coded: &[CodedGroup]) {
        let (keyframes, groups): (Vec<&CodedGroup>, Vec<&CodedGroup>) =
            coded.iter().partition(|it| is_keyframe(it));
        self.decode_keyframes(format, &keyframes).await;
        if format == Format::Vp8 {
            // Its decoder is one of still pictures.
            return;
        }
        let deadline = Instant::now() + self.decoders.time_limits.child;
        for group in groups {
            let decoded = self.decode(format, &[group.into()], deadline).await;
            self.note_failure(decoded);
        }
    }

    /// Decodes all keyframes in one worker; if one of them kills it, each in a worker of its own.
    async fn decode_keyframes(&mut self, format: Format, keyframes: &[&CodedGroup]) {
        if keyframes.is_empty() {
            return;
        }
        let sources: Vec<Source<'_>> = keyframes.iter().copied().map(Source::from).collect();
        let limits = self.decoders.time_limits;
        let together = self
            .decode(format, &sources, Instant::now() + limits.child)
            .await;
        match together {
            Err(NoStills::Crashed | NoStills::TimedOut | NoStills::InvalidOutput)
                if sources.len() > 1 =>
            {
                for source in sources {
                    let deadline = Instant::now() + limits.keyframe;
                    let decoded = self.decode(format, &[source], deadline).await;
                    self.note_failure(decoded);
                }
            }
            together => self.note_failure(together),
        }
    }

    /// Decodes what has no picture yet: keyframes first, because time is short.
    pub async fn decode_with_ffmpeg(&mut self, program: &Path, coded: &[CodedGroup]) {
        let (keyframes, groups): (Vec<&CodedGroup>, Vec<&CodedGroup>) =
            coded.iter().partition(|it| is_keyframe(it));
        self.decode_each_with_ffmpeg(program, &keyframes).await;
        // If keyframes take too long, groups take longer still.
        if !matches!(self.failure, NoStills::TimedOut) {
            self.decode_each_with_ffmpeg(program, &groups).await;
        }
    }

    /// Decodes each group in an ffmpeg of its own, then encodes all images in one worker.
    async fn decode_each_with_ffmpeg(&mut self, program: &Path, coded: &[&CodedGroup]) {
        let mut images = Vec::new();
        let finish = self.deadline - self.decoders.time_limits.finish;
        let group_deadline = finish.min(Instant::now() + self.decoders.time_limits.child);
        for it in coded {
            let moments = it.moments.iter();
            let moments =
                moments.filter(|it| !self.pictures.iter().any(|made| made.still.at == it.at));
            let moments: Vec<Moment> = moments.cloned().collect();
            let Some(stream) = ffmpeg::stream(self.video, it) else {
                continue;
            };
            if moments.is_empty() {
                continue;
            }
            let mut arguments = vec![program.into()];
            arguments.extend(ffmpeg::arguments(&stream, &moments, self.outputs.side));
            let job = Job {
                executable: &self.decoders.executable,
                arguments,
                input: vec![&stream.bytes],
                max_output: ffmpeg::max_image_bytes(self.outputs.side) * moments.len() as u64,
                deadline: match is_keyframe(it) {
                    true => finish.min(Instant::now() + self.decoders.time_limits.keyframe),
                    false => group_deadline,
                },
            };
            match run(job).await {
                Ok(ppm) if ppm.is_empty() => self.failure = NoStills::Undecodable,
                Ok(ppm) => images.push((ppm, moments)),
                Err(failure) => self.failure = failure,
            }
        }
        let sources = images.iter().map(|(ppm, moments)| Source {
            bytes: ppm,
            // ffmpeg wrote the wanted pictures only.
            moments: (0..)
                .zip(moments)
                .map(|(position, it)| Moment {
                    at: it.at,
                    position,
                })
                .collect(),
        });
        let sources: Vec<Source<'_>> = sources.collect();
        if !sources.is_empty() {
            let deadline = Instant::now() + self.decoders.time_limits.finish;
            let encoded = self.decode(Format::Ppm, &sources, deadline).await;
            self.note_failure(encoded);
        }
    }

    fn note_failure(&mut self, result: Result<(), NoStills>) {
        if let Err(failure) = result {
            self.failure = failure;
        }
    }

    /// Has one worker make the outputs of these sources.
    /// The error is that of the last moment without a picture.
    async fn decode(
        &mut self,
        format: Format,
        sources: &[Source<'_>],
        deadline: Instant,
    ) -> Result<(), NoStills> {
        let inputs = sources.iter().map(|it| Input {
            bytes: it.bytes,
            positions: it.moments.iter().map(|it| it.position).collect(),
        });
        let request = Request {
            format,
            rotation: self.video.rotation,
            outputs: self.outputs,
            config: match format {
                Format::H264 => self.video.config.clone(),
                Format::Vp8 | Format::Ppm => Vec::new(),
            },
            inputs: inputs.collect(),
        };
        let head = request.head();
        let mut input = vec![head.as_slice()];
        input.extend(request.inputs.iter().map(|it| it.bytes));
        let moments: Vec<&Moment> = sources.iter().flat_map(|it| &it.moments).collect();
        let job = Job {
            executable: &self.decoders.executable,
            arguments: Vec::new(),
            input,
            max_output: max_answer_bytes(moments.len(), self.outputs),
            deadline: self.deadline.min(deadline),
        };
        let output = run(job).await?;
        let answers = parse_answers(&output, moments.len(), self.outputs);
        let answers = answers.ok_or(NoStills::InvalidOutput)?;
        let mut result = Ok(());
        for (moment, answer) in moments.into_iter().zip(answers) {
            match check(moment.at, answer, self.outputs) {
                Ok(picture) => self.pictures.push(picture),
                Err(failure) => result = Err(failure),
            }
        }
        result
    }
}

/// Accepts a JPEG whose header states a size within the wanted one.
/// Thumbnails were checked when they were parsed.
fn check(at: Duration, answer: Answer, outputs: Outputs) -> Result<Picture, NoStills> {
    let Made { jpeg, thumbnail } = match answer {
        Ok(made) => made,
        Err(DecodeError::TooLarge) => return Err(NoStills::TooLarge),
        Err(DecodeError::Undecodable) => return Err(NoStills::Undecodable),
    };
    let size = match outputs.bytes_each {
        0 => Some((0, 0)),
        _ => jpeg_header::size(&jpeg),
    };
    let size = size.filter(|(width, height)| *width.max(height) <= outputs.side);
    let (width, height) = size.ok_or(NoStills::InvalidOutput)?;
    Ok(Picture {
        still: Still {
            at,
            width,
            height,
            jpeg,
        },
        thumbnail: Thumbnail {
            at,
            image: thumbnail,
        },
    })
}
