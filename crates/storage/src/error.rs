//! What can go wrong between us and PostgreSQL.

use domain::shared::Fault;
use std::{error::Error as StdError, io};
use tokio_postgres::error::SqlState;

/// A failure of the store. None of its text reaches a caller: see the conversion into [`Fault`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No connection could be had in time, or the one in use broke.
    #[error("database away: {0}")]
    Away(String),
    /// A statement ran into its time limit.
    #[error("statement timed out")]
    TimedOut,
    /// Two transactions met; the same work may well succeed when tried again.
    #[error("transactions met ({0})")]
    Met(String),
    /// A unique, check or foreign key constraint refused the row.
    #[error("constraint {constraint} refused the row")]
    Refused {
        /// The constraint's or unique index's name.
        constraint: String,
    },
    /// A write touched another number of rows than it must.
    #[error("{statement} touched {touched} rows")]
    RowCount {
        /// Which statement.
        statement: &'static str,
        /// How many rows it touched.
        touched: u64,
    },
    /// A rule of the domain said no inside the transaction.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Anything else is our fault: a wrong statement, or a row that cannot be read.
    #[error("{0}")]
    Broken(String),
}

/// What the store answers.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The name of the constraint that refused, if one did.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Refused { constraint } => Some(constraint),
            _ => None,
        }
    }

    /// Whether it lies in the moment and not in what was to be written: later the same may well go in.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Away(_) | Self::TimedOut | Self::Met(_))
    }

    /// Whether the whole transaction may be run again: nothing of it is left.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Met(_))
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(refusal) = error.as_db_error() else {
            // No SQLSTATE: the connection broke, or a value could not be converted.
            let is_lost = error.is_closed() || sources(&error).filter_map(|source| source.downcast_ref()).any(is_of_the_way);
            return if is_lost { Self::Away(chain(&error)) } else { Self::Broken(chain(&error)) };
        };
        let code = refusal.code();
        let text = || format!("{} {}", code.code(), refusal.message());
        match *code {
            SqlState::UNIQUE_VIOLATION
            | SqlState::CHECK_VIOLATION
            | SqlState::FOREIGN_KEY_VIOLATION
            | SqlState::EXCLUSION_VIOLATION => Self::Refused { constraint: refusal.constraint().unwrap_or_default().to_owned() },
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::LOCK_NOT_AVAILABLE => {
                Self::Met(text())
            }
            SqlState::QUERY_CANCELED => Self::TimedOut,
            // Classes 08 (connection), 53 (resources: disk full, too many connections), 57 (operator intervention).
            _ if ["08", "53", "57"].iter().any(|class| code.code().starts_with(class)) => Self::Away(text()),
            _ => Self::Broken(text()),
        }
    }
}

impl From<deadpool_postgres::PoolError> for Error {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(inner) => match Self::from(inner) {
                Self::Broken(text) => Self::Away(text),
                other => other,
            },
            other => Self::Away(chain(&other)),
        }
    }
}

impl From<crate::blobs::Error> for Error {
    fn from(error: crate::blobs::Error) -> Self {
        Self::Away(error.to_string())
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Fault(fault) => fault,
            Error::Away(_) | Error::TimedOut | Error::Met(_) => Self::unavailable(error.to_string()),
            Error::Refused { .. } | Error::RowCount { .. } | Error::Broken(_) => Self::internal(error.to_string()),
        }
    }
}

/// An error with all its sources in one line: clients say little at the top, tokio-postgres only «db error».
pub(crate) fn chain(error: &dyn StdError) -> String {
    let all = std::iter::once(error.to_string()).chain(sources(error).map(ToString::to_string));
    all.collect::<Vec<_>>().join(": ")
}

/// Whether the way broke. What could not be put into a message, or read out of one, is an `io::Error` as well.
fn is_of_the_way(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData)
}

/// What is behind an error.
fn sources<'a>(error: &'a dyn StdError) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&value| value.source())
}

#[cfg(test)]
mod tests {
    use super::Error;
    use tokio_postgres::{Config, NoTls, connect};

    #[tokio::test]
    async fn what_broke_on_the_way_passes_and_what_makes_no_sense_does_not() {
        let nobody_there = connect("host=127.0.0.1 port=1 user=x", NoTls).await.err().unwrap();
        assert!(Error::from(nobody_there).is_passing());
        let senseless = "connect=x".parse::<Config>().unwrap_err();
        assert!(!Error::from(senseless).is_passing());
    }
}
