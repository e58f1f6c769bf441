//! The last step: the take becomes the video.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::link::TakeUrl;
use super::machine::{Event, Phase};
use super::marks::Flag;
use super::session::Session;
use super::upload;
use crate::browser;

/// How often it is asked whether the server has looked into a file.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// After so many the submission itself will say what is wrong.
const LOOKS: usize = 20;

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
            self.flag(Flag::Located, true);
            self.happen(Event::Warn);
            return;
        }
        match upload::submit(&self.link, take, self.upload).await {
            Ok(()) => {
                self.happen(Event::Received);
                self.forget_take();
            }
            Err(ending) => self.end(ending),
        }
    }

    /// Whether a file says where it was filmed, and the person hasn't been told.
    async fn tells_news_of_place(self, take: &TakeUrl) -> bool {
        if !self.has(Flag::IsFile) || self.has(Flag::Located) {
            return false;
        }
        for _ in 0..LOOKS {
            match self.link.state().await {
                Ok(state) if state.is_sealed(take) => return state.is_located(take),
                _ => browser::wait(LOOK_AGAIN).await,
            }
        }
        false
    }
}
