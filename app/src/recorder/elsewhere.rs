//! Several tabs with the same page: one of them has the recording, and the others can take it over.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::bindings::Flag;
use super::controller::Recorder;
use super::state::{Event, Phase};
use super::upload::Upload;
use crate::browser::{self, Claim, TabLock};

/// How long a tab has to keep what it has before another one goes on. One in the background may be frozen.
const LONGEST_HANDOVER: Duration = Duration::from_secs(4);

/// How often it is looked whether all is kept.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

impl Recorder {
    /// Waits until this tab is the one. `false`: it was, and another one has taken over again.
    pub(super) async fn be_the_only_tab(self) -> bool {
        let tab = self.name_of_tab();
        if !self.claim(&tab, Claim::IfFree).await {
            self.dispatch(Event::OpenElsewhere);
            self.page.wake_up();
            let (take_over, pressed) = futures_channel::mpsc::unbounded();
            self.take_over.replace(Some(take_over));
            self.wait_or_take_over(&tab, pressed).await;
        }
        // The tab that had it holds this until it has stored what it recorded.
        let keeps = format!("{tab} keeps");
        let waiting = TabLock::claim(&keeps, Claim::Wait, || {});
        let kept = browser::within(LONGEST_HANDOVER, waiting).await;
        let is_mine = self.tab.borrow().is_some();
        if is_mine {
            self.keeps.replace(kept.flatten());
        }
        is_mine
    }

    async fn wait_or_take_over(self, tab: &str, mut pressed: UnboundedReceiver<()>) {
        let waiting = std::pin::pin!(self.claim(tab, Claim::Wait));
        if let Either::Right(_) = select(waiting, pressed.next()).await {
            self.claim(tab, Claim::Steal).await;
        }
    }

    async fn claim(self, tab: &str, claim: Claim) -> bool {
        let lock = TabLock::claim(tab, claim, move || spawn_local(self.give_way())).await;
        let is_mine = lock.is_some();
        if is_mine {
            self.tab.replace(lock);
        }
        is_mine
    }

    /// Another tab goes on with it: keeps all there is, and forgets it here. A take that only this page has stays here,
    /// and the page with it.
    async fn give_way(self) {
        self.tab.replace(None);
        if self.is_the_only_copy() {
            return self.take_back().await;
        }
        self.stop();
        while self.is_still_kept() {
            browser::wait(LOOK_AGAIN).await;
        }
        // The store may have failed on the last piece.
        if self.is_the_only_copy() {
            return self.take_back().await;
        }
        self.stop_submitting();
        self.switch_off();
        if !self.dispatch(Event::OpenElsewhere) {
            return;
        }
        if let Some(take) = self.take.take() {
            take.abandon();
        }
        self.upload.set(Upload::default());
        self.keeps.replace(None);
        self.resume().await;
    }

    async fn take_back(self) {
        self.claim(&self.name_of_tab(), Claim::Steal).await;
    }

    fn name_of_tab(self) -> String {
        format!("vidence {}", self.request)
    }

    /// Whether the browser's store lacks some of the take.
    fn is_the_only_copy(self) -> bool {
        let stores = self.store.borrow().is_some() && !self.has(Flag::Unkept);
        !stores && self.take.borrow().is_some()
    }

    /// Whether the recorder, or the browser's store, is still at it.
    fn is_still_kept(self) -> bool {
        let take = self.take.borrow();
        let is_kept = take.as_ref().is_none_or(|it| it.kept.ended);
        match self.phase() {
            Phase::Stopping => true,
            Phase::Over(_) => false,
            _ => !is_kept && !self.has(Flag::Unkept),
        }
    }

    /// The person goes on here.
    pub(super) fn take_over(self) {
        if let Some(take_over) = self.take_over.borrow().as_ref() {
            let _ = take_over.unbounded_send(());
        }
    }
}
