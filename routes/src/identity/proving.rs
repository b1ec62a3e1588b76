//! Proving again who is signed in, before something that must not be done by who merely found an open browser.

use super::Identity;
use crate::web::{Call, SignedIn};
use crypto::passwords::Verdict;
use domain::{
    identity::password,
    shared::{Fault, Kind},
};
use secrecy::SecretString;
use storage::identity::{accounts::WithPassword, guesses::Forgive, passwords, passwords::RefusePassword};

/// 403 `invalidPassword` unless it is the password of who is signed in; failures are counted as those at login are, so that nobody can try on and
/// on. Not 401: the session is as good as before.
pub(super) async fn password_again(
    identity: &Identity,
    call: &Call,
    signed_in: SignedIn,
    stored: &WithPassword,
    password: SecretString,
    event: &'static str,
) -> Result<(), Fault> {
    let key = identity.admit_again(call, signed_in.user).await?;
    let comparable = stored.password_hash.as_deref().filter(|_| !password::is_too_long(&password));
    let verdict = identity.or_take_back(key, identity.passwords.verify(password, comparable)).await?;
    if let Verdict::Right { .. } = verdict {
        if let Some(key) = key {
            identity.store.run(&Forgive { key }).await?;
        }
        return Ok(());
    }
    identity.store.run(&RefusePassword { user: signed_in.user, event, source: identity.source(call) }).await?;
    Err(Fault::new(Kind::Forbidden, "invalidPassword", "The password is wrong"))
}

/// Hashes a new password. 400 `passwordReused` when it is the one that the account has, or one of the last that it had before. That costs a
/// comparison with each, so it is limited for each account: 429.
pub(super) async fn hash_unused(identity: &Identity, stored: &WithPassword, new: SecretString) -> Result<String, Fault> {
    identity.limits.new_password(stored.account.id)?;
    let connection = identity.store.read("password.former").await?;
    let former = passwords::former(&connection, stored.account.id).await?;
    // Given back before the hashing, which takes longer than anything the database does.
    drop(connection);
    for hash in stored.password_hash.iter().chain(&former) {
        if let Verdict::Right { .. } = identity.passwords.verify(new.clone(), Some(hash)).await? {
            return Err(Fault::bad_request("passwordReused", "You had this password before; take another one"));
        }
    }
    identity.passwords.hash(new).await
}
