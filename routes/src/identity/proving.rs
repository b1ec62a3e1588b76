//! Proving again who is signed in, before something that must not be done by who merely found an open browser.

use super::Identity;
use crate::web::{Call, SignedIn};
use crypto::{
    passkeys::{Assertion, Refused},
    passwords::Verdict,
};
use domain::{
    identity::{one_time::Kind as OneTime, password},
    shared::{Fault, Kind},
};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;
use storage::identity::{
    accounts::WithPassword,
    guesses::Forgive,
    passkeys::{self, RefusePasskey, Use},
    passwords,
    passwords::RefusePassword,
};

/// What is sent by who is to be proved again.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct ProofBody {
    #[serde(default, deserialize_with = "super::auth::password")]
    password: Option<SecretString>,
    challenge: Option<String>,
    credential: Option<Value>,
}

/// What is shown.
pub(super) enum Shown {
    /// A password.
    Password(SecretString),
    /// What a browser answered to the question of `POST /api/me/password-reauth`.
    Passkey {
        /// The question, if it is named beside the answer.
        challenge: Option<String>,
        /// The answer.
        credential: Value,
    },
}

impl ProofBody {
    /// One of the two, if anything is shown.
    pub(super) fn shown(self) -> Option<Shown> {
        let Self { password, challenge, credential } = self;
        let passkey = credential.map(|credential| Shown::Passkey { challenge, credential });
        password.map(Shown::Password).or(passkey)
    }

    /// The password of who has one; what else is shown proves nothing then. The passkey of who has none, whatever a form sends as password.
    pub(super) fn password_or_passkey(self, has_password: bool) -> Option<Shown> {
        let Self { password, challenge, credential } = self;
        if has_password {
            return password.map(Shown::Password);
        }
        let passkey = credential.map(|credential| Shown::Passkey { challenge, credential });
        passkey.or(password.map(Shown::Password))
    }
}

/// Proves who is signed in by whatever is shown. The use of a passkey has to be noted in the transaction of what it was shown for.
pub(super) async fn again(
    identity: &Identity,
    call: &Call,
    signed_in: SignedIn,
    stored: &WithPassword,
    shown: Shown,
    event: &'static str,
) -> Result<Option<Use>, Fault> {
    match shown {
        Shown::Password(password) => {
            password_again(identity, call, signed_in, stored, password, event).await?;
            Ok(None)
        }
        Shown::Passkey { challenge, credential } => {
            let used = passkey_again(identity, call, signed_in, challenge.as_deref(), &credential).await?;
            match used {
                Ok(used) => Ok(Some(used)),
                Err(reason) => {
                    let event = if reason == COUNT_WENT_BACK { "webauthn.counter_regression" } else { event };
                    let refused = RefusePasskey { user: signed_in.user, event, reason, source: identity.source(call) };
                    identity.store.run(&refused).await?;
                    Err(Fault::new(Kind::Forbidden, "invalidAssertion", "The passkey was not accepted; ask for it again"))
                }
            }
        }
    }
}

/// Two authenticators may have the same key.
const COUNT_WENT_BACK: &str = "countWentBack";

/// The passkey that is shown, if it is one of the account's and the answer is right; else why not.
async fn passkey_again(
    identity: &Identity,
    call: &Call,
    signed_in: SignedIn,
    challenge: Option<&str>,
    credential: &Value,
) -> Result<Result<Use, &'static str>, Fault> {
    identity.limits.passkey_from(call.arrival.ip)?;
    let Some(answer) = Assertion::read(credential) else { return Ok(Err("invalidAssertion")) };
    let question = identity.answered(OneTime::PasskeyProof, Some(signed_in), answer.challenge(), challenge).await?;
    let Some(question) = question else { return Ok(Err("challengeExpired")) };
    let connection = identity.store.read("passkey.find").await?;
    let stored = passkeys::find(&connection, answer.credential_id()).await?;
    drop(connection);
    let own = stored.filter(|it| it.user == signed_in.user && answer.is_of(it.user) != Some(false));
    let Some(stored) = own else { return Ok(Err("unknownPasskey")) };
    Ok(identity.check(&question, &answer, &stored).map_err(|refused| match refused {
        Refused::CountWentBack => COUNT_WENT_BACK,
        Refused::Wrong(why) => {
            tracing::debug!(why, "passkey refused");
            "invalidAssertion"
        }
    }))
}

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
