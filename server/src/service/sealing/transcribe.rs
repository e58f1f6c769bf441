//! Transcribing a submitted take: extracts its audio, has it transcribed, and stores what was said.

use std::ops::Range;
use std::time::Duration;

use app::video_metadata::TranscriptSegment;
use futures_util::TryStreamExt;
use metrics::counter;
use tracing::{info, warn};

use super::super::Error;
use super::{Job, KEPT_FOR};
use crate::clock::{Millis, Stopwatch};
use crate::db::{Queue, RequestState, Seal, TranscriptOutcome};
use crate::outbound::transcriber::{Answer, Audio, Transcriber};
use crate::service::videos::transcript::TranscriptContent;
use crate::telemetry::names::{SEALING_GIVEN_UP, TRANSCRIPTS};
use media::{Container, NoAudio, Reader, RemuxedAudio, Remuxer};

/// The most bytes of audio that are sent: hosted services take files of 25 MB, with what surrounds them.
const MAX_AUDIO_BYTES: usize = 24_000_000;

/// The longest audio that is sent: what fits into a call of half an hour on a slow machine.
const MAX_AUDIO: Duration = Duration::from_hours(2);

/// How much longer than the video its audio may be. A file may claim hours in a few packets.
const DURATION_SLACK: Duration = Duration::from_secs(10);

impl Job {
    /// Transcribes the take, or records why there is no transcript. The video stays valid if this fails.
    pub(super) async fn transcribe(&self) -> Result<(), Error> {
        let begun = Stopwatch::start();
        let Some(transcriber) = &self.app.transcriber else {
            return Ok(());
        };
        let outcome = match self.has_failed_too_often() {
            true => self.give_up("transcribing it failed too often"),
            false => match self.transcript(transcriber).await {
                Err(Error::Transcriber(why)) if why.is_unavailable() && self.has_waited_long() => {
                    warn!(%why, "gave up a transcript");
                    self.give_up("the transcriber was away for too long")
                }
                outcome => outcome?,
            },
        };
        let (status, reason) = match &outcome {
            TranscriptOutcome::Ready(_) => ("ready", None),
            TranscriptOutcome::None(why) => ("none", Some(why.clone())),
            TranscriptOutcome::Failed(why) => ("failed", Some(why.clone())),
        };
        if self.app.db.transcript_finish(&self.lease, outcome).await? {
            let duration_ms = begun.elapsed_ms();
            counter!(TRANSCRIPTS, "status" => status).increment(1);
            info!(status, reason, duration_ms, "transcribed video");
        }
        Ok(())
    }

    fn give_up(&self, why: &str) -> TranscriptOutcome {
        counter!(SEALING_GIVEN_UP, "work" => Queue::Transcripts.work()).increment(1);
        TranscriptOutcome::Failed(why.to_owned())
    }

    /// Whether the job is older than [`KEPT_FOR`]: by then the creator has looked at the video without a transcript.
    fn has_waited_long(&self) -> bool {
        self.app.clock.now() - self.lease.due_at > KEPT_FOR
    }

    async fn transcript(&self, transcriber: &Transcriber) -> Result<TranscriptOutcome, Error> {
        let expires_at = self.check_current().await?;
        let transfers = &self.app.coordination.transfers;
        let transfer = transfers.begin(&self.request, expires_at);
        let found = self.app.db.take_and_seal(&self.request, &self.take).await?;
        let (take, seal, _) = found.ok_or(Error::NotFound)?;
        let (container, seal) = take.container.zip(seal).ok_or(Error::Corrupt)?;
        let container = Container::from_media_type(&container).ok_or(Error::Corrupt)?;
        let longest = MAX_AUDIO.min(Duration::from_millis(seal.duration_ms) + DURATION_SLACK);
        let extracted = match self
            .extract_audio(container, seal.recording_length, longest)
            .await?
        {
            Ok(extracted) => extracted,
            Err(why) => return Ok(TranscriptOutcome::None(why.to_string())),
        };
        let RemuxedAudio {
            format,
            bytes,
            clock,
            is_cut,
        } = extracted;
        let audio = Audio {
            name: format!("audio.{}", format.extension()),
            media_type: format.media_type(),
            bytes,
            duration: clock.duration(),
        };
        // Reading it may have taken long.
        self.check_current().await?;
        let answer = tokio::select! {
            answer = transcriber.transcribe(audio) => answer,
            () = transfer.cancelled() => return Err(Error::Gone),
        };
        let is_unwell = answer.as_ref().is_err_and(|error| error.is_unwell());
        if answer.is_ok() || is_unwell {
            transcriber.note(is_unwell, self.app.clock.monotonic());
        }
        let mut answer = answer?;
        if answer.segments.is_empty() {
            return Ok(TranscriptOutcome::None("nothing is said in it".to_owned()));
        }
        let until = (is_cut || answer.is_cut).then(|| match answer.segments.last() {
            Some(last) if answer.is_cut => clock.end(last.to),
            _ => clock.end(clock.duration()),
        });
        for segment in &mut answer.segments {
            let from = clock.begin(segment.from);
            segment.to = clock.end(segment.to).max(from);
            segment.from = from;
        }
        let content = content(answer, until, &seal);
        // Numbers, strings and lists of them always serialize to JSON.
        Ok(TranscriptOutcome::Ready(
            serde_json::to_vec(&content).unwrap_or_default(),
        ))
    }

    /// Fails if the request is over: its bytes go nowhere from then on, also before they are removed.
    /// Returns when it expires.
    async fn check_current(&self) -> Result<Millis, Error> {
        let request = self.app.db.request_get(&self.request).await?;
        let now = self.app.clock.now();
        let current =
            request.filter(|it| it.state == RequestState::Submitted && it.expires_at > now);
        Ok(current.ok_or(Error::Gone)?.expires_at)
    }

    /// Lifts the audio out of the recording, which is read twice.
    async fn extract_audio(
        &self,
        container: Container,
        length: u64,
        longest: Duration,
    ) -> Result<Result<RemuxedAudio, NoAudio>, Error> {
        let scanner = Reader::for_audio(container);
        let scanned = self.feed(0..length, scanner, |scanner, piece| {
            scanner.feed(piece);
            true
        });
        let scanner = scanned.await?;
        let track = match tokio::task::spawn_blocking(move || scanner.finish_audio()).await? {
            Ok(track) => track,
            Err(why) => return Ok(Err(why)),
        };
        let range = track.range();
        let range = range.start..range.end.min(length);
        let remuxer = Remuxer::new(track, MAX_AUDIO_BYTES, longest);
        let remuxed = self.feed(range, remuxer, |remuxer, piece| {
            remuxer.feed(piece);
            !remuxer.is_done()
        });
        Ok(remuxed.await?.finish().ok_or(NoAudio::Missing))
    }

    /// Feeds a part of the recording to a parser, as long as it wants more.
    async fn feed<P: Send + 'static>(
        &self,
        range: Range<u64>,
        mut parser: P,
        feed: fn(&mut P, &[u8]) -> bool,
    ) -> Result<P, Error> {
        let mut pieces = self.read(range).await?;
        while let Some(piece) = pieces.try_next().await? {
            // Parsing megabytes would block other tasks on this thread.
            let fed = tokio::task::spawn_blocking(move || {
                let wants_more = feed(&mut parser, &piece);
                (parser, wants_more)
            });
            let (back, wants_more) = fed.await?;
            parser = back;
            if !wants_more {
                break;
            }
        }
        Ok(parser)
    }
}

/// The content as it is stored, with times of the video.
fn content(answer: Answer, until: Option<Duration>, seal: &Seal) -> TranscriptContent {
    let millis = |at: Duration| {
        let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        at.min(seal.duration_ms)
    };
    let segments = answer.segments.into_iter();
    let mut segments: Vec<_> = segments
        .map(|it| TranscriptSegment {
            from_ms: millis(it.from),
            to_ms: millis(it.to),
            text: it.text,
        })
        .collect();
    // Where timestamps of the recording go backwards.
    segments.sort_by_key(|it| it.from_ms);
    TranscriptContent {
        language: answer.language,
        segments,
        until_ms: until.map(millis),
    }
}
