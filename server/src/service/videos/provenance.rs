//! How and when a video came, from the rows of its request, take and seal.

use app::video_metadata::{Arrival, CapturedAs};

use crate::clock::rfc3339;
use crate::db::{self, Request, Seal, Take};

/// How and when a video came. What an earlier version of the server didn't note is absent.
pub(super) struct Provenance {
    pub(super) captured_as: Option<CapturedAs>,
    pub(super) arrival: Option<Arrival>,
    pub(super) request_created_at: String,
    pub(super) sealed_at: Option<String>,
    pub(super) submitted_at: Option<String>,
}

impl Provenance {
    /// When and how it came, for people.
    pub(super) fn arrived(&self) -> Option<String> {
        self.arrival.as_ref()?.summary(self.captured_as)
    }
}

/// How and when a video came.
pub(super) fn of(request: &Request, take: &Take, seal: Option<&Seal>) -> Provenance {
    // With a part of it from a release that notes no times the others say too little.
    let live = seal.and_then(|seal| seal.live);
    let times = take.first_byte_at.zip(take.last_byte_at).zip(live);
    Provenance {
        captured_as: take.captured_as.map(to_public),
        arrival: times.map(|((first, last), live)| Arrival {
            first_byte_at: rfc3339(first),
            last_byte_at: rfc3339(last),
            while_recorded: live,
        }),
        request_created_at: rfc3339(request.created_at),
        sealed_at: seal.map(|seal| rfc3339(seal.sealed_at)),
        submitted_at: request.submitted_at.map(rfc3339),
    }
}

/// How a take came to be, as it is shown.
fn to_public(stored: db::CapturedAs) -> CapturedAs {
    match stored {
        db::CapturedAs::Recorded => CapturedAs::Recorded,
        db::CapturedAs::File => CapturedAs::File,
        db::CapturedAs::Form => CapturedAs::Form,
        db::CapturedAs::Client => CapturedAs::Client,
    }
}
