//! The id of the folder or the bucket that has the objects.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::db::schema::blob_folder;
use crate::db::{Db, DbError, query, transact};

/// The key of the only row.
const ONLY: i64 = 1;

impl Db {
    /// The id of the folder or bucket on which servers start. `None`: none was started yet.
    pub async fn blob_folder_id(&self) -> Result<Option<String>, DbError> {
        query!(self, |conn| {
            let row = blob_folder::table.find(ONLY);
            let id = row.select(blob_folder::folder_id).get_result(conn).await;
            Ok(id.optional()?)
        })
    }

    /// Stores the id of the folder, for good.
    pub async fn store_blob_folder_id(&self, id: String) -> Result<(), DbError> {
        transact!(self, |conn| {
            diesel::insert_into(blob_folder::table)
                .values((blob_folder::id.eq(ONLY), blob_folder::folder_id.eq(id)))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}
