//! Proving again who is signed in, before something that must not be done by who merely found an open browser.

use super::{Identity, ceremony::Asked};
use crate::web::{ApiRequest, SignedIn};
use crypto::{
    passkeys::{Assertion, Refused},
    passwords::Verdict,
};
use domain::{
    identity::{one_time::Kind as OneTime, password},
    shared::{Detail, Fault, Kind},
};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;
use storage::identity::{
    accounts::WithPassword,
    guesses::Forgive,
    passkeys::{self, COUNT_WENT_BACK, COUNTER_REGRESSION, Noted, RefusePasskey, Stale, Use},
    passwords,
    passwords::RefusePassword,
    sessions,
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
    /// The one of the two that is shown; 400 `validation` for neither, and for both: nobody guesses which of them was meant.
    pub(super) fn shown(self) -> Result<Shown, Fault> {
        let Self { password, challenge, credential } = self;
        let (code, message) = match (password, credential) {
            (Some(password), None) => return Ok(Shown::Password(password)),
            (None, Some(credential)) => return Ok(Shown::Passkey { challenge, credential }),
            (None, None) => ("blank", "or a passkey is required"),
            (Some(_), Some(_)) => ("present", "and a passkey are too much"),
        };
        let wrong = vec![Detail::new("password", code, message)];
        Err(Fault::bad_request("validation", "Send either the password or what a passkey answered").about(wrong))
    }

    /// The password of who has one; what else is shown proves nothing then. The passkey of who has none, whatever a form sends as password.
    fn password_or_passkey(self, has_password: bool) -> Option<Shown> {
        let Self { password, challenge, credential } = self;
        if has_password {
            return password.map(Shown::Password);
        }
        let passkey = credential.map(|credential| Shown::Passkey { challenge, credential });
        passkey.or(password.map(Shown::Password))
    }

    /// The same; 400 `passwordRequired` or `validation` when it is not shown.
    pub(super) fn required(self, has_password: bool) -> Result<Shown, Fault> {
        self.password_or_passkey(has_password).ok_or_else(|| {
            if has_password {
                let missing = vec![Detail::required("password")];
                Fault::bad_request("passwordRequired", "Send the password of the account").about(missing)
            } else {
                Fault::required("credential", "Send what a passkey answered to /api/me/password-reauth")
            }
        })
    }
}

/// Proves who is signed in by whatever is shown. The use of a passkey has to be noted in the transaction of what it was shown for.
pub(super) async fn again(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    stored: &WithPassword,
    shown: Shown,
    event: &'static str,
) -> Result<Option<Use>, Fault> {
    match shown {
        Shown::Password(password) => {
            password_again(identity, request, signed_in, stored, password, event).await?;
            Ok(None)
        }
        Shown::Passkey { challenge, credential } => {
            match passkey_again(identity, request, signed_in, challenge.as_deref(), &credential).await? {
                Ok(used) => Ok(Some(used)),
                Err(reason) => {
                    let event = if reason == COUNT_WENT_BACK { COUNTER_REGRESSION } else { event };
                    refuse(identity, request, signed_in, event, reason).await?;
                    Err(invalid_assertion())
                }
            }
        }
    }
}

/// What came of it; 403 `invalidAssertion` when the passkey that was shown changed in between. That its count went back is written down already.
pub(super) async fn unless_stale<T>(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    outcome: Noted<T>,
    event: &'static str,
) -> Result<T, Fault> {
    match outcome {
        Ok(done) => return Ok(done),
        Err(Stale::Gone) => refuse(identity, request, signed_in, event, "unknownPasskey").await?,
        Err(Stale::CountWentBack) => {}
    }
    Err(invalid_assertion())
}

async fn refuse(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    event: &'static str,
    reason: &'static str,
) -> Result<(), Fault> {
    let refused = RefusePasskey { user: signed_in.user, event, reason, source: identity.source(request) };
    Ok(identity.ctx.store.transact(&refused).await?)
}

fn invalid_assertion() -> Fault {
    Fault::new(Kind::Forbidden, "invalidAssertion", "The passkey was not accepted; ask for it again")
}

/// The passkey that is shown, if it is one of the account's, not one that came late in the session (see [`domain::identity::Passkey::proves_again`]), and
/// the answer is right; else why not.
async fn passkey_again(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    challenge: Option<&str>,
    credential: &Value,
) -> Result<Result<Use, &'static str>, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let question = identity.answered(OneTime::PasskeyProof, Asked::SignedIn(signed_in), credential, challenge).await?;
    let Some(answer) = Assertion::read(credential) else { return Ok(Err("invalidAssertion")) };
    let Some(question) = question else { return Ok(Err("challengeExpired")) };
    let connection = identity.ctx.store.connection("passkey.find").await?;
    let stored = passkeys::find(&connection, answer.credential_id()).await?;
    let auth_at = sessions::auth_at(&connection, signed_in.session).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    let own = stored.filter(|stored| stored.user == signed_in.user && answer.is_of(stored.user_handle.as_deref()) != Some(false));
    let Some(stored) = own else { return Ok(Err("unknownPasskey")) };
    if !stored.passkey.proves_again(auth_at) {
        return Ok(Err("newPasskey"));
    }
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
    request: &ApiRequest,
    signed_in: SignedIn,
    stored: &WithPassword,
    password: SecretString,
    event: &'static str,
) -> Result<(), Fault> {
    let key = identity.admit_again(request, signed_in.user).await?;
    let comparable = stored.password_hash.as_deref().filter(|_| !password::is_too_long(&password));
    let verdict = identity.or_take_back(key, identity.ctx.passwords.verify(password, comparable)).await?;
    if let Verdict::Right { .. } = verdict {
        if let Some(key) = key {
            identity.ctx.store.transact(&Forgive { key }).await?;
        }
        return Ok(());
    }
    identity.ctx.store.transact(&RefusePassword { user: signed_in.user, event, source: identity.source(request) }).await?;
    Err(Fault::new(Kind::Forbidden, "invalidPassword", "The password is wrong"))
}

/// Hashes a new password. 400 `passwordReused` when it is the one that the account has, or one of the last that it had before. That costs a
/// comparison with each, so it is limited for each account: 429.
pub(super) async fn hash_unused(identity: &Identity, stored: &WithPassword, new: SecretString) -> Result<String, Fault> {
    identity.ctx.limits.new_password(stored.account.id)?;
    let connection = identity.ctx.store.connection("password.former").await?;
    let former = passwords::former(&connection, stored.account.id).await?;
    // Given back before the hashing, which takes longer than anything the database does.
    drop(connection);
    for hash in stored.password_hash.iter().chain(&former) {
        if let Verdict::Right { .. } = identity.ctx.passwords.verify(new.clone(), Some(hash)).await? {
            return Err(Fault::bad_request("passwordReused", "You had this password before; take another one"));
        }
    }
    identity.ctx.passwords.hash(new).await
}
