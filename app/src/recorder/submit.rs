//! The last step: the take becomes the video.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::link::TakeUrl;
use super::machine::{Ending, Event, Phase};
use super::marks::Flag;
use super::session::Session;
use super::upload;
use crate::browser;

/// How often it is asked whether the server has looked into a file.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// A server that has answered so often, and is still not done, says itself what is wrong.
const ANSWERS: usize = 240;

impl Session {
    /// The person sends the take.
    pub(super) fn submit(self) {
        if self.happen(Event::Submit) {
            self.submit_if_complete();
        }
    }

    /// Sends the take, once it is wanted and all of it has arrived.
    pub(super) fn submit_if_complete(self) {
        let upload = self.upload.get_untracked();
        let wanted = self.phase() == Phase::Submitting && upload.complete;
        let Some(take) = upload.take.filter(|_| wanted) else {
            return;
        };
        // Both the last byte and the button may come here, and one of them is enough.
        if self.submitting.replace(true) {
            return;
        }
        spawn_local(async move {
            self.carry_out(&take).await;
            self.submitting.set(false);
        });
    }

    async fn carry_out(self, take: &TakeUrl) {
        if self.tells_news_of_place(take).await {
            self.happen(Event::Warn);
            self.flag(Flag::Located, true);
            return;
        }
        match upload::submit(&self.link, take, self.upload).await {
            Ok(()) => {
                self.happen(Event::Received);
                self.forget_take();
            }
            Err(Ending::Withdrawn) => self.find_out().await,
            Err(ending) => self.end(ending),
        }
    }

    /// Whether a file says where it was filmed, and the person hasn't been told.
    async fn tells_news_of_place(self, take: &TakeUrl) -> bool {
        if !self.has(Flag::IsFile) || self.has(Flag::Located) {
            return false;
        }
        let mut answers = 0;
        while answers < ANSWERS && self.phase() == Phase::Submitting {
            // No answer is no answer: without a network nothing is sent either.
            if let Ok(state) = self.link.state(Some(take)).await {
                if state.is_sealed() || !state.has_take() {
                    return state.is_located();
                }
                self.upload.update(|it| it.preparing = true);
                answers += 1;
            }
            browser::wait(LOOK_AGAIN).await;
        }
        false
    }
}
