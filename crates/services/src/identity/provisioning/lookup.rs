//! Finding the account of a person of another system.

use crate::identity::IdentityContext;
use domain::{
    identity::{Account, Email},
    shared::{Code, Fault},
};
use storage::identity::accounts;

/// The account with a subject of another system or, where none was sent, with an address. 400 when neither
/// was sent; 404 without such an account.
pub async fn lookup(ctx: &IdentityContext, legacy_sub: Option<&str>, email: Option<&str>) -> Result<Account, Fault> {
    let connection = ctx.store.connection("account.find").await?;
    let found = match (legacy_sub, email) {
        (Some(legacy_sub), _) => accounts::find_by_legacy_sub(&connection, legacy_sub).await?,
        (None, Some(email)) => match Email::parse(email) {
            Some(email) => accounts::find_by_email(&connection, &email).await?.map(|found| found.account),
            None => None,
        },
        (None, None) => return Err(Fault::new(Code::Validation, "Send legacySub or email")),
    };
    found.ok_or_else(Fault::not_found)
}
