//! Client addresses and keys of limits as text columns.

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::sql_types::{Nullable, Text};

use net::client_addr::{ClientAddr, LimitKey};

/// The address that created a request, or NULL.
/// A type of its own, because coherence forbids mapping a foreign type to a foreign column.
#[derive(FromSqlRow)]
pub struct Creator(Option<ClientAddr>);

impl From<Option<ClientAddr>> for Creator {
    fn from(client: Option<ClientAddr>) -> Self {
        Self(client)
    }
}

impl From<Creator> for Option<ClientAddr> {
    fn from(creator: Creator) -> Self {
        creator.0
    }
}

impl<DB: Backend> FromSql<Nullable<Text>, DB> for Creator
where
    String: FromSql<Text, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let address = String::from_sql(bytes)?.parse()?;
        Ok(Self(Some(ClientAddr::new(address))))
    }

    fn from_nullable_sql(bytes: Option<DB::RawValue<'_>>) -> deserialize::Result<Self> {
        bytes.map_or(Ok(Self(None)), Self::from_sql)
    }
}

impl AsExpression<Nullable<Text>> for Creator {
    type Expression = <Option<String> as AsExpression<Nullable<Text>>>::Expression;

    fn as_expression(self) -> Self::Expression {
        let text = self.0.map(|it| it.address().to_string());
        AsExpression::<Nullable<Text>>::as_expression(text)
    }
}

/// Value of a column with keys of limits: `2001:db8::` for a client, `2001:db8::/56` for a network.
pub fn limit_key(key: LimitKey) -> String {
    match key {
        LimitKey::ClientAddr(client) => client.address().to_string(),
        LimitKey::Network(network) => network.addresses().to_string(),
    }
}
