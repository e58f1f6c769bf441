//! Client addresses and limit keys as text columns.

use std::io::Write;

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql};
use diesel::pg::Pg;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::Text;
use diesel::sqlite::Sqlite;

use super::{ClientAddr, LimitKey};

impl LimitKey {
    /// Value of a text column: `2001:db8::` for a client, `2001:db8::/56` for a network.
    fn to_column(self) -> String {
        match self {
            Self::ClientAddr(client) => client.0.to_string(),
            Self::Network(network) => network.0.to_string(),
        }
    }
}

impl ToSql<Text, Sqlite> for LimitKey {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.to_column());
        Ok(IsNull::No)
    }
}

impl ToSql<Text, Pg> for LimitKey {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.to_column().as_bytes())?;
        Ok(IsNull::No)
    }
}

impl<DB: Backend> FromSql<Text, DB> for ClientAddr
where
    String: FromSql<Text, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(String::from_sql(bytes)?.parse()?))
    }
}

impl ToSql<Text, Sqlite> for ClientAddr {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.to_string());
        Ok(IsNull::No)
    }
}

impl ToSql<Text, Pg> for ClientAddr {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        write!(out, "{}", self.0)?;
        Ok(IsNull::No)
    }
}
