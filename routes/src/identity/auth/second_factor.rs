//! A login between the password that was right and the second factor: asked for, guessed at, over.
//!
//! What the browser holds meanwhile is an opaque token, in the body and as a cookie. It names a pending login and nothing else: no endpoint takes
//! it for a session.

mod asking;
mod guessing;
mod pending;

pub(super) use asking::{Asked, ask};
pub(super) use guessing::guess;
pub(super) use pending::{cookie, find, payload};

use crate::identity::Identity;
use crypto::codes;
use domain::{identity::MailContent, shared::Fault};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use uuid::Uuid;

/// What is sent to finish a login.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct CodeBody {
    code: Option<String>,
    login_token: Option<String>,
}

impl CodeBody {
    /// The code and the token; 400 without a code.
    pub(super) fn read(self) -> Result<(String, Option<String>), Fault> {
        let code = self.code.ok_or_else(|| Fault::required("code", "Send the code"))?;
        Ok((code, self.login_token))
    }
}

/// A new code for a pending login: what is stored of it, and the letter.
pub(super) fn new_code(identity: &Identity, pending: Uuid) -> (String, MailContent) {
    let code = codes::login_code(identity.ctx.entropy.as_ref());
    let hash = mailed_hash(identity, pending, &code);
    (hash, MailContent::LoginCode { code: code.expose_secret().to_owned() })
}

/// What is stored of a mailed code.
pub(super) fn mailed_hash(identity: &Identity, pending: Uuid, code: &SecretString) -> String {
    codes::hash_text(&identity.ctx.secrets.codes, &format!("login {pending}"), code)
}
