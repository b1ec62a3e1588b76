//! Confirming an act: an administrator authenticates once more, so that a stranger at an open browser cannot act on accounts and keys.

use super::check_administrator;
use crate::identity::{
    IdentityContext, RequestContext,
    reauth::{self, Credential},
};
use domain::shared::Fault;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        Source, accounts,
        passkeys::{PasskeyUse, RecordedUse},
    },
    shared::sessions::SessionClaims,
};

/// The audit event of a confirmation that was refused. One that was accepted is recorded by the act that follows.
const EVENT: &str = "admin.confirmation";

/// Authenticates an administrator once more. `credential` reads what was sent; its argument is whether the account has a password. 403 `invalidPassword` and
/// `invalidAssertion`, and what [`reauth::reauthenticate`] refuses beside.
pub async fn confirm(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    credential: impl FnOnce(bool) -> Result<Credential, Fault> + Send,
) -> Result<(), Fault> {
    let connection = ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, administrator.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    let credential = credential(stored.account.has_password)?;
    let used = reauth::reauthenticate(ctx, request, administrator, &stored, credential, EVENT).await?;
    let Some(passkey) = used else { return Ok(()) };
    let recorded = ctx.store.transact(&RecordUse { passkey, administrator, source: &request.source }).await?;
    reauth::unless_stale(ctx, request, administrator.user, recorded, EVENT).await
}

/// Records the use of the passkey: it is not accepted a second time.
struct RecordUse<'a> {
    passkey: PasskeyUse,
    administrator: SessionClaims,
    source: &'a Source,
}

impl TxOperation for RecordUse<'_> {
    type Output = RecordedUse<()>;

    const NAME: &'static str = "admin.record_confirmation";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<RecordedUse<()>> {
        check_administrator(tx, self.administrator, self.source.at).await?;
        self.passkey.record(tx, self.source.attempt(Some(self.administrator.user))).await
    }
}
