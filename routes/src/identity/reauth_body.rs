//! The credential that re-authenticates a signed-in person, as a body carries it.

use super::Identity;
use crate::web::SignedIn;
use domain::shared::{Code, Detail, Fault, FieldCode, json::StrictBody};
use secrecy::SecretString;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use services::identity::reauth::Credential;

/// The members of a body that re-authenticate.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct ReauthBody {
    #[serde(default, deserialize_with = "super::auth::password")]
    pub(super) password: Option<SecretString>,
    pub(super) challenge: Option<String>,
    pub(super) credential: Option<Value>,
}

/// A body of which one of these members proves who the person is, and is checked later: without any of them,
/// and when the body cannot be read, the session needs a recent proof.
pub(super) async fn proved_by<T: DeserializeOwned + Send>(
    identity: &Identity,
    signed_in: &SignedIn,
    sent: Result<StrictBody<T>, Fault>,
    members: &[&str],
) -> Result<StrictBody<T>, Fault> {
    let is_there = |name: &&str| sent.as_ref().is_ok_and(|body| body.sent(name).is_some_and(|value| !value.is_null()));
    if !members.iter().any(is_there) {
        identity.sessions.check_proved(signed_in).await?;
    }
    sent
}

impl ReauthBody {
    /// The credential that was sent; 400 `validation` for none and for both, because it would be a guess
    /// which one is meant.
    pub(super) fn one(self) -> Result<Credential, Fault> {
        let Self { password, challenge, credential } = self;
        let (code, message) = match (password, credential) {
            (Some(password), None) => return Ok(Credential::Password(password)),
            (None, Some(credential)) => return Ok(Credential::Passkey { challenge, credential }),
            (None, None) => (FieldCode::Blank, "or a passkey is required"),
            (Some(_), Some(_)) => (FieldCode::Present, "and a passkey are too much"),
        };
        let wrong = vec![Detail::new("password", code, message)];
        Err(Fault::new(Code::Validation, "Send either the password or what a passkey answered").about(wrong))
    }

    /// The password of an account that has one; a passkey does not count then. The passkey of an account
    /// without a password, whatever a form sends as password.
    fn password_or_passkey(self, has_password: bool) -> Option<Credential> {
        let Self { password, challenge, credential } = self;
        if has_password {
            return password.map(Credential::Password);
        }
        let passkey = credential.map(|credential| Credential::Passkey { challenge, credential });
        passkey.or(password.map(Credential::Password))
    }

    /// As above; 400 `passwordRequired` or `validation` when it was not sent.
    pub(super) fn required(self, has_password: bool) -> Result<Credential, Fault> {
        self.password_or_passkey(has_password).ok_or_else(|| {
            if has_password {
                let missing = vec![Detail::required("password")];
                Fault::of(Code::PasswordRequired).about(missing)
            } else {
                Fault::required("credential", "Send what a passkey answered to /api/me/password-reauth")
            }
        })
    }
}
