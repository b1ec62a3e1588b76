//! What can go wrong between this process and PostgreSQL.

use deadpool::managed::PoolError;
use domain::shared::Fault;
use std::{error::Error as StdError, io};
use tokio_postgres::error::SqlState;

/// A failure of the store. No caller of an API sees its text: see the conversion into [`Fault`].
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// No connection was to be had in time, the one in use broke, or PostgreSQL is out of resources or
    /// stopping.
    #[error("database unavailable: {0}")]
    Unavailable(String),
    /// The disk of PostgreSQL is full (53100).
    #[error("disk of the database is full: {0}")]
    DiskFull(String),
    /// A statement ran into its time limit.
    #[error("statement timed out")]
    TimedOut,
    /// The host of the connection can only be read (25006): the primary of before is a standby by now, or its
    /// operator has locked it.
    #[error("the database can only be read ({0})")]
    ReadOnly(String),
    /// The transaction conflicts with another one: a serialization failure, a deadlock, or a lock that was
    /// not to be had. Run again, it may well succeed.
    #[error("conflict between transactions ({0})")]
    Serialization(String),
    /// A unique, check, foreign key or exclusion constraint refused the row.
    #[error("constraint {constraint} refused the row")]
    Constraint {
        /// The name of the constraint or of the unique index.
        constraint: String,
    },
    /// The rows of a connection have more bytes than it may read. The rest of them was not read.
    #[error("more than {max} bytes of rows")]
    TooLarge {
        /// How many bytes it may read.
        max: usize,
    },
    /// The replica has not come as far as what is read there. The same is read on the primary.
    #[error("the replica is behind")]
    Behind,
    /// A statement was refused because an earlier one of its transaction had failed (25P02).
    /// [`Tx`](crate::Tx) reports that first failure instead.
    #[error("the transaction was aborted by an earlier statement")]
    TransactionAborted,
    /// A write touched another number of rows than it must.
    #[error("{statement} touched {touched} rows")]
    RowCount {
        /// The name of the statement.
        statement: &'static str,
        /// How many rows it touched.
        touched: u64,
    },
    /// A rule of the domain refused the operation inside of its transaction.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Anything else is a defect of ours: a wrong statement, or a row that cannot be read.
    #[error("{0}")]
    Internal(String),
}

/// The result of everything in this crate that asks PostgreSQL.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The name of the constraint that refused the row, if one did.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Constraint { constraint } => Some(constraint),
            _ => None,
        }
    }

    /// Whether the cause is the state of the database at this moment and not what was to be written: the same
    /// may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Unavailable(_) | Self::ReadOnly(_) | Self::DiskFull(_) | Self::TimedOut | Self::Behind | Self::Serialization(_)
        )
    }

    /// Whether the whole transaction may be run again at once: PostgreSQL has rolled all of it back.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Serialization(_))
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(db_error) = error.as_db_error() else {
            // No SQLSTATE: the connection broke, or a value could not be converted.
            let is_lost = error.is_closed() || sources(&error).filter_map(|source| source.downcast_ref()).any(is_connection_error);
            return if is_lost { Self::Unavailable(chain(&error)) } else { Self::Internal(chain(&error)) };
        };
        let code = db_error.code();
        let text = || format!("{} {}", code.code(), db_error.message());
        match *code {
            SqlState::UNIQUE_VIOLATION
            | SqlState::CHECK_VIOLATION
            | SqlState::FOREIGN_KEY_VIOLATION
            | SqlState::EXCLUSION_VIOLATION => {
                Self::Constraint { constraint: db_error.constraint().unwrap_or_default().to_owned() }
            }
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::LOCK_NOT_AVAILABLE => {
                Self::Serialization(text())
            }
            SqlState::IN_FAILED_SQL_TRANSACTION => Self::TransactionAborted,
            SqlState::QUERY_CANCELED => Self::TimedOut,
            SqlState::DISK_FULL => Self::DiskFull(text()),
            SqlState::READ_ONLY_SQL_TRANSACTION => Self::ReadOnly(text()),
            // Classes 08 (connection), 53 (resources: memory, too many connections), 57 (operator
            // intervention).
            _ if ["08", "53", "57"].iter().any(|class| code.code().starts_with(class)) => Self::Unavailable(text()),
            _ => Self::Internal(text()),
        }
    }
}

impl From<PoolError<Self>> for Error {
    fn from(error: PoolError<Self>) -> Self {
        match error {
            PoolError::Backend(Self::Internal(text)) => Self::Unavailable(text),
            PoolError::Backend(other) => other,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Fault(fault) => fault,
            Error::TooLarge { max } => Self::response_too_large(max),
            Error::DiskFull(_) => Self::disk_full(error.to_string()),
            Error::Unavailable(_) | Error::ReadOnly(_) | Error::TimedOut | Error::Behind | Error::Serialization(_) => {
                Self::unavailable(error.to_string())
            }
            Error::Constraint { .. } | Error::TransactionAborted | Error::RowCount { .. } | Error::Internal(_) => {
                Self::internal(error.to_string())
            }
        }
    }
}

/// An error with all its sources in one line: at the top clients say little, tokio-postgres only «db error».
pub(crate) fn chain(error: &dyn StdError) -> String {
    let all = std::iter::once(error.to_string()).chain(sources(error).map(ToString::to_string));
    all.collect::<Vec<_>>().join(": ")
}

/// Whether the connection broke. A value that cannot be encoded or decoded is an `io::Error` as well.
fn is_connection_error(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData)
}

/// The sources of an error, the nearest first.
fn sources<'a>(error: &'a dyn StdError) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&source| source.source())
}

#[cfg(test)]
mod tests {
    use super::Error;
    use domain::shared::{Code, Fault, Kind};
    use tokio_postgres::{Config, NoTls, connect};

    #[tokio::test]
    async fn a_broken_connection_is_transient_and_a_wrong_setting_is_not() {
        let refused = connect("host=127.0.0.1 port=1 user=x", NoTls).await.err().unwrap();
        assert!(Error::from(refused).is_transient());
        let invalid = "connect=x".parse::<Config>().unwrap_err();
        assert!(!Error::from(invalid).is_transient());
    }

    #[test]
    fn a_full_disk_is_told_apart_from_a_server_that_is_busy() {
        let fault = Fault::from(Error::DiskFull("53100".to_owned()));
        assert_eq!((fault.code, fault.kind()), (Code::DiskFull, Kind::Unavailable));
        assert_eq!(Fault::from(Error::TimedOut).code, Code::Unavailable);
    }
}
