//! Reports of abusive requests.
//! A report outlives its request for a while, so it holds a copy of the prompt.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::Millis;
use crate::db::schema::client_addr::Creator;
use crate::db::schema::{reports, requests};
use crate::db::{Db, DbError, Reason, Request, query, transact};
use crate::id::{ReportId, RequestId};
use net::client_addr::ClientAddr;

/// A row of `reports`.
#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = reports, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Report {
    /// The report's id.
    pub id: ReportId,
    /// The reported request.
    pub request_id: RequestId,
    /// The reason.
    pub reason: Reason,
    /// The reporter's text in UTF-8.
    pub text: Option<Vec<u8>>,
    /// The request's prompt in UTF-8. `None`: it was already wiped.
    pub prompt: Option<Vec<u8>>,
    /// The request's creator. `None`: it was already wiped, or never known.
    #[diesel(serialize_as = Creator, deserialize_as = Creator)]
    pub creator: Option<ClientAddr>,
    /// The time of the report.
    pub reported_at: Millis,
    /// The time at which the operator closed the report.
    pub done_at: Option<Millis>,
}

/// The outcome of storing a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportInsertion {
    /// The report is stored.
    Done,
    /// The request has [`MAX_OPEN_REPORTS`] for this reason already.
    TooMany,
}

/// The most open reports of one request for each reason: many for a harmless one leave room for a grave one. Concurrent
/// insertions may exceed it by a few.
pub const MAX_OPEN_REPORTS: i64 = 10;

impl Db {
    /// Stores a report, with the request's current prompt and creator in place of the report's own.
    pub async fn report_insert(&self, report: Report) -> Result<ReportInsertion, DbError> {
        transact!(self, |conn| {
            let of_it = reports::table.filter(reports::request_id.eq(&report.request_id));
            let open = of_it
                .filter(reports::reason.eq(report.reason))
                .filter(reports::done_at.is_null());
            let count: i64 = open.count().get_result(conn).await?;
            if count >= MAX_OPEN_REPORTS {
                return Ok(ReportInsertion::TooMany);
            }
            let current = requests::table
                .find(&report.request_id)
                .select((requests::prompt, requests::creator));
            let (prompt, creator): (_, Creator) = current.get_result(conn).await?;
            let report = Report {
                prompt,
                creator: creator.into(),
                ..report.clone()
            };
            diesel::insert_into(reports::table)
                .values(report)
                .execute(conn)
                .await?;
            Ok(ReportInsertion::Done)
        })
    }

    /// Open reports and their requests: at most `limit`, newest first.
    /// `after` is the time and id of a report: only those that follow it are returned.
    pub async fn reports_open(
        &self,
        after: Option<(Millis, ReportId)>,
        limit: i64,
    ) -> Result<Vec<(Report, Request)>, DbError> {
        query!(self, |conn| {
            let mut open = reports::table
                .inner_join(requests::table)
                .filter(reports::done_at.is_null())
                .select((Report::as_select(), Request::as_select()))
                .into_boxed();
            if let Some((at, id)) = &after {
                let same_time = reports::reported_at.eq(*at).and(reports::id.lt(id));
                open = open.filter(reports::reported_at.lt(*at).or(same_time));
            }
            Ok(open
                .order((reports::reported_at.desc(), reports::id.desc()))
                .limit(limit)
                .load(conn)
                .await?)
        })
    }

    /// Closes a report. `false`: there is none with this id.
    pub async fn report_close(&self, id: ReportId, at: Millis) -> Result<bool, DbError> {
        transact!(self, |conn| {
            let done = diesel::update(reports::table.find(&id))
                .set(reports::done_at.eq(at))
                .execute(conn)
                .await?;
            Ok(done == 1)
        })
    }

    /// Deletes reports from before this moment; returns their number.
    pub async fn reports_delete(&self, before: Millis) -> Result<usize, DbError> {
        transact!(self, |conn| {
            let old = reports::table.filter(reports::reported_at.lt(before));
            Ok(diesel::delete(old).execute(conn).await?)
        })
    }
}
