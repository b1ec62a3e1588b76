//! Reading columns of rows by name.

use crate::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::str::FromStr;
use tokio_postgres::{
    Row,
    types::{FromSql, IsNull, ToSql, Type, to_sql_checked},
};

/// The value of a column; a wrong type is [`Error::Internal`], not a panic.
pub fn get<'a, T: FromSql<'a>>(row: &'a Row, column: &str) -> Result<T> {
    row.try_get(column).map_err(|error| Error::Internal(format!("column {column}: {error}")))
}

/// A struct of a row: the fields before the semicolon are the columns of their names, those behind it are
/// written as in any struct.
///
/// ```text
/// row::read!(row => Self { id, name, created_at; tags: row::list(row, "tags")?, state })
/// ```
macro_rules! read {
    ($row:expr => $($type:ident)::+ { $($column:ident),* $(,)? $(; $($others:tt)*)? }) => {
        $($type)::+ { $($column: $crate::row::get($row, stringify!($column))?,)* $($($others)*)? }
    };
}
pub(crate) use read;

/// The text of a `json` column, byte for byte as it was written.
#[derive(Debug, Clone)]
pub struct Verbatim(pub Box<RawValue>);

impl<'a> FromSql<'a> for Verbatim {
    fn from_sql(_: &Type, raw: &'a [u8]) -> std::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(serde_json::from_slice(raw)?))
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::JSON
    }
}

impl ToSql for Verbatim {
    fn to_sql(&self, _: &Type, out: &mut bytes::BytesMut) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(self.0.get().as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::JSON
    }

    to_sql_checked!();
}

/// A `jsonb` column, deserialised.
pub fn json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T> {
    let value: serde_json::Value = get(row, column)?;
    serde_json::from_value(value).map_err(|error| Error::Internal(format!("column {column}: {error}")))
}

/// A `jsonb` column that may be null, deserialised.
pub fn json_opt<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>> {
    let value: Option<serde_json::Value> = get(row, column)?;
    value.map(serde_json::from_value).transpose().map_err(|error| Error::Internal(format!("column {column}: {error}")))
}

/// A `jsonb` column with a list. Null is an empty list: `jsonb_agg` of no rows is null.
pub fn list<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Vec<T>> {
    let value: Option<serde_json::Value> = get(row, column)?;
    let list = value.map(serde_json::from_value).transpose();
    Ok(list.map_err(|error| Error::Internal(format!("column {column}: {error}")))?.unwrap_or_default())
}

/// A text column with the name of a value; an unknown name is [`Error::Internal`].
pub fn parsed<T>(row: &Row, column: &str, of: impl FnOnce(&str) -> Option<T>) -> Result<T> {
    let text: &str = get(row, column)?;
    of(text).ok_or_else(|| Error::Internal(format!("column {column}: unknown value {text}")))
}

/// A value by the name that stands in a column.
pub fn named<T: FromStr>(row: &Row, column: &str) -> Result<T> {
    parsed(row, column, |name| name.parse().ok())
}

/// The same for a column that may be null.
pub fn named_opt<T: FromStr>(row: &Row, column: &str) -> Result<Option<T>> {
    get::<Option<&str>>(row, column)?.map(|_| named(row, column)).transpose()
}

/// A value as JSON, for a `jsonb` column.
pub fn to_json<T: serde::Serialize>(value: &T) -> Result<serde_json::Value> {
    serde_json::to_value(value).map_err(|error| Error::Internal(format!("serialise: {error}")))
}
