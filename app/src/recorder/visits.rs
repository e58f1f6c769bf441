//! What this device is about, told to the others that have the page open; and what they are about.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use leptos::prelude::*;

use super::link::{Failure, State, TakeUrl};
use super::machine::{Ending, Phase};
use super::marks::Flag;
use super::session::Session;
use crate::browser;

/// How often, as long as nobody else is there.
const ALONE: Duration = Duration::from_secs(10);

/// How often while somebody is.
const TOGETHER: Duration = Duration::from_secs(3);

/// How often while nobody looks.
const HIDDEN: Duration = Duration::from_secs(30);

/// Where the name of this visit is remembered, behind the request's.
const VISIT: &str = "vidence.visit";

impl Session {
    /// Calls in for as long as there is something to do here; at once when the person does something else.
    pub(super) async fn call_in(self, mut changes: UnboundedReceiver<()>) {
        let visit = self.visit_name();
        while !self.is_done() {
            let take = self.upload.get_untracked().take;
            let doing = doing(self.phase());
            match self.link.visit(&visit, doing, take.as_ref()).await {
                Ok(state) if state.is_submitted() => self.hear_of_a_video(take.as_ref()).await,
                Ok(state) => self.hear_of_others(&state),
                // While the submission is under way, that is who says how it went.
                Err(Failure::Over(ending @ (Ending::Expired | Ending::TakenDown)))
                    if self.phase() != Phase::Submitting =>
                {
                    self.end(ending);
                }
                // Perhaps only a node that doesn't know of visits yet.
                Err(Failure::Over(Ending::Withdrawn)) if self.phase() != Phase::Submitting => {
                    self.end_if_withdrawn().await;
                }
                Err(_) => {}
            }
            let pace = match () {
                () if browser::is_hidden() => HIDDEN,
                () if self.has(Flag::OtherLooks) || self.has(Flag::IsFile) => TOGETHER,
                () => ALONE,
            };
            browser::within(pace, changes.next()).await;
        }
    }

    /// Whether nothing more can happen here.
    fn is_done(self) -> bool {
        match self.phase() {
            Phase::Sent => true,
            Phase::Over(ending) => !ending.is_about_the_take(),
            _ => false,
        }
    }

    /// The same after a reload, or the visit before it would be another device. A new one for each request, so
    /// that nobody can tell by it who comes back.
    fn visit_name(self) -> String {
        let kept = browser::recall(VISIT);
        let kept = kept.as_deref().and_then(|it| it.split_once(' '));
        if let Some((_, name)) = kept.filter(|(request, _)| *request == self.request) {
            return name.to_owned();
        }
        let name = browser::random_name();
        browser::keep_in_mind(VISIT, &format!("{} {name}", self.request));
        name
    }

    async fn hear_of_a_video(self, take: Option<&TakeUrl>) {
        if !matches!(self.phase(), Phase::Submitting | Phase::Sent) {
            self.was_submitted(take).await;
        }
    }

    fn hear_of_others(self, state: &State) {
        self.flag(Flag::Located, state.is_located());
        // Where it is shown.
        if state.is_located() && self.phase() == Phase::Review {
            self.knows_place.set(true);
        }
        let others = state.others();
        let any = |what: &str| others.iter().any(|it| it == what);
        self.flag(Flag::OtherLooks, !others.is_empty());
        self.flag(Flag::OtherRecords, any("recording"));
        self.flag(Flag::OtherReviews, any("reviewing"));
    }
}

/// In the words of `PUT /r/{id}/visits/{visit}`.
fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Recording | Phase::Paused | Phase::Stopping => "recording",
        Phase::Review | Phase::Reconsidering | Phase::Submitting => "reviewing",
        _ => "looking",
    }
}
