//! Why none of the hosts of a database could be used.

use super::address::Host;
use crate::Error;
use std::fmt::Write as _;

/// What each host said.
#[derive(Default)]
pub(super) struct Failures {
    first: Option<Error>,
    all: String,
    count: usize,
}

impl Failures {
    /// One more that cannot be used.
    pub(super) fn add(&mut self, host: &Host, error: Error) {
        let _ = write!(self.all, "{}{host}: {error}", if self.all.is_empty() { "" } else { "; " });
        self.first.get_or_insert(error);
        self.count += 1;
    }

    /// The error of the only host as it is, or those of all in one line.
    pub(super) fn into_error(self) -> Error {
        match self.first {
            Some(error) if self.count == 1 => error,
            _ => Error::Unavailable(self.all),
        }
    }
}
