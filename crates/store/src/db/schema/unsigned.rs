//! Columns of BIGINT that hold counts: rows have them as unsigned integers.
//!
//! Neither database has an unsigned type. The tables' checks keep these columns at or above zero, and the
//! conversion happens here, once, so that no caller of `db` sees a signed count.

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::{BigInt, Nullable};

/// A count as a column holds it: of bytes, milliseconds, pixels or chunks. Never negative.
///
/// A number that exceeds the column becomes [`i64::MAX`]. No stored count is as large, so comparisons with columns come
/// out the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = BigInt)]
pub struct Unsigned(i64);

impl From<u64> for Unsigned {
    fn from(count: u64) -> Self {
        Self(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Unsigned {
    fn from(count: u32) -> Self {
        Self(count.into())
    }
}

impl From<Unsigned> for u64 {
    fn from(count: Unsigned) -> Self {
        count.0.unsigned_abs()
    }
}

impl TryFrom<Unsigned> for u32 {
    type Error = std::num::TryFromIntError;

    fn try_from(count: Unsigned) -> Result<Self, Self::Error> {
        count.0.try_into()
    }
}

impl<DB: Backend> FromSql<BigInt, DB> for Unsigned
where
    i64: FromSql<BigInt, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        match i64::from_sql(bytes)? {
            negative @ ..0 => Err(format!("a count is negative: {negative}").into()),
            count => Ok(Self(count)),
        }
    }
}

impl<DB: Backend> ToSql<BigInt, DB> for Unsigned
where
    i64: ToSql<BigInt, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.to_sql(out)
    }
}

/// [`Unsigned`], or NULL.
/// A type of its own, because coherence forbids converting between two foreign `Option`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromSqlRow)]
pub struct OptionalUnsigned(Option<Unsigned>);

impl From<Option<u64>> for OptionalUnsigned {
    fn from(count: Option<u64>) -> Self {
        Self(count.map(Unsigned::from))
    }
}

impl From<OptionalUnsigned> for Option<u64> {
    fn from(count: OptionalUnsigned) -> Self {
        count.0.map(u64::from)
    }
}

impl<DB: Backend> FromSql<Nullable<BigInt>, DB> for OptionalUnsigned
where
    Option<Unsigned>: FromSql<Nullable<BigInt>, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Option::from_sql(bytes).map(Self)
    }

    fn from_nullable_sql(bytes: Option<DB::RawValue<'_>>) -> deserialize::Result<Self> {
        Option::from_nullable_sql(bytes).map(Self)
    }
}

impl AsExpression<Nullable<BigInt>> for OptionalUnsigned {
    type Expression = <Option<Unsigned> as AsExpression<Nullable<BigInt>>>::Expression;

    fn as_expression(self) -> Self::Expression {
        AsExpression::<Nullable<BigInt>>::as_expression(self.0)
    }
}

#[cfg(test)]
mod tests {
    use diesel::connection::Connection;
    use diesel::dsl::sql;
    use diesel::sqlite::Sqlite;
    use diesel::{QueryResult, RunQueryDsl, SqliteConnection, select};

    use super::*;

    fn read<T>(value: &str) -> QueryResult<T>
    where
        T: FromSqlRow<BigInt, Sqlite> + 'static,
    {
        let mut conn = SqliteConnection::establish(":memory:").expect("a database");
        select(sql::<BigInt>(value)).get_result(&mut conn)
    }

    #[test]
    fn a_count_comes_back_as_it_was_stored_and_a_negative_one_is_an_error() {
        let mut conn = SqliteConnection::establish(":memory:").expect("a database");
        for (count, stored) in [
            (0, 0),
            (1 << 40, 1 << 40),
            (u64::MAX, i64::MAX.unsigned_abs()),
        ] {
            let bound = AsExpression::<BigInt>::as_expression(Unsigned::from(count));
            let back: Unsigned = select(bound).get_result(&mut conn).expect("a row");
            assert_eq!(u64::from(back), stored);
        }
        assert!(read::<Unsigned>("-1").is_err());
        let wide = read::<Unsigned>("4294967296").expect("a row");
        assert!(u32::try_from(wide).is_err());
    }
}
