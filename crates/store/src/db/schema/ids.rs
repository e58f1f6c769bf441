//! Ids and hashes of tokens as columns.

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::{Binary, Text};

use crate::id::{FolderId, ReportId, RequestId, TakeId, TokenHash, VideoId};

macro_rules! columns {
    ($($column:ident: $id:ident = $sql:ident, $owned:ty, $as_borrowed:ident -> $borrowed:ty;)*) => {$(
        #[derive(AsExpression, FromSqlRow)]
        #[diesel(sql_type = $sql, foreign_derive)]
        #[expect(dead_code, reason = "only for the derives, which implement their traits for the type in it")]
        struct $column($id);

        impl<DB: Backend> FromSql<$sql, DB> for $id
        where
            $owned: FromSql<$sql, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
                <$owned>::from_sql(bytes).map(Self::from_stored)
            }
        }

        impl<DB: Backend> ToSql<$sql, DB> for $id
        where
            $borrowed: ToSql<$sql, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                self.$as_borrowed().to_sql(out)
            }
        }
    )*};
}

columns! {
    RequestIdColumn: RequestId = Text, String, as_str -> str;
    TakeIdColumn: TakeId = Text, String, as_str -> str;
    VideoIdColumn: VideoId = Text, String, as_str -> str;
    FolderIdColumn: FolderId = Text, String, as_str -> str;
    ReportIdColumn: ReportId = Text, String, as_str -> str;
    TokenHashColumn: TokenHash = Binary, Vec<u8>, as_bytes -> [u8];
}
