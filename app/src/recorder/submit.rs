//! The last step: the take becomes the video.

use std::time::Duration;

use futures_util::future::abortable;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::bindings::Flag;
use super::client::{Failure, TakeUrl};
use super::controller::Recorder;
use super::state::{Ending, Event, Phase};
use super::upload;
use crate::browser::{self, get_local, set_local};

/// How often it is asked whether the server has looked into a file.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Where the name of the take is remembered that the person has sent.
const WANTED: &str = "vidence.wanted";

/// Whether the person has pressed Send for this take.
pub(super) fn is_wanted(name: &str) -> bool {
    get_local(WANTED).as_deref() == Some(name)
}

impl Recorder {
    /// The person sends the take.
    pub(super) fn submit(self) {
        if self.dispatch(Event::Submit) {
            self.want(true);
            self.submit_if_complete();
        }
    }

    /// The person would rather not, or not yet.
    pub(super) fn hold(self) {
        if self.dispatch(Event::Warn) {
            self.want(false);
            self.stop_submitting();
        }
    }

    /// Ends the submission under way, if there is one. The server may have it already: [`Event::FoundSent`].
    pub(super) fn stop_submitting(self) {
        if let Some(submitting) = self.submitting.take() {
            submitting.abort();
        }
    }

    /// Remembers it for a later visit, at once: what is taken back must not be sent by itself.
    pub(super) fn want(self, wanted: bool) {
        let name = if wanted { self.name() } else { String::new() };
        set_local(WANTED, &name);
    }

    /// Sends the take, once it is wanted and all of it has arrived.
    pub(super) fn submit_if_complete(self) {
        let upload = self.upload.get_untracked();
        let wanted = self.phase() == Phase::Submitting && upload.complete;
        let Some(take) = upload.take.filter(|_| wanted) else {
            return;
        };
        // Both the last byte and the button may come here, and one of them is enough.
        if self.submitting.borrow().is_some() {
            return;
        }
        let (submission, handle) = abortable(async move { self.carry_out(&take).await });
        self.submitting.replace(Some(handle));
        spawn_local(async move {
            // An aborted one has lost its handle already.
            if submission.await.is_ok() {
                self.submitting.replace(None);
            }
        });
    }

    async fn carry_out(self, take: &TakeUrl) {
        if self.tells_news_of_place(take).await {
            self.dispatch(Event::Warn);
            self.want(false);
            self.flag(Flag::Located, true);
            self.knows_place.set(true);
            return;
        }
        match upload::submit(&self.link, take, self.upload).await {
            Ok(()) => {
                self.dispatch(Event::Received);
                self.forget_take();
            }
            Err(Ending::Withdrawn) => self.find_out().await,
            Err(ending) => self.end(ending),
        }
    }

    /// Whether a file says where it was filmed, and the person hasn't been told.
    async fn tells_news_of_place(self, take: &TakeUrl) -> bool {
        if !self.has(Flag::IsFile) || self.knows_place.get() {
            return false;
        }
        while self.phase() == Phase::Submitting {
            // No answer is no answer: without a network nothing is sent either.
            match self.link.state(Some(take)).await {
                Ok(state) if state.is_looked_into() || !state.has_take() => {
                    return state.is_located();
                }
                Ok(_) => self.upload.update(|it| it.preparing = true),
                // Who submits is told.
                Err(Failure::Over(_)) => return false,
                Err(_) => {}
            }
            browser::wait(LOOK_AGAIN).await;
        }
        false
    }
}
