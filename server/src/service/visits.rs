//! Two devices at one link know of each other: each page says now and then what it does.
//!
//! Kept in the database, because they may talk to different nodes. It ends no wait for the request, as nothing
//! changes in what `/v1` says of it. No secret, though: whoever has the link may ask who else has it open, and
//! the creator has it.

use app::api::{Doing, Heartbeat, PageState, RequestStatus, VISIT_SECONDS, Visit};

use super::{App, Error, access, page};
use crate::clock::Millis;
use crate::db;
use crate::id::{RequestId, VisitId};

/// A visit says what it does, and hears where the request stands and what the others do.
pub async fn heard(
    app: &App,
    request: &str,
    visit: &str,
    heartbeat: &Heartbeat,
) -> Result<PageState, Error> {
    let current = access::link(app, request).await?;
    let visit = VisitId::parse(visit).ok_or_else(|| {
        Error::Invalid("a visit is named by 22 letters, digits, - and _".to_owned())
    })?;
    if current.status() == RequestStatus::AwaitingSubmission {
        let (of, doing) = (current.id(), stored(heartbeat.doing));
        match app.db.visit_heard(of, &visit, doing, &app.clock).await {
            // Devices that don't know of each other can record all the same.
            Err(error) if error.is_full() => {}
            noted => noted?,
        }
    }
    page::state_for(app, &current, Some(&visit), heartbeat.take.as_deref()).await
}

/// Who has the link open, without one of them.
pub(super) async fn beside(
    app: &App,
    request: &RequestId,
    visit: Option<&VisitId>,
) -> Result<Vec<Visit>, Error> {
    let within = Millis::from(VISIT_SECONDS) * 1000;
    let visits = app.db.visits_of(request, within, app.clock.now()).await?;
    let others = visits.iter().filter(|it| Some(&it.visit) != visit);
    let view = |it: &db::Visit| Visit {
        doing: told(it.doing),
    };
    Ok(others.map(view).collect())
}

fn stored(doing: Doing) -> db::Doing {
    match doing {
        Doing::Looking => db::Doing::Looking,
        Doing::Recording => db::Doing::Recording,
        Doing::Reviewing => db::Doing::Reviewing,
    }
}

fn told(doing: db::Doing) -> Doing {
    match doing {
        db::Doing::Looking => Doing::Looking,
        db::Doing::Recording => Doing::Recording,
        db::Doing::Reviewing => Doing::Reviewing,
    }
}
