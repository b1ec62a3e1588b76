//! The second factor of a login: the challenge, another mailed code, and the verification of a code.
//!
//! Between the password and the second factor the browser holds an opaque token. It names a pending login and
//! nothing else: no use case takes it for a session.

mod challenge;
mod finish;
mod pending;
mod verification;

pub use challenge::Challenge;
pub(super) use challenge::challenge;
pub use challenge::resend;
pub(super) use finish::BACKUP_CODE_USED;
pub use finish::RightCode;
pub use pending::{PendingFactor, pending_factor};
pub use verification::{VerificationOutcome, verify_mailed_code, verify_totp};

use super::IdentityContext;
use crypto::codes;
use domain::identity::MailContent;
use domain::shared::Fault;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

/// Why a pending login is not finished.
enum Unfinished {
    /// It is over, or never existed; or the account changed meanwhile.
    Over,
    Fault(Fault),
}

impl From<Fault> for Unfinished {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<storage::Error> for Unfinished {
    fn from(error: storage::Error) -> Self {
        Self::Fault(error.into())
    }
}

/// A new code for a pending login: the hash that is stored, and the mail that carries the code.
fn new_code(ctx: &IdentityContext, pending: Uuid) -> (String, MailContent) {
    let code = codes::login_code(ctx.entropy.as_ref());
    let hash = mailed_hash(ctx, pending, &code);
    (hash, MailContent::LoginCode { code: code.expose_secret().to_owned() })
}

/// The hash of a mailed code that is stored.
fn mailed_hash(ctx: &IdentityContext, pending: Uuid, code: &SecretString) -> String {
    codes::hash_text(&ctx.secrets.codes, &format!("login {pending}"), code)
}
