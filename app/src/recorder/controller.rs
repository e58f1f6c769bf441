//! One visit to the page: where the person stands, and what is at hand. Carries out what the machine
//! allows; how, stands in `capture`, `monitor`, `take`, `spool`, `submit`, `recovery` and `status_poll`.

use std::cell::{Cell, RefCell};

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::future::AbortHandle;
use leptos::prelude::*;

use super::bindings::{Action, Element, Flag, Slot};
use super::bitrate::Stopwatch;
use super::capture;
use super::client::Link;
use super::dom::Page;
use super::flags::Flags;
use super::monitor::Pulse;
use super::state::{Ending, Event, Phase};
use super::take::Take;
use super::upload::Upload;
use crate::browser::indexed_db::Store;
use crate::browser::{self, Camera, CaptureOptions, Recording, TabLock, Wake, element};
use crate::format;

/// How long the buttons wait after they have changed.
const SETTLING: std::time::Duration = std::time::Duration::from_millis(500);

/// So long before the link closes, a person with something to send is told.
const CLOSES_SOON_MS: f64 = 300_000.0;

/// No page is busy for longer.
const LONGEST_BUSY_MS: f64 = 5_000.0;

/// The visit. It lives as long as the page, so copies of it are free.
#[derive(Clone, Copy)]
pub struct Recorder(&'static RecorderState);

/// What the session is made of. Cells are borrowed for one statement, and never across a call that may come
/// back here.
pub struct RecorderState {
    pub(super) page: Page,
    pub(super) link: Link,
    /// The request's id.
    pub(super) request: String,
    /// When the link closes, in milliseconds since 1970.
    pub(super) expires_at: f64,
    /// When the server rendered the page, likewise: about when the visit began.
    rendered_at: f64,
    /// Bytes that the server takes of one recording.
    pub(super) max_bytes: u64,
    phase: RwSignal<Phase>,
    flags: RwSignal<Flags>,
    pub(super) upload: RwSignal<Upload>,
    pub(super) store: RefCell<Option<Store>>,
    pub(super) wish: RefCell<CaptureOptions>,
    pub(super) camera: RefCell<Option<Camera>>,
    pub(super) recording: RefCell<Option<Recording>>,
    pub(super) take: RefCell<Option<Take>>,
    pub(super) watch: Cell<Stopwatch>,
    /// How long this recording may last, in milliseconds.
    pub(super) longest_ms: Cell<f64>,
    /// When the recorder last handed something out, in [`browser::page_time`].
    pub(super) piece_at: Cell<f64>,
    /// Whether a camera or a microphone is being replaced.
    pub(super) replacing: Cell<bool>,
    /// Which of several questions for a camera was the last.
    pub(super) question: Cell<u32>,
    pub(super) pulse: RefCell<Option<Pulse>>,
    wake: RefCell<Option<Wake>>,
    /// Whether the person knows that this take says where it was filmed.
    pub(super) knows_place: Cell<bool>,
    /// Ends the submission that is under way.
    pub(super) submitting: RefCell<Option<AbortHandle>>,
    /// This page is this tab's.
    pub(super) tab: RefCell<Option<TabLock>>,
    /// What is kept of it is changed by this tab.
    pub(super) keeps: RefCell<Option<TabLock>>,
    /// While it is another tab's.
    pub(super) take_over: RefCell<Option<UnboundedSender<()>>>,
    changes: Cell<u32>,
    /// Presses before that, in [`browser::page_time`], were meant for something else.
    settled_at: Cell<f64>,
    changed: UnboundedSender<()>,
}

impl std::ops::Deref for Recorder {
    type Target = RecorderState;

    fn deref(&self) -> &RecorderState {
        self.0
    }
}

impl Recorder {
    /// Begins the visit, once for a page.
    pub fn begin() {
        let Some(page) = Page::find() else { return };
        let (changed, changes) = unbounded();
        let request = page.fact("request");
        let visit = RecorderState {
            link: Link::new(&request),
            request,
            expires_at: browser::moment(&page.fact("expiresAt")),
            rendered_at: browser::moment(&page.fact("now")),
            max_bytes: page.fact("maxBytes").parse().unwrap_or(u64::MAX),
            page,
            phase: RwSignal::new(Phase::Idle),
            flags: RwSignal::new(Flags::default()),
            upload: RwSignal::default(),
            store: RefCell::default(),
            wish: RefCell::new(capture::remembered()),
            camera: RefCell::default(),
            recording: RefCell::default(),
            take: RefCell::default(),
            watch: Cell::default(),
            longest_ms: Cell::default(),
            piece_at: Cell::default(),
            replacing: Cell::default(),
            question: Cell::default(),
            pulse: RefCell::default(),
            wake: RefCell::default(),
            knows_place: Cell::default(),
            submitting: RefCell::default(),
            tab: RefCell::default(),
            keeps: RefCell::default(),
            take_over: RefCell::default(),
            changes: Cell::new(0),
            settled_at: Cell::new(0.0),
            changed,
        };
        Self(Box::leak(Box::new(visit))).wake_up(changes);
    }

    fn wake_up(self, changes: UnboundedReceiver<()>) {
        self.know_the_device();
        self.hear_fields();
        let until = self.page.fact("expiresAt");
        if let Some(until) = browser::local_time(&until, &browser::language()) {
            self.page.fill_in(Slot::Until, &until);
        }
        Effect::new(move || self.page.show(self.phase.get(), self.flags.get()));
        Effect::new(move || self.show_upload());
        element::on_press(move |name, at| {
            // A page that was busy hears late of what was pressed early.
            let early = self.settled_at.get() - at;
            // Some devices' events keep a time of their own, far from the page's.
            if !(0.0..LONGEST_BUSY_MS).contains(&early)
                && let Some(deed) = Action::named(name)
            {
                self.press(deed);
            }
        });
        browser::on_connection(move || self.flag(Flag::Offline, browser::is_offline()));
        self.flag(Flag::Offline, browser::is_offline());
        browser::on_hidden(move || self.flush());
        let asked = window_event_listener(leptos::ev::beforeunload, move |event| {
            if self.would_lose() {
                event.prevent_default();
            }
        });
        // For as long as the page lives.
        std::mem::forget(asked);
        self.note_url();
        self.warn_before_it_closes();
        leptos::task::spawn_local(async move {
            self.delete_rejected();
            Box::pin(self.resume()).await;
            self.page.wake_up();
            self.poll_state(changes).await;
        });
    }

    /// What time it is by the server's clock, in milliseconds since 1970. This device's may be hours off, and may be put
    /// right at any moment.
    pub(super) fn now(self) -> f64 {
        self.rendered_at + browser::page_time()
    }

    /// Where the person stands.
    pub fn phase(self) -> Phase {
        self.phase.get_untracked()
    }

    /// Whether this flag is up.
    pub fn has(self, flag: Flag) -> bool {
        self.flags.get_untracked().has(flag)
    }

    /// Puts a flag up or down, and announces one that goes up.
    pub fn flag(self, flag: Flag, up: bool) {
        let flags = self.flags.get_untracked();
        if flags.has(flag) == up {
            return;
        }
        self.flags.set(flags.with(flag, up));
        // While it is recorded, what a screen reader says would be in the video.
        let heard = flag == Flag::Unheard && self.phase() != Phase::Preview;
        if up && !heard {
            self.page.announce_flag(flag);
        }
    }

    /// Takes flags down.
    pub fn lower(self, flags: &[Flag]) {
        self.flags.update(|all| *all = all.without(flags));
    }

    /// `true`: the machine went on, so what belongs to the event is to be done.
    pub(super) fn dispatch(self, event: Event) -> bool {
        let Some(phase) = self.phase().after(event) else {
            return false;
        };
        self.phase.set(phase);
        self.page.announce_state(phase);
        self.settle();
        // The screen stays on while somebody is filmed, and while something is on its way.
        let watched = phase.is_live() || phase == Phase::Submitting;
        if watched != self.wake.borrow().is_some() {
            self.wake.replace(watched.then(Wake::new));
        }
        let _ = self.changed.unbounded_send(());
        true
    }

    /// A press right after a change was meant for what stood there before: nobody who taps Stop twice
    /// wants to send.
    fn settle(self) {
        let change = self.changes.get() + 1;
        self.changes.set(change);
        self.page.rest(true);
        set_timeout(
            move || {
                if self.changes.get() == change {
                    self.settled_at.set(browser::page_time());
                    self.page.rest(false);
                }
            },
            SETTLING,
        );
    }

    fn press(self, deed: Action) {
        match deed {
            Action::Ask => self.ask(),
            Action::Camera => self.ask_for(false),
            Action::Screen => self.ask_for(true),
            Action::Flip => self.flip(),
            Action::Close => self.close(),
            Action::Record => self.count_down(),
            Action::Skip => self.record(),
            Action::Pause => self.pause(),
            Action::Resume => self.go_on(),
            Action::Stop => self.stop(),
            Action::Submit => self.submit(),
            Action::Hold => self.hold(),
            Action::TakeOver => self.take_over(),
            Action::Reconsider => {
                self.dispatch(Event::Reconsider);
            }
            Action::Keep => {
                self.dispatch(Event::Keep);
            }
            Action::Discard => self.discard(),
            Action::Save => self.save(),
            Action::Copy => leptos::task::spawn_local(async move {
                let copied = browser::copy(&browser::address()).await;
                self.flag(Flag::Copied, copied);
            }),
        }
    }

    /// Nothing more can be done with this link, or with this take.
    pub(super) fn end(self, ending: Ending) {
        if self.dispatch(Event::End(ending)) {
            // What it hands out yet can be saved on the device, at least.
            if !self.stop_recording() {
                self.switch_off();
            }
            if !ending.is_about_the_take() {
                self.keep_no_longer();
            }
        }
    }

    /// Camera, microphone and all that looks at them.
    pub(super) fn switch_off(self) {
        self.pulse.replace(None);
        self.recording.replace(None);
        self.hide_preview();
        if let Some(camera) = self.camera.take() {
            // Now, and not when the last that holds it lets go.
            camera.switch_off();
        }
        self.lower(&[Flag::Unheard, Flag::Dark, Flag::Muted, Flag::LastMinute]);
    }

    /// Before tracks are stopped: WebKitGTK may hang for ever where a `<video>` still plays one.
    pub(super) fn hide_preview(self) {
        if let Some(video) = self.page.video(Element::Live) {
            video.set_src_object(None);
        }
    }

    /// Whether leaving now would lose something, or stop it on its way.
    fn would_lose(self) -> bool {
        let upload = self.upload.get_untracked();
        match self.phase() {
            Phase::Recording | Phase::Paused | Phase::Stopping | Phase::Submitting => true,
            Phase::Review | Phase::Reconsidering => !upload.complete || self.has(Flag::Unkept),
            // It is kept nowhere else.
            Phase::Over(ending) => {
                self.has(Flag::HasClip) && (!ending.is_about_the_take() || self.has(Flag::Unkept))
            }
            _ => false,
        }
    }

    fn warn_before_it_closes(self) {
        let left = self.expires_at - self.now() - CLOSES_SOON_MS;
        let left = left.clamp(0.0, f64::from(i32::MAX));
        let warn = move || self.flag(Flag::ClosesSoon, true);
        set_timeout(warn, std::time::Duration::from_secs_f64(left / 1000.0));
    }

    fn show_upload(self) {
        let upload = self.upload.get();
        self.flag(Flag::ServerFull, upload.full);
        self.flag(Flag::Waiting, upload.waiting);
        self.flag(Flag::Preparing, upload.preparing);
        self.flag(Flag::Complete, upload.complete);
        let sent = format::duration(f64::from(upload.committed_ms));
        self.page.fill_in(Slot::Sent, &sent);
        let size = format::megabytes(upload.recorded);
        self.page.fill_in(Slot::Size, &size);
        let percent = upload.committed.saturating_mul(100) / upload.recorded.max(1);
        self.page.fill_in(Slot::Percent, &format!("{percent} %"));
        // A percentage: far below 2⁵³.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        self.page.fill(Element::Progress, percent as f64 / 100.0);
        // While it runs, the timer knows better.
        if !self.phase().is_live() && upload.recorded_ms > 0 {
            let recorded = format::duration(f64::from(upload.recorded_ms));
            self.page.fill_in(Slot::Recorded, &recorded);
        }
    }
}
