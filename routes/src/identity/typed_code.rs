//! A code that somebody typed, looked at.

use super::Identity;
use crypto::{codes, totp::Authenticator};
use domain::{
    identity::TypedCode,
    shared::{Fault, UserId},
};
use secrecy::{ExposeSecret, SecretString};
use storage::identity::{one_time::Hash, second_factor::RightCode, totp};

impl Identity {
    /// What an account's authenticator code or backup code can be used up as. `None` when it is no code, or not one of now. Whether it was used
    /// before shows only when it is used; and so does whether a backup code is one at all.
    pub(super) async fn typed(&self, user: UserId, code: &str) -> Result<Option<RightCode>, Fault> {
        match TypedCode::parse(code) {
            None => Ok(None),
            Some(TypedCode::Backup(code)) => Ok(Some(RightCode::Backup(self.backup_hash(user, &code)))),
            Some(TypedCode::Digits(code)) => {
                let connection = self.ctx.store.connection("totp.find").await?;
                let Some(sealed) = totp::find(&connection, user, self.ctx.clock.now()).await?.secret else { return Ok(None) };
                drop(connection);
                Ok(self.step_of(user, &sealed, &code)?.map(|step| RightCode::Totp { sealed, step }))
            }
        }
    }

    /// Whether an account has an authenticator app.
    pub(super) async fn has_totp(&self, user: UserId) -> Result<bool, Fault> {
        let connection = self.ctx.store.connection("totp.find").await?;
        Ok(totp::find(&connection, user, self.ctx.clock.now()).await?.secret.is_some())
    }

    /// The step of a code by a sealed secret.
    pub(super) fn step_of(&self, user: UserId, sealed: &[u8], code: &SecretString) -> Result<Option<i64>, Fault> {
        let authenticator = Authenticator::new(&self.ctx.secrets.open(user, sealed)?)?;
        Ok(authenticator.step_of(code.expose_secret(), self.ctx.clock.now().as_second()))
    }

    /// What is stored of a backup code in canonical form.
    pub(super) fn backup_hash(&self, user: UserId, code: &SecretString) -> Hash {
        codes::hash(&self.ctx.secrets.codes, &format!("backup {user}"), code)
    }
}
