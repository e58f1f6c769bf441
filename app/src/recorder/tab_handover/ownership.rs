//! Which tab owns the page.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use leptos::task::spawn_local;

use crate::browser::{self, LockMode, TabLock};
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Phase};

/// How long the previous owner may take to store its take. A tab in the background may be frozen.
const HANDOVER_TIMEOUT: Duration = Duration::from_secs(4);

/// How often the previous owner checks whether its take is stored.
const STORED_INTERVAL: Duration = Duration::from_millis(50);

impl Recorder {
    /// Waits until this tab owns the page. `false`: it did, and another one has taken over again.
    pub(in crate::recorder) async fn acquire_page(self) -> bool {
        if !self.acquire_page_lock(LockMode::IfAvailable).await {
            self.try_dispatch(Event::OpenedElsewhere);
            self.page.enable_controls();
            let (sender, take_over) = futures_channel::mpsc::unbounded();
            self.tab_locks.take_over.replace(Some(sender));
            self.wait_or_take_over(take_over).await;
        }
        let name = self.lock_name() + " keeps";
        let waiting = TabLock::acquire(&name, LockMode::Wait, || {});
        let storage_lock = browser::timeout(HANDOVER_TIMEOUT, waiting).await;
        let owns_page = self.owns_page();
        if owns_page {
            self.tab_locks.storage.replace(storage_lock.flatten());
        }
        owns_page
    }

    /// Whether this tab owns the page.
    pub(in crate::recorder) fn owns_page(self) -> bool {
        self.tab_locks.page.borrow().is_some()
    }

    async fn wait_or_take_over(self, mut take_over: UnboundedReceiver<()>) {
        let waiting = std::pin::pin!(self.acquire_page_lock(LockMode::Wait));
        if let Either::Right(_) = select(waiting, take_over.next()).await {
            self.acquire_page_lock(LockMode::Steal).await;
        }
    }

    async fn acquire_page_lock(self, mode: LockMode) -> bool {
        let on_stolen = move || spawn_local(self.hand_over());
        let lock = TabLock::acquire(&self.lock_name(), mode, on_stolen).await;
        let is_acquired = lock.is_some();
        if is_acquired {
            self.tab_locks.page.replace(lock);
        }
        is_acquired
    }

    /// Hands the page over to another tab: stores the take, and forgets it here.
    /// A tab with the only copy of its take takes the page back.
    async fn hand_over(self) {
        self.tab_locks.page.replace(None);
        if self.has_only_copy() {
            return self.take_page_back().await;
        }
        self.stop();
        while self.is_storing() {
            browser::sleep(STORED_INTERVAL).await;
        }
        // The store may have failed on the last piece.
        if self.has_only_copy() {
            return self.take_page_back().await;
        }
        self.abort_submission();
        if !self.dispatch(Event::OpenedElsewhere) {
            return;
        }
        self.tab_locks.storage.replace(None);
        self.recover().await;
    }

    async fn take_page_back(self) {
        self.acquire_page_lock(LockMode::Steal).await;
    }

    fn lock_name(self) -> String {
        "vidence ".to_owned() + &self.request
    }

    /// Whether some of the take isn't stored.
    fn has_only_copy(self) -> bool {
        let stores = self.store.borrow().is_some() && !self.has_flag(Flag::MemoryOnly);
        !stores && self.take.borrow().is_some()
    }

    /// Whether the take is still being recorded or stored.
    fn is_storing(self) -> bool {
        let take = self.take.borrow();
        let is_stored = take.as_ref().is_none_or(|it| it.record.ended);
        match self.phase() {
            Phase::Stopping(_) => true,
            Phase::Ended { .. } => false,
            _ => !is_stored && !self.has_flag(Flag::MemoryOnly),
        }
    }

    /// Takes the page over from the tab that owns it.
    pub(in crate::recorder) fn take_over(self) {
        if let Some(take_over) = self.tab_locks.take_over.borrow().as_ref() {
            let _ = take_over.unbounded_send(());
        }
    }
}
