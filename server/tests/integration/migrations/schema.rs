//! Constraints of a database's tables, and whether a program that knows an older version can keep using them.

use std::collections::{BTreeMap, BTreeSet};

use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, QueryableByName, SqliteConnection, sql_query};
use diesel_async::{AsyncConnection, AsyncPgConnection};

#[derive(Clone, Debug, Default)]
pub struct Schema(BTreeMap<String, Table>);

#[derive(Clone, Debug, Default)]
struct Table {
    columns: BTreeMap<String, Column>,
    /// Constraints: uniqueness, references, checks.
    rules: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    owner: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = BigInt)]
    required: i64,
    #[diesel(sql_type = BigInt)]
    has_default: i64,
}

#[derive(QueryableByName)]
struct Rule {
    #[diesel(sql_type = Text)]
    owner: String,
    #[diesel(sql_type = Text)]
    rule: String,
}

/// Rows of these tables are marked and never deleted, so references can't block a deletion.
const NEVER_DELETED: [&str; 1] = ["requests"];

/// The referenced table of a constraint.
fn referenced_table(rule: &str) -> Option<&str> {
    let (_, referenced) = rule.split_once("REFERENCES ")?;
    referenced
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .next()
}

/// The part of a constraint about its own table: the referenced one may have columns of the same names.
fn own_part(rule: &str) -> &str {
    let (own_part, _) = rule.split_once(" REFERENCES ").unwrap_or((rule, ""));
    own_part
}

impl Schema {
    fn of(columns: Vec<Column>, rules: impl IntoIterator<Item = Rule>) -> Self {
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        for column in columns {
            let table = tables.entry(column.owner.clone()).or_default();
            table.columns.insert(column.name.clone(), column);
        }
        for Rule { owner, rule } in rules {
            tables.entry(owner).or_default().rules.insert(rule);
        }
        Self(tables)
    }

    /// What a program that knows only this schema can't do with `after`.
    pub fn incompatibilities(&self, after: &Self) -> Vec<String> {
        let mut broken = Vec::new();
        for (name, before) in &self.0 {
            match after.0.get(name) {
                Some(after) => before.incompatibilities(name, after, &mut broken),
                None => broken.push(format!("{name} is gone")),
            }
        }
        for (name, table) in &after.0 {
            let known = self.0.get(name).map(|it| &it.rules);
            let rules = table.rules.iter();
            let new = rules.filter(|it| known.is_none_or(|known| !known.contains(*it)));
            broken.extend(new.filter_map(|rule| self.holder_of(name, rule)));
        }
        broken
    }

    /// A reference blocks the deletion of the referenced row, unless it cascades or is set to null: a program that
    /// doesn't know the reference can't remove it first.
    fn holder_of(&self, name: &str, rule: &str) -> Option<String> {
        let of = referenced_table(rule)?;
        let drops = ["ON DELETE CASCADE", "ON DELETE SET NULL"]
            .iter()
            .any(|action| rule.contains(action));
        let holds = self.0.contains_key(of) && !drops && !NEVER_DELETED.contains(&of);
        holds.then(|| format!("{name} holds rows of {of}: {rule}"))
    }
}

impl Table {
    fn incompatibilities(&self, name: &str, after: &Self, broken: &mut Vec<String>) {
        for (column, before) in &self.columns {
            match after.columns.get(column) {
                None => broken.push(format!("{name}.{column} is gone")),
                Some(after) if after != before => {
                    broken.push(format!("{name}.{column} is another one"));
                }
                Some(_) => {}
            }
        }
        let new = |column: &&Column| !self.columns.contains_key(&column.name);
        let added: Vec<&Column> = after.columns.values().filter(new).collect();
        for column in &added {
            if column.required != 0 && column.has_default == 0 {
                broken.push(format!("{name}.{} is demanded", column.name));
            }
        }
        // Constraints on new columns alone are satisfied by their defaults.
        let concerns = |rule: &str, column: &str| {
            let mut tokens = rule.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            tokens.any(|token| token == column)
        };
        for rule in after.rules.difference(&self.rules) {
            let of_new = added.iter().any(|it| concerns(rule, &it.name));
            let of_old = self.columns.keys().any(|it| concerns(own_part(rule), it));
            if !of_new || of_old {
                broken.push(format!("{name} has a new rule: {rule}"));
            }
        }
        // A program may rely on the dropped constraint.
        for rule in self.rules.difference(&after.rules) {
            broken.push(format!("{name} has lost a rule: {rule}"));
        }
    }
}

pub fn sqlite() -> SqliteConnection {
    SqliteConnection::establish(":memory:").expect("memory")
}

pub fn of_sqlite(conn: &mut SqliteConnection) -> Schema {
    use diesel::RunQueryDsl;
    let columns = sql_query(
        "SELECT m.name AS owner, c.name AS name, c.type AS kind, c.\"notnull\" AS required, \
         c.dflt_value IS NOT NULL AS has_default \
         FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'",
    );
    let rules = sql_query(
        "SELECT m.name AS owner, 'UNIQUE ' || group_concat(i.name) AS rule FROM sqlite_master m \
         JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i \
         WHERE m.type = 'table' AND l.\"unique\" GROUP BY m.name, l.name \
         UNION ALL SELECT m.name, 'FOREIGN KEY (' || f.\"from\" || ') REFERENCES ' || f.\"table\" || ' ON DELETE ' || f.on_delete \
         FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    );
    let definition = sql_query(
        "SELECT name AS owner, sql AS rule FROM sqlite_master WHERE type = 'table' AND sql <> ''",
    );
    let columns = columns.load(conn).expect("columns");
    let rules: Vec<Rule> = rules.load(conn).expect("rules");
    let definition: Vec<Rule> = definition.load(conn).expect("tables");
    let checks = definition.iter().flat_map(|definition| {
        let rules = checks(&definition.rule).into_iter();
        rules.map(|rule| Rule {
            owner: definition.owner.clone(),
            rule,
        })
    });
    Schema::of(columns, rules.into_iter().chain(checks))
}

/// The CHECK constraints in a CREATE TABLE statement.
fn checks(definition: &str) -> Vec<String> {
    let end = |text: &str| {
        let mut depth = 0;
        text.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ')' && depth == 0
        })
    };
    definition
        .split("CHECK ")
        .skip(1)
        .filter_map(|rest| Some(format!("CHECK {})", &rest[..end(rest)?])))
        .collect()
}

pub async fn postgres(url: &str) -> AsyncPgConnection {
    AsyncPgConnection::establish(url).await.expect("PostgreSQL")
}

pub async fn of_postgres(conn: &mut AsyncPgConnection) -> Schema {
    use diesel_async::RunQueryDsl;
    let columns = sql_query(
        "SELECT table_name::text AS owner, column_name::text AS name, data_type::text AS kind, \
         (is_nullable = 'NO')::int::bigint AS required, \
         (column_default IS NOT NULL)::int::bigint AS has_default \
         FROM information_schema.columns WHERE table_schema = 'public'",
    );
    let rules = sql_query(
        "SELECT conrelid::regclass::text AS owner, pg_get_constraintdef(oid) AS rule \
         FROM pg_constraint WHERE connamespace = 'public'::regnamespace \
         UNION ALL SELECT tablename::text, indexdef FROM pg_indexes \
         WHERE schemaname = 'public' AND indexdef LIKE 'CREATE UNIQUE%'",
    );
    let columns = columns.load(conn).await.expect("columns");
    let rules: Vec<Rule> = rules.load(conn).await.expect("rules");
    Schema::of(columns, rules)
}
