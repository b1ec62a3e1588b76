//! The transaction of a change of the authenticator app.

use super::{
    replacement::{AcceptedProof, ENABLED},
    wrong_code,
};
use crate::identity::{
    IdentityContext, RequestContext, notices, reauth,
    second_factor::{BACKUP_CODE_USED, RightCode},
};
use domain::{
    identity::{mail::NoticeKind, one_time::Kind as OneTime},
    shared::Fault,
};
use storage::{
    End,
    identity::{
        AuditOutcome, audit,
        lockout::{self, Conclusion, PendingAttempt},
        mails,
        one_time::{self, NewOneTime},
        passkeys::PasskeyUse,
        sessions, totp,
    },
    shared::sessions::SessionClaims,
    transact_if,
};

/// A change that a right code allows.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// Puts the app that waits into use, with a set of backup codes.
    Confirm {
        /// The sealed secret that its code was compared with.
        sealed: Vec<u8>,
        /// The app that was in use so far, if there was one.
        replaced: Option<Replaced>,
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

/// An app that another one replaces.
#[derive(Debug, Clone)]
pub(super) struct Replaced {
    pub(super) sealed: Vec<u8>,
    pub(super) proof: AcceptedProof,
}

impl Change {
    /// The event of the mail that tells the owner.
    fn notice(&self) -> NoticeKind {
        match self {
            Self::Confirm { replaced: None, .. } => NoticeKind::AppAdded,
            Self::Confirm { replaced: Some(_), .. } => NoticeKind::AppReplaced,
            Self::RenewBackupCodes { .. } => NoticeKind::BackupCodesRenewed,
            Self::Remove { code: RightCode::Backup(_) } => NoticeKind::BackupCode,
            Self::Remove { .. } => NoticeKind::AppRemoved,
        }
    }

    /// The code that is consumed, if it is not one of a new app.
    fn code(&self) -> Option<&RightCode> {
        match self {
            Self::Confirm { replaced: Some(Replaced { proof: AcceptedProof::Code(code), .. }), .. }
            | Self::RenewBackupCodes { code, .. }
            | Self::Remove { code } => Some(code),
            Self::Confirm { .. } => None,
        }
    }

    /// The passkey whose use is recorded.
    fn passkey(&self) -> Option<&PasskeyUse> {
        match self {
            Self::Confirm { replaced: Some(Replaced { proof: AcceptedProof::Passkey(passkey), .. }), .. } => Some(passkey),
            _ => None,
        }
    }
}

/// Makes a change. 400 `invalidCode` when the code was used before, or is by now one of another app.
pub(super) async fn run(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    change: Change,
    pending_attempt: Option<PendingAttempt>,
) -> Result<(), Fault> {
    let changed = async {
        let (change, mail) = (&change, &notices::compose_for(ctx, request, owner.user, change.notice()).await?);
        let recorded = transact_if!(ctx, "totp.change", async |tx| {
            let (user, at) = (owner.user, request.source.at);
            sessions::lock_signed_in(tx, owner, at).await?;
            let attempt = request.source.attempt(Some(user));
            if let Some(passkey) = change.passkey()
                && let Err(stale) = passkey.record(tx, attempt).await?
            {
                // That the count went back is recorded.
                return Ok(End::Commit(Err(stale)));
            }
            if let Some(code) = change.code()
                && !code.consume(tx, user, at).await?
            {
                return Ok(End::RollBack(Ok(false)));
            }
            let (is_right, event) = match change {
                Change::Confirm { sealed, replaced, .. } => {
                    let replaced = replaced.as_ref().map(|replaced| replaced.sealed.as_slice());
                    (totp::confirm(tx, user, sealed, replaced, at).await?, ENABLED)
                }
                Change::RenewBackupCodes { .. } => (true, audit::Event::AuthBackupCodesRegenerated),
                Change::Remove { .. } => (totp::remove(tx, user).await?, audit::Event::AuthTotpDisabled),
            };
            if !is_right {
                return Ok(End::RollBack(Ok(false)));
            }
            one_time::remove_all(tx, OneTime::BackupCode, user).await?;
            if let Change::Confirm { backup_codes, .. } | Change::RenewBackupCodes { backup_codes, .. } = change {
                for code in backup_codes {
                    one_time::add(tx, code).await?;
                }
            }
            lockout::conclude(tx, pending_attempt.map(Conclusion::Succeeded)).await?;
            if let Some(RightCode::Backup(_)) = change.code() {
                audit::record(tx, BACKUP_CODE_USED, AuditOutcome::Success, attempt).await?;
            }
            audit::record(tx, event, AuditOutcome::Success, attempt).await?;
            mails::add_if(tx, mail.as_ref()).await?;
            Ok(End::Commit(Ok(true)))
        })
        .await?;
        reauth::unless_stale(ctx, request, owner.user, recorded, ENABLED).await
    };
    if ctx.refund_on_error(pending_attempt, changed).await? { Ok(()) } else { Err(wrong_code(ctx, pending_attempt).await?) }
}
