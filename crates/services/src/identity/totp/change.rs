//! The transaction of a change of the authenticator app.

use super::wrong_code;
use crate::identity::{
    IdentityContext, RequestContext, notices,
    second_factor::{BACKUP_CODE_USED, RightCode},
};
use domain::{
    identity::{mail::NoticeKind, one_time::Kind as OneTime},
    shared::Fault,
};
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        NewMail, Outcome, Source,
        attempts::{self, Conclusion, PendingAttempt},
        audit, mails,
        one_time::{self, NewOneTime},
        sessions, totp,
    },
    shared::sessions::Claimed,
};

/// A change that a right code allows.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// Puts the app that waits into use, with a set of backup codes.
    Confirm {
        /// The sealed secret that its code was compared with.
        sealed: Vec<u8>,
        /// The hashes of the codes.
        backup_codes: Vec<NewOneTime>,
    },
    /// Replaces the backup codes.
    RenewBackupCodes {
        /// The code that was sent.
        code: RightCode,
        /// The hashes of the codes.
        backup_codes: Vec<NewOneTime>,
    },
    /// Removes the app, with its backup codes.
    Remove {
        /// The code that was sent.
        code: RightCode,
    },
}

/// Makes a change. 400 `invalidCode` when the code was used before, or is by now one of another app.
pub(super) async fn run(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: Claimed,
    change: Change,
    pending_attempt: Option<PendingAttempt>,
) -> Result<(), Fault> {
    let changed = async {
        let mail = match &change {
            Change::Remove { code: RightCode::Backup(_) } => {
                notices::compose_for(ctx, request, owner.user, NoticeKind::BackupCode).await?
            }
            _ => None,
        };
        let operation = ChangeTotp { owner, change, mail, pending_attempt, source: request.source.clone() };
        Ok(ctx.store.transact(&operation).await?)
    };
    if ctx.refund_on_error(pending_attempt, changed).await? { Ok(()) } else { Err(wrong_code(ctx, pending_attempt).await?) }
}

struct ChangeTotp {
    owner: Claimed,
    change: Change,
    /// The mail that tells the owner, if a backup code was used.
    mail: Option<NewMail>,
    pending_attempt: Option<PendingAttempt>,
    source: Source,
}

impl TxOperation for ChangeTotp {
    /// `false` when the code was used before, or the app is another one by now.
    type Output = bool;

    const NAME: &'static str = "totp.change";

    /// 401 when the session ended since the request began.
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<bool> {
        let (user, at) = (self.owner.user, self.source.at);
        sessions::lock_signed_in(tx, self.owner, at).await?;
        let (is_right, event) = match &self.change {
            Change::Confirm { sealed, .. } => (totp::confirm(tx, user, sealed, at).await?, "auth.totp.enabled"),
            Change::RenewBackupCodes { code, .. } => (code.consume(tx, user, at).await?, "auth.backup_codes.regenerated"),
            Change::Remove { code } => (code.consume(tx, user, at).await? && totp::remove(tx, user).await?, "auth.totp.disabled"),
        };
        if !is_right {
            return Ok(false);
        }
        one_time::remove_all(tx, OneTime::BackupCode, user).await?;
        if let Change::Confirm { backup_codes, .. } | Change::RenewBackupCodes { backup_codes, .. } = &self.change {
            for code in backup_codes {
                one_time::add(tx, code).await?;
            }
        }
        attempts::conclude(tx, self.pending_attempt.map(Conclusion::Succeeded)).await?;
        let attempt = self.source.attempt(Some(user));
        if let Change::Remove { code: RightCode::Backup(_) } = self.change {
            audit::record(tx, BACKUP_CODE_USED, Outcome::Success, attempt).await?;
        }
        audit::record(tx, event, Outcome::Success, attempt).await?;
        mails::add_if(tx, self.mail.as_ref()).await?;
        Ok(true)
    }
}
