//! Transcripts: what is said in a submitted video.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::db::schema::transcripts;
use crate::db::{Db, DbError, Lease, TranscriptState, query_row, transact};
use crate::id::TakeId;

/// A row of `transcripts`, without its lease.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = transcripts, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Transcript {
    /// How far it is.
    pub state: TranscriptState,
    /// Its language and its segments as JSON, once it is ready.
    pub content: Option<Vec<u8>>,
    /// The reason why there is none.
    pub reason: Option<String>,
}

/// How the work on a transcript ends.
#[derive(Clone, Debug)]
pub enum TranscriptOutcome {
    /// With this content, as JSON.
    Ready(Vec<u8>),
    /// There is nothing to transcribe, for this reason.
    None(String),
    /// It was given up, for this reason.
    Failed(String),
}

impl Db {
    /// The transcript of a take.
    /// `None`: it was submitted where no transcriber was configured, has no audio, or is deleted.
    pub async fn transcript_get(&self, take: &TakeId) -> Result<Option<Transcript>, DbError> {
        let row = transcripts::table.find(take);
        Ok(query_row!(self, get_result::<Transcript>(row)).optional()?)
    }

    /// Ends the work on a transcript.
    /// `false`, and nothing changed: the lease is lost, or the take is deleted.
    pub async fn transcript_finish(
        &self,
        held: &Lease,
        outcome: TranscriptOutcome,
    ) -> Result<bool, DbError> {
        let (state, content, reason) = match outcome {
            TranscriptOutcome::Ready(content) => (TranscriptState::Ready, Some(content), None),
            TranscriptOutcome::None(why) => (TranscriptState::None, None, Some(why)),
            TranscriptOutcome::Failed(why) => (TranscriptState::Failed, None, Some(why)),
        };
        let held = held.clone();
        transact!(self, |conn| {
            let finished = diesel::update(transcripts::table.find(&held.take_id))
                .filter(transcripts::epoch.eq(held.epoch))
                .filter(transcripts::state.eq(TranscriptState::Due))
                .set((
                    transcripts::state.eq(state),
                    transcripts::content.eq(content),
                    transcripts::reason.eq(reason),
                ))
                .execute(conn)
                .await?;
            Ok(finished == 1)
        })
    }
}
