//! The recorder: its data, how it starts, and what the page shows beside the state.
//!
//! `dispatch` passes events to `state`. What the effects do is in the modules that own the data, which `mod.rs` lists.

use std::cell::{Cell, RefCell};

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::future::AbortHandle;

use super::bindings::{Action, Element, Flag, Slot};
use super::capture::camera_tools::CameraTools;
use super::capture::monitor::Monitor;
use super::capture::options;
use super::capture::source::Source;
use super::observed::{Observed, Observers};
use super::page::button_guard::ButtonGuard;
use super::page::dom::Page;
use super::page::flags::Flags;
use super::state::{Event, Phase};
use super::tab_handover::TabLocks;
use super::take::Take;
use super::upload::client::Client;
use super::upload::status::UploadStatus;
use crate::browser::capture::Recording;
use crate::browser::dom::element;
use crate::browser::storage::indexed_db::TakeStore;
use crate::browser::{self, WakeLock};
use crate::format;

/// How long before the link closes the person is warned.
const CLOSES_SOON_MS: f64 = 300_000.0;

/// The recorder. It lives as long as the page, so it is copied freely.
#[derive(Clone, Copy)]
pub struct Recorder(&'static RecorderInner);

/// The data of the recorder.
/// Cells are borrowed for one statement, and never across a call that may lead back here.
pub struct RecorderInner {
    pub(super) page: Page,
    client: Client,
    /// The id of the request.
    pub(super) request: String,
    /// When the link closes, in milliseconds since 1970.
    pub(super) expires_at: f64,
    /// When the server rendered the page, in milliseconds since 1970.
    rendered_at: f64,
    /// When the page was opened, by the device's clock.
    opened_at: f64,
    /// The largest take that the server accepts.
    pub(super) max_bytes: u64,
    /// Set by `dispatch` only.
    pub(super) phase: Observed<Phase>,
    flags: Observed<Flags>,
    /// Of state and flags.
    shown: &'static Observers,
    pub(super) upload: Observed<UploadStatus>,
    pub(super) uploaded: &'static Observers,
    /// A connection to IndexedDB, given up where it fails.
    pub(super) store: RefCell<Option<TakeStore>>,
    /// Handles of the browser's blobs and of running tasks, which grow while the state stays the same.
    pub(super) take: RefCell<Option<Take>>,
    /// Whether a take of an earlier visit was looked for. Before that a new one would replace it.
    pub(super) is_recovered: Cell<bool>,
    /// Counts the files that were chosen, and what makes them obsolete.
    pub(super) file_loads: Cell<u32>,
    pub(super) source: Source,
    pub(super) camera_tools: CameraTools,
    /// A handle of the browser's recorder, dropped with the stream.
    pub(super) recording: RefCell<Option<Recording>>,
    /// A timer and the detectors that it feeds, dropped with the stream.
    pub(super) monitor: RefCell<Option<Monitor>>,
    /// Aborts the submission that is under way. Its task clears it.
    pub(super) submission: RefCell<Option<AbortHandle>>,
    pub(super) tab_locks: TabLocks,
    button_guard: ButtonGuard,
    /// A handle of the browser's lock.
    pub(super) wake_lock: RefCell<Option<WakeLock>>,
    /// Tells the poll of the request's state that the page's state has changed.
    pub(super) phase_changes: UnboundedSender<()>,
}

impl std::ops::Deref for Recorder {
    type Target = RecorderInner;

    fn deref(&self) -> &RecorderInner {
        self.0
    }
}

impl Recorder {
    /// Starts the recorder, once for a page, and polls the request's state until nothing more can happen.
    ///
    /// It starts in several tasks, because on a slow phone one would delay all else for too long. Until the controls are enabled
    /// a press does nothing.
    pub async fn start() {
        let Some(page) = Page::find() else { return };
        browser::next_task().await;
        let (phase_changes, changes) = unbounded();
        let request = page.data("request");
        let (shown, uploaded) = (Observers::leak(), Observers::leak());
        let state = RecorderInner {
            client: Client::new(&request),
            request,
            expires_at: browser::parse_time(&page.data("expiresAt")),
            rendered_at: browser::parse_time(&page.data("now")),
            opened_at: browser::unix_now() - browser::performance_now(),
            max_bytes: page.data("maxBytes").parse().unwrap_or(u64::MAX),
            page,
            phase: Observed::new(Phase::Idle, shown),
            flags: Observed::new(Flags::default(), shown),
            shown,
            upload: Observed::new(UploadStatus::default(), uploaded),
            uploaded,
            store: RefCell::default(),
            take: RefCell::default(),
            is_recovered: Cell::default(),
            file_loads: Cell::default(),
            source: Source::new(options::load()),
            camera_tools: CameraTools::default(),
            recording: RefCell::default(),
            monitor: RefCell::default(),
            submission: RefCell::default(),
            tab_locks: TabLocks::default(),
            button_guard: ButtonGuard::default(),
            wake_lock: RefCell::default(),
            phase_changes,
        };
        Self(Box::leak(Box::new(state))).run(changes).await;
    }

    /// Disables the buttons for a moment, because they have changed.
    pub(super) fn guard_buttons(self) {
        self.0.button_guard.disable(&self.0.page);
    }

    async fn run(self, phase_changes: UnboundedReceiver<()>) {
        self.detect_sources();
        self.listen_to_inputs();
        self.show_link_outside();
        browser::next_task().await;
        // The first use of `Intl` takes longer than all else here.
        if let Some(until) = browser::format_local_time(self.expires_at, &browser::page_locale()) {
            self.page.fill_slot(Slot::Until, &until);
        }
        browser::next_task().await;
        let render = move || self.page.render(self.phase.get(), self.flags.get());
        self.shown.add(render);
        self.uploaded.add(move || self.show_upload());
        element::on_action(move |name, pressed_at| {
            if !self.button_guard.is_stale(pressed_at)
                && let Some(action) = Action::from_name(name)
            {
                self.perform(action);
            }
        });
        let show_offline = move || self.set_flag(Flag::Offline, browser::is_offline());
        browser::on_connection_change(show_offline);
        show_offline();
        browser::on_hidden(move || {
            self.flush();
            // No recording begins unseen.
            if matches!(self.phase(), Phase::Countdown { .. }) {
                self.stop();
            }
            // On iOS the microphone would go on listening behind another app and behind the lock screen.
            if browser::is_handheld() && matches!(self.phase(), Phase::Preview { .. }) {
                self.try_dispatch(Event::CloseSource);
            }
        });
        browser::on_before_unload(move || self.must_confirm_unload());
        self.record_take_url();
        browser::next_task().await;
        self.delete_discarded_takes();
        Box::pin(self.recover()).await;
        self.is_recovered.set(true);
        self.page.enable_controls();
        self.poll_state(phase_changes).await;
    }

    /// The client, which lives as long as the page.
    pub(super) fn client(self) -> &'static Client {
        &self.0.client
    }

    /// The time on the server's clock, in milliseconds since 1970.
    /// The device's clock may be hours off, and may be set at any moment.
    pub(super) fn now(self) -> f64 {
        self.rendered_at + browser::performance_now()
    }

    /// The current state.
    pub fn phase(self) -> Phase {
        self.phase.get()
    }

    /// Whether a flag is set.
    pub fn has_flag(self, flag: Flag) -> bool {
        self.flags.get().contains(flag)
    }

    /// Sets or clears a flag, and announces one that is set.
    pub fn set_flag(self, flag: Flag, on: bool) {
        let flags = self.flags.get();
        if flags.contains(flag) == on {
            return;
        }
        self.flags.set(flags.with(flag, on));
        // A recording would contain the voice of the screen reader.
        let is_shown = matches!(
            self.phase(),
            Phase::Idle | Phase::Review | Phase::Preview { .. }
        );
        if on && (is_shown || flag != Flag::RecordedElsewhere) {
            self.page.announce_flag(flag);
        }
    }

    /// Clears flags.
    pub fn clear_flags(self, flags: &[Flag]) {
        self.flags.update(|all| *all = all.without(flags));
    }

    /// Whether leaving the page would lose the take, or interrupt its submission.
    fn must_confirm_unload(self) -> bool {
        let upload = self.upload.get();
        match self.phase() {
            Phase::Recording(_) | Phase::Paused(_) | Phase::Stopping(_) | Phase::Submitting => true,
            Phase::Review | Phase::ConfirmingDiscard => {
                !upload.complete || self.has_flag(Flag::MemoryOnly)
            }
            // The clip is stored nowhere else.
            Phase::Ended { ending, .. } => {
                let is_only_copy = !ending.allows_another_take() || self.has_flag(Flag::MemoryOnly);
                self.has_flag(Flag::HasClip) && is_only_copy
            }
            _ => false,
        }
    }

    /// Whether the link closes within minutes, also by the device's clock, which goes on while the device sleeps. The
    /// stopwatch of most stands still then.
    pub(super) fn closes_soon(self) -> bool {
        let by_clock = self.rendered_at + browser::unix_now() - self.opened_at;
        self.expires_at - self.now().max(by_clock) < CLOSES_SOON_MS
    }

    fn show_upload(self) {
        let upload = self.upload.get();
        self.set_flag(Flag::ServerFull, upload.server_full);
        self.set_flag(Flag::Retrying, upload.retrying);
        self.set_flag(Flag::Sealing, upload.sealing);
        self.set_flag(Flag::Complete, upload.complete);
        // The take is gone; what was shown of it stands in the receipt.
        if matches!(self.phase(), Phase::Submitted) {
            return;
        }
        let sent = format::duration(f64::from(upload.committed_ms));
        self.page.fill_slot(Slot::Sent, &sent);
        let locale = browser::page_locale();
        // The whole length of a file is known before all of it is read.
        let length = self.take.borrow().as_ref().map_or(0, Take::length);
        // If the server has more than is stored, because storing failed, the review would show less than is sent.
        if upload.recorded > length {
            self.set_flag(Flag::NoPreview, true);
        }
        let length = length.max(upload.recorded);
        let size = browser::format_megabytes(length, &locale);
        self.page.fill_slot(Slot::Size, &size);
        let sent = fraction(upload.committed, length);
        for (slot, fraction) in [
            (Slot::Percent, sent),
            (Slot::Read, fraction(upload.recorded, length)),
        ] {
            let percent = browser::format_percent(fraction, &locale);
            self.page.fill_slot(slot, &percent);
        }
        self.page.set_fraction(Element::Progress, sent);
        // During the recording the timer is more precise.
        if !self.phase().is_live() && upload.recorded_ms > 0 {
            let recorded = format::duration(f64::from(upload.recorded_ms));
            self.page.fill_slot(Slot::Recorded, &recorded);
        }
    }
}

/// A part of a whole, in full hundredths.
fn fraction(part: u64, whole: u64) -> f64 {
    // A percentage is far below 2⁵³.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let percent = (part.saturating_mul(100) / whole.max(1)) as f64;
    percent / 100.0
}
