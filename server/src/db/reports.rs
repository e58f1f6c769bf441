//! What people say against a request. It outlives what it is about, for a while, so it carries a copy of that.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{reports, requests};
use super::{Db, DbError, Reason, Request, query, transact};
use crate::clock::Millis;
use crate::id::{ReportId, RequestId};
use net::client_addr::ClientAddr;

/// A row of `reports`.
#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = reports, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Report {
    /// Its name.
    pub id: ReportId,
    /// What it is about.
    pub request_id: RequestId,
    /// What is wrong.
    pub reason: Reason,
    /// In the words of whoever says so: UTF-8.
    pub text: Option<Vec<u8>>,
    /// What the request asked for, UTF-8. `None`: it was over by then, and this wiped.
    pub prompt: Option<Vec<u8>>,
    /// Who made the request, likewise.
    pub creator: Option<ClientAddr>,
    /// When somebody said so.
    pub reported_at: Millis,
    /// When the operator was done with it.
    pub done_at: Option<Millis>,
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// It is stored.
    Stored,
    /// There are [`MOST_REPORTS`] of this request that nobody is done with.
    Enough,
}

/// So many reports of one request wait to be read. Those who add at the same moment may make it a few more.
pub const MOST_REPORTS: i64 = 20;

impl Db {
    /// Stores a report, with what its request says of itself at this moment in place of its own `prompt` and
    /// `creator`.
    pub async fn report_insert(&self, report: Report) -> Result<Reported, DbError> {
        transact!(self, |conn| {
            let of_it = reports::table.filter(reports::request_id.eq(&report.request_id));
            let open = of_it.filter(reports::done_at.is_null());
            let count: i64 = open.count().get_result(conn).await?;
            if count >= MOST_REPORTS {
                return Ok(Reported::Enough);
            }
            let said = requests::table
                .find(&report.request_id)
                .select((requests::prompt, requests::creator));
            let (prompt, creator) = said.get_result(conn).await?;
            let report = Report {
                prompt,
                creator,
                ..report.clone()
            };
            diesel::insert_into(reports::table)
                .values(&report)
                .execute(conn)
                .await?;
            Ok(Reported::Stored)
        })
    }

    /// Reports that nobody is done with, and their requests: at most `limit`, newest first, and of these what
    /// follows on the report of this time and name.
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

    /// Notes that a report is done with. `false`: there is none of this name.
    pub async fn report_done(&self, id: ReportId, at: Millis) -> Result<bool, DbError> {
        transact!(self, |conn| {
            let done = diesel::update(reports::table.find(&id))
                .set(reports::done_at.eq(at))
                .execute(conn)
                .await?;
            Ok(done == 1)
        })
    }

    /// Forgets reports from before this moment; how many.
    pub async fn reports_forget(&self, before: Millis) -> Result<usize, DbError> {
        transact!(self, |conn| {
            let old = reports::table.filter(reports::reported_at.lt(before));
            Ok(diesel::delete(old).execute(conn).await?)
        })
    }
}
