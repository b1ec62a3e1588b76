//! Recording the use of a passkey, in the transaction of what it authenticated.

use crate::{
    Executor, Result, Tx,
    identity::{Attempt, AuditOutcome, audit},
};
use domain::shared::{PasskeyId, UserId};

/// The audit event of a signature counter that went back.
pub const COUNTER_REGRESSION: audit::Event = audit::Event::WebauthnCounterRegression;
/// The reason in that event.
pub const COUNT_WENT_BACK: &str = "countWentBack";

/// A valid assertion of a passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasskeyUse {
    pub id: PasskeyId,
    /// The account that it belongs to.
    pub user: UserId,
    /// The signature counter, this use included.
    pub sign_count: u32,
    /// Whether it is on several devices by now.
    pub is_backed_up: bool,
}

/// Why a valid assertion could not be recorded: the passkey changed since it was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaleUse {
    /// The passkey was deleted.
    Gone,
    /// It was used with this count or a higher one in between: two authenticators may have the same key.
    CountWentBack,
}

/// The output of a transaction that records a use. After [`StaleUse`] nothing else was written, and the
/// transaction is committed.
pub type RecordedUse<T> = std::result::Result<T, StaleUse>;

impl PasskeyUse {
    /// Records the use. A count that went back is written to the audit trail, so the caller writes nothing
    /// else and commits.
    ///
    /// The caller has locked the account, see [`crate::identity::accounts::lock_row`].
    pub async fn record(&self, tx: &Tx<'_>, attempt: Attempt<'_>) -> Result<RecordedUse<()>> {
        let updated = tx
            .execute(
                "update passkeys set sign_count = $3, is_backed_up = $4, last_used_at = $5
                 where id = $1 and user_id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0::bigint))",
                &[
                    /* id */ &self.id,
                    /* user_id */ &self.user,
                    /* sign_count */ &i64::from(self.sign_count),
                    /* is_backed_up */ &self.is_backed_up,
                    /* last_used_at */ &attempt.at,
                ],
            )
            .await?;
        if updated == 1 {
            return Ok(Ok(()));
        }
        let existing = tx
            .row_opt("select id from passkeys where id = $1 and user_id = $2", &[/* id */ &self.id, /* user_id */ &self.user])
            .await?;
        if existing.is_none() {
            return Ok(Err(StaleUse::Gone));
        }
        audit::record(tx, COUNTER_REGRESSION, AuditOutcome::Failure(COUNT_WENT_BACK), attempt).await?;
        Ok(Err(StaleUse::CountWentBack))
    }
}
