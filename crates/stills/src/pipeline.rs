//! Turns coded groups into stills: which worker decodes which of them, and what its answers are worth.

use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use super::protocol::{
    Answer, DecodeError, Format, Input, Request, max_answer_bytes, parse_answers,
};
use super::subprocess::{Job, run};
use super::{
    CodedGroup, Decoders, MAX_FRAME_BYTES, MAX_GROUP_BYTES, MAX_STILLS, Moment, NoStills, Size,
    Still, ffmpeg, jpeg_header,
};
use media::{Codec, VideoTrack};

/// Makes the stills that every video has: see [`make_sized`].
pub async fn make(
    decoders: &Decoders,
    video: &VideoTrack,
    coded: Vec<CodedGroup>,
) -> Result<Vec<Still>, NoStills> {
    make_sized(decoders, video, coded, Size::STILLS).await
}

/// Makes a still of each moment, in presentation order.
///
/// Stills are upright and within `size`. Left out are keyframes of more than [`MAX_FRAME_BYTES`], other groups of more
/// than [`MAX_GROUP_BYTES`], moments beyond [`MAX_STILLS`], and, as long as anything can be decoded, what can't. Takes
/// [`TimeLimits::video`] at most.
///
/// [`TimeLimits::video`]: super::TimeLimits::video
pub async fn make_sized(
    decoders: &Decoders,
    video: &VideoTrack,
    mut coded: Vec<CodedGroup>,
    size: Size,
) -> Result<Vec<Still>, NoStills> {
    coded.retain(|it| {
        let max = if is_keyframe(it) {
            MAX_FRAME_BYTES
        } else {
            MAX_GROUP_BYTES
        };
        (1..=max).contains(&it.bytes.len())
    });
    let mut left = MAX_STILLS;
    for it in &mut coded {
        it.moments.truncate(left);
        left -= it.moments.len();
    }
    let count = MAX_STILLS - left;
    if count == 0 {
        return Err(NoStills::NoFrame);
    }
    let mut pipeline = Pipeline {
        decoders,
        video,
        side: size.side,
        // An equal share for each still, because several workers may make them.
        bytes_each: u32::try_from(size.bytes / count).unwrap_or(u32::MAX),
        deadline: Instant::now() + decoders.time_limits.video,
        stills: Vec::new(),
        failure: NoStills::NoDecoder(video.codec),
    };
    if let Some(format) = built_in(video.codec) {
        pipeline.decode_built_in(format, &coded).await;
    }
    if let Some(program) = &decoders.ffmpeg {
        pipeline.decode_with_ffmpeg(program, &coded).await;
    }
    if pipeline.stills.is_empty() {
        return Err(pipeline.failure);
    }
    pipeline.stills.sort_by_key(|still| still.at);
    Ok(pipeline.stills)
}

fn is_keyframe(coded: &CodedGroup) -> bool {
    matches!(coded.moments.as_slice(), [Moment { position: 0, .. }])
}

const fn built_in(codec: Codec) -> Option<Format> {
    match codec {
        Codec::Vp8 => Some(Format::Vp8),
        Codec::H264 if cfg!(feature = "openh264") => Some(Format::H264),
        Codec::H264 | Codec::Vp9 | Codec::Av1 | Codec::H265 | Codec::Other => None,
    }
}

struct Pipeline<'a> {
    decoders: &'a Decoders,
    video: &'a VideoTrack,
    side: u32,
    bytes_each: u32,
    deadline: Instant,
    /// The stills made so far, one a moment, in any order.
    stills: Vec<Still>,
    /// The last failure.
    failure: NoStills,
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
    async fn decode_built_in(&mut self, format: Format, coded: &[CodedGroup]) {
        let (keyframes, groups): (Vec<&CodedGroup>, Vec<&CodedGroup>) =
            coded.iter().partition(|it| is_keyframe(it));
        self.decode_keyframes(format, &keyframes).await;
        let deadline = Instant::now() + self.decoders.time_limits.child;
        for group in groups {
            let decoded = self.decode(format, &[group.into()], deadline).await;
            self.note_failure(decoded);
        }
    }

    /// Decodes all keyframes in one worker; if one of them kills it, each in a worker of its own.
    async fn decode_keyframes(&mut self, format: Format, keyframes: &[&CodedGroup]) {
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

    /// Decodes what has no still yet: keyframes first, because time is short.
    async fn decode_with_ffmpeg(&mut self, program: &Path, coded: &[CodedGroup]) {
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
            let moments = moments.filter(|it| !self.stills.iter().any(|still| still.at == it.at));
            let moments: Vec<Moment> = moments.cloned().collect();
            let Some(stream) = ffmpeg::stream(self.video, &it.bytes) else {
                continue;
            };
            if moments.is_empty() {
                continue;
            }
            let mut arguments = vec![program.into()];
            arguments.extend(ffmpeg::arguments(stream.format, &moments, self.side));
            let job = Job {
                executable: &self.decoders.executable,
                arguments,
                input: vec![&stream.bytes],
                max_output: ffmpeg::max_image_bytes(self.side) * moments.len() as u64,
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

    /// Has one worker make stills of these sources. The error is that of the last moment without a still.
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
            side: self.side,
            bytes_each: self.bytes_each,
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
            max_output: max_answer_bytes(moments.len(), self.bytes_each),
            deadline: self.deadline.min(deadline),
        };
        let output = run(job).await?;
        let answers = parse_answers(&output, moments.len(), self.bytes_each);
        let answers = answers.ok_or(NoStills::InvalidOutput)?;
        let mut result = Ok(());
        for (moment, answer) in moments.into_iter().zip(answers) {
            match check_still(moment.at, answer, self.side) {
                Ok(still) => self.stills.push(still),
                Err(failure) => result = Err(failure),
            }
        }
        result
    }
}

/// Accepts a JPEG whose header states a size within `side`.
fn check_still(at: Duration, answer: Answer, side: u32) -> Result<Still, NoStills> {
    match answer {
        Ok(jpeg) => match jpeg_header::size(&jpeg) {
            Some((width, height)) if width.max(height) <= side => Ok(Still {
                at,
                width,
                height,
                jpeg,
            }),
            _ => Err(NoStills::InvalidOutput),
        },
        Err(DecodeError::TooLarge) => Err(NoStills::TooLarge),
        Err(DecodeError::Undecodable) => Err(NoStills::Undecodable),
    }
}
