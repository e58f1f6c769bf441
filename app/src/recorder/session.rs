//! Everything that one visit holds: where the person stands, the camera, the take. Carries out what the
//! machine allows.

use std::time::Duration;

use futures_channel::mpsc::{UnboundedSender, unbounded};
use futures_util::future::{AbortHandle, abortable};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::link::Link;
use super::machine::{Ending, Event, Obstacle, Phase};
use super::upload::{self, Feed, Upload};
use crate::browser::{Camera, Clip, Denial, Piece, Recording, now};

/// How long a browser may take to hand out the rest.
const LONGEST_STOP: Duration = Duration::from_secs(4);

/// How long the buttons wait after they have changed.
const SETTLING: Duration = Duration::from_millis(500);

/// One visit to the page. Cheap to copy: it is handles.
#[derive(Clone, Copy)]
pub struct Session {
    phase: RwSignal<Phase>,
    upload: RwSignal<Upload>,
    started: RwSignal<f64>,
    changes: RwSignal<u32>,
    settled: RwSignal<u32>,
    clip_url: RwSignal<String>,
    link: StoredValue<Link>,
    camera: StoredValue<Option<Camera>, LocalStorage>,
    recording: StoredValue<Option<Recording>, LocalStorage>,
    take: StoredValue<Option<Take>, LocalStorage>,
}

/// A recording, for as long as it may still be sent or rejected.
struct Take {
    /// Tells it from those before it, whose recorders may still have something to say.
    number: u32,
    pieces: Vec<Piece>,
    /// Frees its address when the take goes.
    clip: Option<Clip>,
    feed: UnboundedSender<Feed>,
    upload: AbortHandle,
}

impl Session {
    /// For the request with this id.
    pub fn new(request: &str) -> Self {
        Self {
            phase: RwSignal::new(Phase::Idle),
            upload: RwSignal::new(Upload::default()),
            started: RwSignal::new(0.0),
            changes: RwSignal::new(0),
            settled: RwSignal::new(0),
            clip_url: RwSignal::new(String::new()),
            link: StoredValue::new(Link::new(request)),
            camera: StoredValue::new_local(None),
            recording: StoredValue::new_local(None),
            take: StoredValue::new_local(None),
        }
    }

    /// Where the person stands. Tracked.
    pub fn phase(self) -> Phase {
        self.phase.get()
    }

    /// How the upload stands. Tracked.
    pub fn upload(self) -> Upload {
        self.upload.get()
    }

    /// Where the review plays from. Tracked.
    pub fn clip_url(self) -> String {
        self.clip_url.get()
    }

    /// When the recording began, in [`now`]'s time.
    pub fn started(self) -> f64 {
        self.started.get()
    }

    /// Whether leaving now would lose something. Not tracked.
    pub fn holds_a_take(self) -> bool {
        self.phase.get_untracked().holds_a_take()
    }

    /// Hands the camera to whoever shows it.
    pub fn with_camera(self, show: impl FnOnce(&Camera)) {
        self.camera.with_value(|camera| {
            if let Some(camera) = camera {
                show(camera);
            }
        });
    }

    /// `true`: the machine went on, so what belongs to the event is to be done.
    fn happen(self, event: Event) -> bool {
        let next = self.phase.get_untracked().after(event);
        if let Some(phase) = next {
            self.phase.set(phase);
            self.settle();
        }
        next.is_some()
    }

    /// A press right after a change was meant for what stood there before: nobody who taps Stop twice
    /// wants to send.
    fn settle(self) {
        self.changes.update(|changes| *changes += 1);
        let change = self.changes.get_untracked();
        set_timeout(move || self.settled.set(change), SETTLING);
    }

    /// Whether the buttons have said what they say for long enough to be meant. Tracked.
    pub fn settled(self) -> bool {
        self.settled.get() == self.changes.get()
    }

    fn is_settled(self) -> bool {
        self.settled.get_untracked() == self.changes.get_untracked()
    }

    /// The main button: does what it says.
    pub fn press(self) {
        if !self.is_settled() {
            return;
        }
        match self.phase.get_untracked() {
            Phase::Idle | Phase::Blocked(_) => self.ask_camera(),
            Phase::Preview => self.record(),
            Phase::Recording => self.stop(),
            _ => {}
        }
    }

    /// The other button of the review.
    pub fn record_again(self) {
        if self.is_settled() {
            self.ask_camera();
        }
    }

    /// Switches the camera on, and rejects the take under review, if there is one.
    fn ask_camera(self) {
        if !self.happen(Event::AskCamera) {
            return;
        }
        self.reject_take();
        spawn_local(async move {
            match Camera::open().await {
                Ok(camera) => {
                    self.camera.set_value(Some(camera));
                    self.happen(Event::CameraReady);
                }
                Err(denial) => {
                    self.happen(Event::CameraFailed(obstacle(denial)));
                }
            }
        });
    }

    /// Records, and sends what is recorded.
    fn record(self) {
        if self.phase.get_untracked() != Phase::Preview {
            return;
        }
        if !self
            .camera
            .with_value(|camera| camera.as_ref().is_some_and(Camera::is_live))
        {
            self.camera.set_value(None);
            self.happen(Event::CameraFailed(Obstacle::NoPicture));
            return;
        }
        let (feed, fed) = unbounded();
        let number = self.changes.get_untracked();
        let on_piece = move |piece: Piece| self.keep(number, piece);
        let on_end = move || self.recorded(number);
        let recording = self.camera.with_value(|camera| {
            camera
                .as_ref()
                .and_then(|camera| Recording::start(camera, on_piece, on_end))
        });
        let Some(recording) = recording else {
            self.camera.set_value(None);
            self.happen(Event::CameraFailed(Obstacle::Unsupported));
            return;
        };
        self.upload.set(Upload::default());
        let upload = upload::run(self.link.get_value(), fed, self.upload);
        let (upload, handle) = abortable(upload);
        let take = Take {
            number,
            pieces: Vec::new(),
            clip: None,
            feed,
            upload: handle,
        };
        self.take.set_value(Some(take));
        self.recording.set_value(Some(recording));
        self.started.set(now());
        self.happen(Event::Record);
        spawn_local(async move {
            if let Ok(Err(ending)) = upload.await {
                self.end(ending);
            }
        });
    }

    /// Ends the recording.
    fn stop(self) {
        if self.happen(Event::Stop) {
            self.recording
                .with_value(|recording| recording.iter().for_each(Recording::stop));
            // Some browsers never say that they have stopped. The pieces are here all the same.
            let number = self.number();
            set_timeout(move || self.recorded(number), LONGEST_STOP);
        }
    }

    /// Sends the take. What follows waits until all of it is on the server.
    pub fn submit(self) {
        if self.is_settled() {
            self.happen(Event::Submit);
        }
    }

    /// Call once: submits whenever a take is wanted and complete.
    pub fn submit_when_complete(self) {
        let ready = Memo::new(move |_| {
            let submitting = self.phase.get() == Phase::Submitting;
            self.upload
                .with(|it| it.take.clone().filter(|_| submitting && it.complete))
        });
        Effect::new(move || {
            let Some(take) = ready.get() else { return };
            let link = self.link.get_value();
            spawn_local(async move {
                match upload::submit(&link, &take, self.upload).await {
                    Ok(()) => {
                        self.happen(Event::Received);
                    }
                    Err(ending) => self.end(ending),
                }
            });
        });
    }

    /// Of the take at hand; 0 is none's.
    fn number(self) -> u32 {
        self.take
            .with_value(|take| take.as_ref().map_or(0, |take| take.number))
    }

    fn keep(self, number: u32, piece: Piece) {
        self.take.update_value(|take| {
            if let Some(take) = take.as_mut().filter(|take| take.number == number) {
                // An upload that has ended for good listens no more; the page says so already.
                let _ = take.feed.unbounded_send(Feed::Piece(piece.clone()));
                take.pieces.push(piece);
            }
        });
    }

    /// The recorder has handed out everything, whoever ended it.
    fn recorded(self, number: u32) {
        let phase = self.phase.get_untracked();
        let under_way = matches!(phase, Phase::Recording | Phase::Stopping);
        if !under_way || self.number() != number {
            return;
        }
        // Off at once: a light that stays on makes people wonder who is watching.
        self.camera.set_value(None);
        let recorded = self.take.try_update_value(|take| {
            let take = take.as_mut()?;
            let _ = take.feed.unbounded_send(Feed::End);
            take.clip = Clip::new(&take.pieces);
            if let Some(clip) = &take.clip {
                self.clip_url.set(clip.url().to_owned());
            }
            Some(take.pieces.iter().any(|piece| piece.length() > 0))
        });
        if recorded.flatten().unwrap_or(false) {
            self.happen(Event::Recorded);
        } else {
            self.reject_take();
            self.happen(Event::NothingRecorded);
        }
    }

    /// Forgets the take here and on the server.
    fn reject_take(self) {
        let Some(take) = self.take.try_update_value(Option::take).flatten() else {
            return;
        };
        take.upload.abort();
        self.clip_url.set(String::new());
        let upload = self.upload.get_untracked();
        self.upload.set(Upload::default());
        if let Some(url) = upload.take {
            let link = self.link.get_value();
            spawn_local(async move {
                // Best effort: what stays is deleted when another take is submitted, or with the link.
                let _ = link.discard(&url).await;
            });
        }
    }

    fn end(self, ending: Ending) {
        self.happen(Event::End(ending));
        self.camera.set_value(None);
    }
}

fn obstacle(denial: Denial) -> Obstacle {
    match denial {
        Denial::NotAllowed => Obstacle::Denied,
        Denial::NotFound => Obstacle::NoCamera,
        Denial::NotReadable => Obstacle::Busy,
        Denial::Insecure => Obstacle::Insecure,
        Denial::Missing => Obstacle::Unsupported,
    }
}
