//! Who has a link open. A row is written anew with every sign of life, and counts for a while after it.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::visits;
use super::{Db, DbError, Doing, RequestState, hold_awaiting, look_up, transact};
use crate::clock::{Clock, Millis};
use crate::id::{RequestId, VisitId};

/// A row of `visits`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = visits, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Visit {
    /// The request whose link is open.
    pub request_id: RequestId,
    /// What the page calls itself.
    pub visit: VisitId,
    /// What it does.
    pub doing: Doing,
    /// When it last said so.
    pub seen_at: Millis,
}

/// So many visits of a request are remembered.
pub const MOST_VISITS: usize = 8;

impl Db {
    /// Notes what a visit does. A new one of a request that has [`MOST_VISITS`] takes the place of that which
    /// was silent for longest; one of a request that awaits no submission isn't noted.
    pub async fn visit_heard(
        &self,
        of: &RequestId,
        visit: &VisitId,
        doing: Doing,
        clock: &Clock,
    ) -> Result<(), DbError> {
        let (request_id, visit, clock) = (of.clone(), visit.clone(), clock.clone());
        transact!(self, |conn| {
            let seen_at = clock.now();
            let known = diesel::update(visits::table.find((&request_id, &visit)))
                .set((visits::doing.eq(doing), visits::seen_at.eq(seen_at)))
                .execute(conn)
                .await?;
            // Held, so that no row comes after those of its request were removed.
            if known == 1 || hold_awaiting!(conn, &request_id, clock) == 0 {
                return Ok(());
            }
            // Not itself: another call of the same page may have come in between.
            let others = visits::table
                .filter(visits::request_id.eq(&request_id))
                .filter(visits::visit.ne(&visit))
                .order((visits::seen_at.desc(), visits::visit))
                .select(visits::visit);
            let others: Vec<VisitId> = others.load(conn).await?;
            if let Some(silent) = others.get(MOST_VISITS - 1..) {
                let silent = visits::table
                    .filter(visits::request_id.eq(&request_id))
                    .filter(visits::visit.eq_any(silent));
                diesel::delete(silent).execute(conn).await?;
            }
            let row = Visit {
                request_id,
                visit,
                doing,
                seen_at,
            };
            diesel::insert_into(visits::table)
                .values(&row)
                .on_conflict((visits::request_id, visits::visit))
                .do_nothing()
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Visits of a request that were heard of less than so many milliseconds ago, always in the same order.
    pub async fn visits_of(
        &self,
        request: &RequestId,
        within: Millis,
        now: Millis,
    ) -> Result<Vec<Visit>, DbError> {
        // A clock that was set back has left rows in the future. They don't last longer than others.
        let rows = visits::table
            .filter(visits::request_id.eq(request))
            .filter(visits::seen_at.gt(now - within))
            .filter(visits::seen_at.lt(now + within))
            .order(visits::visit);
        Ok(look_up!(self, load::<Visit>(rows))?)
    }
}
