//! The authenticator app of a signed-in person, and its backup codes.
//!
//! A second app can be started while one is in use: that one stays until the new one is confirmed, which
//! takes a proof of who has the first one, see [`ReplacementProof`]. Wrong codes are counted with those at
//! login.

mod change;
mod replacement;

pub use replacement::ReplacementProof;

use super::{IdentityContext, RequestContext, second_factor::RightCode, secrets::AttemptTarget};
use change::{Change, Replaced};
use crypto::{
    codes,
    totp::{Authenticator, new_secret},
};
use domain::{
    identity::{Account, TypedCode, one_time::Kind as OneTime},
    shared::{Code, Fault, UserId},
};
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use storage::{
    identity::{
        accounts,
        lockout::{Conclusion, PendingAttempt},
        one_time::{self, NewOneTime},
        totp::{self, Totp},
    },
    shared::sessions::SessionClaims,
};

/// How long a new secret waits for its first code.
const PENDING_FOR: SignedDuration = SignedDuration::from_hours(1);

/// Whether there is an app, and how many backup codes are left.
#[derive(Debug, Clone, Copy)]
pub struct TotpState {
    /// Whether there is an app in use.
    pub is_enabled: bool,
    /// Whether a secret waits for its first code.
    pub is_pending: bool,
    /// How many backup codes are left.
    pub backup_codes_left: i64,
}

/// A new secret, as the app takes it.
#[derive(Debug)]
pub struct StartedTotp {
    /// In base32, to be typed.
    pub secret: SecretString,
    /// As an `otpauth:` URI, to be scanned.
    pub uri: SecretString,
}

/// Backup codes in clear: they are shown once.
#[derive(Debug)]
pub struct BackupCodes(pub Vec<SecretString>);

/// The state of the account's app.
pub async fn state(ctx: &IdentityContext, user: UserId) -> Result<TotpState, Fault> {
    let connection = ctx.store.connection("totp.find").await?;
    let now = ctx.clock.now();
    let Totp { secret, pending } = totp::find(&connection, user, now).await?;
    let backup_codes_left = one_time::count_open(&connection, OneTime::BackupCode, user, now).await?;
    Ok(TotpState { is_enabled: secret.is_some(), is_pending: pending.is_some(), backup_codes_left })
}

/// Makes a new secret, in place of one that waits for its first code. The app that is in use stays.
pub async fn start(ctx: &IdentityContext, user: UserId) -> Result<StartedTotp, Fault> {
    let connection = ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, user).await?.ok_or_else(Fault::unauthorized)?;
    let secret = new_secret(ctx.entropy.as_ref());
    let sealed = ctx.secrets.seal(user, secret.expose_secret(), &ctx.entropy)?;
    let until = ctx.clock.now().checked_add(PENDING_FOR).map_err(|error| Fault::internal(format!("pending secret: {error}")))?;
    if !totp::start(&connection, user, &sealed, until).await? {
        return Err(Fault::unauthorized());
    }
    shown(ctx, &account, &secret)
}

/// The secret that waits for its first code, or a new one when none does, so that a page that is loaded again
/// shows the same.
pub async fn start_or_resume(ctx: &IdentityContext, user: UserId) -> Result<StartedTotp, Fault> {
    let connection = ctx.store.connection("totp.find").await?;
    let pending = totp::find(&connection, user, ctx.clock.now()).await?.pending;
    let account = accounts::find(&connection, user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    match pending {
        Some(sealed) => shown(ctx, &account, &ctx.secrets.open(user, &sealed)?),
        None => start(ctx, user).await,
    }
}

fn shown(ctx: &IdentityContext, account: &Account, secret: &SecretSlice<u8>) -> Result<StartedTotp, Fault> {
    let authenticator = Authenticator::new(secret)?;
    let uri = authenticator.uri(&ctx.settings.name, account.email.as_str());
    Ok(StartedTotp { secret: authenticator.secret(), uri })
}

/// Enables the app whose first code is sent, and answers its backup codes. 400 `noPendingTotp` when none was
/// started, 400 `invalidCode`.
///
/// While another app is in use, `proof` must be one that is right: 400 `currentCodeRequired` without one, 403
/// `invalidPassword`, 403 `invalidAssertion`. A proof that could not be read is refused only then.
pub async fn confirm(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    code: &str,
    proof: Result<Option<ReplacementProof>, Fault>,
) -> Result<BackupCodes, Fault> {
    let user = owner.user;
    let connection = ctx.store.connection("totp.find").await?;
    let Totp { secret: in_use, pending } = totp::find(&connection, user, ctx.clock.now()).await?;
    drop(connection);
    let Some(sealed) = pending else {
        return Err(Fault::of(Code::NoPendingTotp));
    };
    let first_app = match in_use {
        Some(in_use) => Some((in_use, proof?.ok_or_else(replacement::proof_required)?)),
        None => None,
    };
    let attempt = ctx.register_attempt_of(request, user, AttemptTarget::Code(user)).await?;
    let step = async {
        match TypedCode::parse(code) {
            Some(TypedCode::Digits(code)) => ctx.step_of(user, &sealed, &code),
            _ => Ok(None),
        }
    };
    if ctx.refund_on_error(attempt, step).await?.is_none() {
        return Err(wrong_code(ctx, attempt).await?);
    }
    let replaced = match first_app {
        Some((in_use, proof)) => {
            let checked = replacement::check(ctx, request, owner, &in_use, proof);
            let Some(proof) = Box::pin(ctx.refund_on_error(attempt, checked)).await? else {
                return Err(wrong_code(ctx, attempt).await?);
            };
            Some(Replaced { sealed: in_use, proof })
        }
        None => None,
    };
    let (shown, backup_codes) = new_backup_codes(ctx, user);
    change::run(ctx, request, owner, Change::Confirm { sealed, replaced, backup_codes }, attempt).await?;
    Ok(shown)
}

/// Makes a new set of backup codes for a code of the app. The old set is void. 400 `totpNotEnabled`, 400
/// `invalidCode`.
pub async fn renew_backup_codes(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    code: &str,
) -> Result<BackupCodes, Fault> {
    let user = owner.user;
    let sealed = ctx.totp_secret(user).await?.ok_or_else(not_enabled)?;
    let attempt = ctx.register_attempt_of(request, user, AttemptTarget::Code(user)).await?;
    let matched = ctx.refund_on_error(attempt, async { ctx.match_code(user, Some(&sealed), code) }).await?;
    let Some(code @ RightCode::Totp { .. }) = matched else { return Err(wrong_code(ctx, attempt).await?) };
    let (shown, backup_codes) = new_backup_codes(ctx, user);
    change::run(ctx, request, owner, Change::RenewBackupCodes { code, backup_codes }, attempt).await?;
    Ok(shown)
}

/// Removes the app and its backup codes, for one of its codes or a backup code. 400 `totpNotEnabled`, 400
/// `invalidCode`.
pub async fn remove(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims, code: &str) -> Result<(), Fault> {
    let user = owner.user;
    let sealed = ctx.totp_secret(user).await?.ok_or_else(not_enabled)?;
    let attempt = ctx.register_attempt_of(request, user, AttemptTarget::Code(user)).await?;
    let matched = ctx.refund_on_error(attempt, async { ctx.match_code(user, Some(&sealed), code) }).await?;
    let Some(code) = matched else { return Err(wrong_code(ctx, attempt).await?) };
    change::run(ctx, request, owner, Change::Remove { code }, attempt).await
}

/// New backup codes, as they are shown and as they are stored.
fn new_backup_codes(ctx: &IdentityContext, user: UserId) -> (BackupCodes, Vec<NewOneTime>) {
    let shown = codes::backup_codes(ctx.entropy.as_ref());
    let at = ctx.clock.now();
    let canonical = shown.iter().filter_map(|code| match TypedCode::parse(code.expose_secret()) {
        Some(TypedCode::Backup(code)) => Some(code),
        _ => None,
    });
    let stored = canonical
        .map(|code| NewOneTime::of(OneTime::BackupCode, user, ctx.backup_hash(user, &code), ctx.entropy.uuid(), at))
        .collect();
    (BackupCodes(shown), stored)
}

/// Counts the attempt at a code that is wrong, or was used before, and answers the refusal.
async fn wrong_code(ctx: &IdentityContext, attempt: Option<PendingAttempt>) -> Result<Fault, Fault> {
    ctx.conclude(attempt.map(Conclusion::Failed)).await?;
    Ok(invalid_code())
}

fn invalid_code() -> Fault {
    Fault::of(Code::InvalidCode)
}

fn not_enabled() -> Fault {
    Fault::of(Code::TotpNotEnabled)
}
