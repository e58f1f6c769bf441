//! The take at hand: from the first byte, by the recorder or from a file, until it is sent or thrown away.

use futures_channel::mpsc::{UnboundedSender, unbounded};
use futures_util::future::{AbortHandle, abortable};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::bindings::{Element, Flag};
use super::bitrate::{self, AUDIO, Stopwatch};
use super::controller::Recorder;
use super::spool::{self, Recorded};
use super::state::{Ending, Event, Obstacle, Phase};
use super::upload::{self, Start, Upload};
use crate::browser::indexed_db::Kept;
use crate::browser::{self, Camera, Clip, HtmlElement, Piece, Recording};

/// How long a browser may take to hand out the rest.
const LONGEST_STOP: std::time::Duration = std::time::Duration::from_secs(4);

/// Fewer bytes are not even the head of a file. Chromium may hand out the first of them by itself.
pub(super) const LEAST: u64 = 256;

/// Files are read in parts of this size.
const FILE_PART: u64 = 2 << 20;

/// What is only true of one take.
const OF_A_TAKE: [Flag; 13] = [
    Flag::Interrupted,
    Flag::Resumed,
    Flag::IsFile,
    Flag::Reading,
    Flag::HasClip,
    Flag::NoPlayer,
    Flag::ServerFull,
    Flag::NoPreview,
    Flag::SoundLost,
    Flag::Located,
    Flag::Waiting,
    Flag::Complete,
    Flag::Preparing,
];

/// A recording or a file, for as long as it may still be sent or thrown away.
pub struct Take {
    /// As it is kept here.
    pub(super) kept: Kept,
    /// Whether that is noted.
    pub(super) is_noted: bool,
    /// What the review plays, with how far into the take each piece ends. The bytes are the browser's: these are
    /// handles.
    pub(super) pieces: Vec<(Piece, u32)>,
    /// Frees its address when the take goes.
    pub(super) clip: Option<Clip>,
    pub(super) recorded: UnboundedSender<Recorded>,
    /// Keeping and sending.
    tasks: [AbortHandle; 2],
}

impl Recorder {
    /// A new take, or one that an earlier visit has noted: keeps it here and sends it, from now on.
    pub(super) fn begin_take(self, kept: Kept, start: Start, is_noted: bool) {
        let (recorded, recorder) = unbounded();
        let (feed, fed) = unbounded();
        self.knows_place.set(false);
        self.upload.set(Upload {
            take: start.take.clone(),
            ..Upload::default()
        });
        let keeping = spool::run(self, kept.name.clone(), recorder, feed);
        let uploading = upload::run(self.link.clone(), start, fed, self.upload);
        let (keeping, keeps) = abortable(keeping);
        let (uploading, uploads) = abortable(uploading);
        self.take.replace(Some(Take {
            kept,
            is_noted,
            pieces: Vec::new(),
            clip: None,
            recorded,
            tasks: [keeps, uploads],
        }));
        spawn_local(async move {
            // It ends by itself, or with the take.
            let _ = keeping.await;
        });
        spawn_local(async move {
            match uploading.await {
                Ok(Ok(line)) => {
                    if self.upload.with_untracked(|it| it.complete) {
                        self.learn_line(line);
                    }
                    self.submit_if_complete();
                }
                Ok(Err(ending)) => self.end(ending),
                // Thrown away.
                Err(_) => {}
            }
        });
    }

    /// What is to be known of a new take.
    pub(super) fn new_kept(self, is_file: bool) -> Kept {
        Kept {
            name: browser::random_name(),
            is_file,
            expires_at: self.expires_at,
            ..Kept::default()
        }
    }

    /// Records, and sends what is recorded.
    pub(super) fn record(self) {
        if self.phase() != Phase::Countdown {
            return;
        }
        let camera = self.camera.borrow().clone();
        let Some(camera) = camera.filter(Camera::is_live) else {
            self.switch_off();
            self.dispatch(Event::Failed(Obstacle::NoPicture));
            return;
        };
        let kept = self.new_kept(false);
        let name = kept.name.clone();
        let on_piece = {
            let name = name.clone();
            move |piece| self.keep(&name, piece)
        };
        let on_end = move || self.recorded(&name);
        let rate = self.video_rate();
        let on_silence = move || self.flag(Flag::SoundLost, true);
        let recording = Recording::start(&camera, (rate, AUDIO), on_piece, on_silence, on_end);
        let Some(recording) = recording else {
            self.switch_off();
            self.dispatch(Event::Failed(Obstacle::Unsupported));
            return;
        };
        self.lower(&OF_A_TAKE);
        self.lower(&[Flag::Dark, Flag::Muted]);
        self.begin_take(kept, Start::default(), false);
        self.recording.replace(Some(recording));
        self.longest_ms.set(bitrate::longest_ms(
            self.max_bytes,
            rate,
            self.expires_at - self.now(),
        ));
        self.piece_at.set(browser::page_time());
        let mut watch = Stopwatch::default();
        watch.start(browser::page_time());
        self.watch.set(watch);
        self.dispatch(Event::Record);
        self.tell_time(0.0);
        spawn_local(browser::indexed_db::persist());
    }

    /// Holds the recording.
    pub(super) fn pause(self) {
        let held = |recording: &Recording| recording.pause();
        if self.phase() == Phase::Recording && self.with_recording(held) {
            self.tick(|watch, now| watch.pause(now));
            self.send_now();
            self.dispatch(Event::Pause);
        }
    }

    /// Goes on with it.
    pub(super) fn go_on(self) {
        let goes_on = |recording: &Recording| recording.resume();
        if self.phase() == Phase::Paused && self.with_recording(goes_on) {
            self.piece_at.set(browser::page_time());
            self.tick(|watch, now| watch.start(now));
            self.dispatch(Event::Resume);
        }
    }

    /// Ends it.
    pub(super) fn stop(self) {
        if self.dispatch(Event::Cancel) {
            return;
        }
        if self.dispatch(Event::Stop) {
            self.tick(|watch, now| watch.pause(now));
            self.stop_recording();
        }
    }

    /// `false`: nothing is recorded.
    pub(super) fn stop_recording(self) -> bool {
        let stops = self.with_recording(|recording| {
            recording.stop();
            true
        });
        if stops {
            // Some browsers never say that they have stopped.
            let name = self.name();
            set_timeout(move || self.recorded(&name), LONGEST_STOP);
        }
        stops
    }

    /// The page is about to be put aside, perhaps for good.
    pub(super) fn flush(self) {
        self.with_recording(|recording| {
            recording.flush();
            true
        });
        self.send_now();
    }

    /// Sends what is recorded without waiting for more of it.
    fn send_now(self) {
        if let Some(take) = self.take.borrow().as_ref() {
            let _ = take.recorded.unbounded_send(Recorded::Hurry);
        }
    }

    fn with_recording(self, act: impl FnOnce(&Recording) -> bool) -> bool {
        self.recording.borrow().as_ref().is_some_and(act)
    }

    fn tick(self, change: impl FnOnce(&mut Stopwatch, f64)) {
        let mut watch = self.watch.get();
        change(&mut watch, browser::page_time());
        self.watch.set(watch);
    }

    /// Of the take at hand; empty: none.
    pub(super) fn name(self) -> String {
        let take = self.take.borrow();
        take.as_ref()
            .map(|it| it.kept.name.clone())
            .unwrap_or_default()
    }

    /// A piece of this take. From an earlier one, whose recorder still had something to say, it is nobody's.
    fn keep(self, name: &str, piece: Piece) {
        if self.name() != name {
            return;
        }
        // A recording has no 2³² ms.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let until_ms = self.watch.get().at(browser::page_time()) as u32;
        self.piece_at.set(browser::page_time());
        self.add(piece, until_ms, true);
    }

    /// A piece to send and to play, and to keep if it isn't yet.
    pub(super) fn add(self, piece: Piece, until_ms: u32, new: bool) {
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.pieces.push((piece.clone(), until_ms));
            let recorded = if new { Recorded::Piece } else { Recorded::Kept };
            // What has ended for good listens no more; the page says so already.
            let _ = take.recorded.unbounded_send(recorded(piece, until_ms));
        }
    }

    /// The recorder has handed out everything, whoever ended it.
    pub(super) fn recorded(self, name: &str) {
        let phase = self.phase();
        // It is let go of at the end.
        if self.recording.borrow().is_none() || self.name() != name {
            return;
        }
        self.tick(|watch, now| watch.pause(now));
        // Off at once: a light that stays on makes people wonder who is watching.
        self.switch_off();
        self.finish_take();
        if matches!(phase, Phase::Over(_)) {
            return;
        }
        let some = |take: &Take| take.length() >= LEAST;
        if self.take.borrow().as_ref().is_some_and(some) {
            self.dispatch(Event::Recorded);
            // Behind what is announced with the state. To stop sharing a screen is to stop recording it.
            if phase != Phase::Stopping && !self.has(Flag::IsScreen) {
                self.flag(Flag::Interrupted, true);
            }
        } else {
            self.reject_take();
            self.dispatch(Event::NothingRecorded);
        }
    }

    /// The link takes it no more. It can be watched and saved for as long as the page is open, and no longer.
    pub(super) fn keep_no_longer(self) {
        let name = {
            let take = self.take.borrow();
            let Some(take) = take.as_ref() else { return };
            take.abandon();
            take.kept.name.clone()
        };
        self.lower(&[
            Flag::Waiting,
            Flag::ServerFull,
            Flag::Complete,
            Flag::Preparing,
            Flag::Reading,
        ]);
        self.forget_kept(name);
    }

    /// Keeps and sends no more of it.
    pub(super) fn abandon_take(self) {
        if let Some(take) = self.take.borrow().as_ref() {
            take.abandon();
        }
    }

    pub(super) fn forget_kept(self, name: String) {
        let store = self.store.borrow().clone();
        if let Some(store) = store {
            spawn_local(async move { store.forget(&self.request, &name).await });
        }
    }

    /// A video that is there already, or that the phone's own camera has just made.
    pub(super) fn take_file(self, field: &HtmlElement) {
        let Some(file) = Piece::chosen(field).filter(|it| it.length() > 0) else {
            return;
        };
        if !self.dispatch(Event::TakeAtHand) {
            return;
        }
        self.switch_off();
        self.lower(&OF_A_TAKE);
        self.flag(Flag::IsFile, true);
        if file.length() > self.max_bytes {
            return self.end(Ending::TooLarge);
        }
        self.flag(Flag::Reading, true);
        self.begin_take(self.new_kept(true), Start::default(), false);
        for part in file.split(FILE_PART) {
            self.add(part, 0, true);
        }
        self.finish_take();
    }

    /// Throws the take away, and begins anew with what was on before.
    pub(super) fn discard(self) {
        let file = self.has(Flag::IsFile);
        if self.dispatch(Event::Discard) {
            self.reject_take();
            if !file && self.has(Flag::HasCamera) {
                self.ask();
            }
        }
    }

    /// Forgets the take here and on the server.
    pub(super) fn reject_take(self) {
        let url = self.upload.get_untracked().take;
        self.forget_take();
        if let Some(url) = url {
            self.reject(&url);
        }
    }

    /// Forgets the take here.
    pub(super) fn forget_take(self) {
        let Some(take) = self.take.take() else { return };
        take.abandon();
        for video in self.page.videos(Element::Review) {
            // What is hidden would talk on.
            browser::pause(video);
            video.set_src("");
        }
        self.lower(&OF_A_TAKE);
        self.upload.set(Upload::default());
        self.forget_kept(take.kept.name.clone());
    }
}

impl Take {
    /// Keeps and sends no more of it here.
    pub(super) fn abandon(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }

    /// In bytes.
    fn length(&self) -> u64 {
        self.pieces.iter().map(|(piece, _)| piece.length()).sum()
    }

    /// What it takes to send all of it once more, if it has so many bytes. `None`: not all of them are here.
    pub(super) fn all_of_it(&self, recorded: u64) -> Option<Vec<(Piece, u32)>> {
        let whole = recorded > 0 && self.length() == recorded;
        whole.then(|| self.pieces.clone())
    }
}
