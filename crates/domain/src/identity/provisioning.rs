//! Provisioning: accounts that another system hands over, one or up to [`MAX_ROWS`] in a request. Each
//! account of a request is a row, which is judged alone: a bad one never fails the others.
//!
//! ```text
//! request::read(body)              the rows, as they were sent
//! row::read(row, rules)            one of them, checked without a look at the accounts that exist
//! Batch::admit(candidate)          whether an earlier row of the request has the same address or subject
//! Existing::judge(candidate)       whether an account is in the way, or was imported from this row before
//! ```

pub mod code;
pub mod existing;
pub mod legacy_sub;
pub mod request;
pub mod roles;
pub mod row;
pub mod tokens;

pub use code::{RowCode, RowRefusal, Status};
pub use existing::{Batch, Existing, KnownAccount, Verdict};
pub use legacy_sub::LegacySub;
pub use request::ImportRequest;
pub use row::{Candidate, Row, RowRules};
pub use tokens::ProvisioningToken;

/// The most rows of a request.
pub const MAX_ROWS: usize = 500;
