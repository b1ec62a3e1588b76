//! The ids that records have at their source. They are numbers like the ids here, so each has a type of its
//! own: none stands for the other.

use postgres_types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Ordering,
    error::Error,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
};

/// The id of a record at the source: `SourceId<Story>` becomes a `StoryId` here.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceId<R>(i64, PhantomData<fn() -> R>);

impl<R> SourceId<R> {
    /// Where a source writes no id: the folder of what stands at the top.
    pub const NONE: Self = Self::of(0);

    /// The id with a number.
    pub const fn of(number: i64) -> Self {
        Self(number, PhantomData)
    }

    /// The number.
    pub const fn number(self) -> i64 {
        self.0
    }
}

// Derived, these would ask the same of the record.
impl<R> Clone for SourceId<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for SourceId<R> {}

impl<R> Default for SourceId<R> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<R> PartialEq for SourceId<R> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<R> Eq for SourceId<R> {}

impl<R> PartialOrd for SourceId<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R> Ord for SourceId<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<R> Hash for SourceId<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<R> fmt::Debug for SourceId<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<R> fmt::Display for SourceId<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

// A statement takes and returns the number itself, as of the ids here.
impl<R> ToSql for SourceId<R> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        self.0.to_sql(ty, out)
    }

    fn accepts(ty: &Type) -> bool {
        <i64 as ToSql>::accepts(ty)
    }

    to_sql_checked!();
}

impl<'a, R> FromSql<'a> for SourceId<R> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        i64::from_sql(ty, raw).map(Self::of)
    }

    fn accepts(ty: &Type) -> bool {
        <i64 as FromSql>::accepts(ty)
    }
}
