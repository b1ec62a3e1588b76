//! What came of a row: its status, and a code where it was not created.

use std::borrow::Cow;
use strum::IntoStaticStr;

/// What came of a row. Its name is on the wire, and in metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Status {
    /// There is a new account; in a dry run, there would be.
    Created,
    /// The account was imported before; nothing changed.
    Skipped,
    /// An account is in the way, or an earlier row of the request.
    Conflict,
    /// The row is wrong in itself.
    Invalid,
    /// The account could not be written, and nothing of it was.
    Failed,
}

/// Why a row was not created. Where several reasons apply the first one is reported, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "camelCase")]
pub enum RowCode {
    /// It has a field that accounts do not have here.
    UnknownField,
    /// A required field is missing, or a field is malformed.
    Validation,
    /// A client or group is unknown, does not declare the role, or takes one role only.
    BadRole,
    /// The hash is of no supported kind, malformed, out of bounds or mislabelled.
    BadHash,
    /// An earlier row of the request has the same address or the same subject.
    DuplicateInBatch,
    /// An account has both this address and this subject.
    AlreadyImported,
    /// An account has the address, and another subject or none.
    EmailExists,
    /// An account with another address has the subject.
    LegacySubExists,
    /// An account has the id that the subject would become.
    IdExists,
    /// The database refused the account.
    WriteFailed,
}

impl RowCode {
    /// The status of a row with this code.
    pub fn status(self) -> Status {
        match self {
            Self::UnknownField | Self::Validation | Self::BadRole | Self::BadHash => Status::Invalid,
            Self::DuplicateInBatch | Self::EmailExists | Self::LegacySubExists | Self::IdExists => Status::Conflict,
            Self::AlreadyImported => Status::Skipped,
            Self::WriteFailed => Status::Failed,
        }
    }

    /// The refusal of a row for this reason, where there is nothing more to tell than that.
    pub fn refusal(self) -> RowRefusal {
        let message = match self {
            Self::UnknownField => "A field is not known",
            Self::Validation => "A field is missing or malformed",
            Self::BadRole => "A role cannot be assigned",
            Self::BadHash => "The hash cannot be used",
            Self::DuplicateInBatch => "An earlier row of this request has the same email or legacySub",
            Self::AlreadyImported => "This account was imported before; nothing changed",
            Self::EmailExists => "Another account has this email, with another legacySub or none",
            Self::LegacySubExists => "An account with another email has this legacySub",
            Self::IdExists => "Another account has the id that this legacySub would become",
            Self::WriteFailed => "The account could not be written; nothing of it was",
        };
        RowRefusal { code: self, message: message.into() }
    }
}

/// Why a row was not created, with a sentence for a person. The sentence names fields, and never repeats a
/// hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowRefusal {
    pub code: RowCode,
    pub message: Cow<'static, str>,
}

impl RowRefusal {
    /// A refusal with a sentence of its own.
    pub(super) fn new(code: RowCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into() }
    }
}
