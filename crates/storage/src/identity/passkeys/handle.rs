//! What authenticators call an account: `users.webauthn_handle`. It tells nothing of the person and nothing of the account, and never changes: a passkey
//! is found by it.

use crate::{Executor, Result, Tx, TxOperation, row};
use domain::{identity::passkey::Handle, shared::UserId};

/// Gives an account its handle, unless it has one.
pub struct GiveHandle {
    /// Which.
    pub user: UserId,
    /// Random bytes, for an account that has none.
    pub new: Handle,
}

impl TxOperation for GiveHandle {
    /// The one that it has from now on; `None` when the account is gone.
    type Output = Option<Vec<u8>>;

    const NAME: &'static str = "passkey.give_handle";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<Vec<u8>>> {
        tx.execute(
            "update users set webauthn_handle = $2 where id = $1 and webauthn_handle is null",
            &[/* id */ &self.user.0, /* webauthn_handle */ &self.new.as_slice()],
        )
        .await?;
        // Of two who come at once the second has waited, and sees the first one's.
        let has = tx.row_opt("select webauthn_handle from users where id = $1", &[/* id */ &self.user.0]).await?;
        has.as_ref().map(|has| row::get(has, "webauthn_handle")).transpose()
    }
}
