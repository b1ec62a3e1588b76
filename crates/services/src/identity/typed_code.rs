//! Matching a code that a person typed with what an account has.

use super::{IdentityContext, second_factor::RightCode};
use crypto::{codes, totp::Authenticator};
use domain::{
    identity::TypedCode,
    shared::{Fault, UserId},
};
use secrecy::{ExposeSecret, SecretString};
use storage::identity::{one_time::Hash, totp};

impl IdentityContext {
    /// What a code of the app or a backup code can be consumed as, by the sealed secret of the app, if there
    /// is one. `None` when it is no code, or not one of this moment. Whether it was used before, and whether
    /// a backup code is one at all, shows only when it is consumed.
    pub(super) fn match_code(&self, user: UserId, sealed: Option<&[u8]>, code: &str) -> Result<Option<RightCode>, Fault> {
        match (TypedCode::parse(code), sealed) {
            (Some(TypedCode::Backup(code)), _) => Ok(Some(RightCode::Backup(self.backup_hash(user, &code)))),
            (Some(TypedCode::Digits(code)), Some(sealed)) => {
                let step = self.step_of(user, sealed, &code)?;
                Ok(step.map(|step| RightCode::Totp { sealed: sealed.to_vec(), step }))
            }
            _ => Ok(None),
        }
    }

    /// The sealed secret of an account's authenticator app, if it has one.
    pub(super) async fn totp_secret(&self, user: UserId) -> Result<Option<Vec<u8>>, Fault> {
        let connection = self.store.connection("totp.find").await?;
        Ok(totp::find(&connection, user, self.clock.now()).await?.secret)
    }

    /// The time step of a code by a sealed secret; `None` when the code is not one of this moment.
    pub(super) fn step_of(&self, user: UserId, sealed: &[u8], code: &SecretString) -> Result<Option<i64>, Fault> {
        let authenticator = Authenticator::new(&self.secrets.open(user, sealed)?)?;
        Ok(authenticator.step_of(code.expose_secret(), self.clock.now().as_second()))
    }

    /// The hash of a backup code that is stored; the code is in canonical form.
    pub(super) fn backup_hash(&self, user: UserId, code: &SecretString) -> Hash {
        codes::hash(&self.secrets.codes, &format!("backup {user}"), code)
    }
}
