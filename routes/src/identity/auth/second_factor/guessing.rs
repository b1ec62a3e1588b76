//! A guess at the second factor: paid for, looked at, right or wrong.

use super::pending::{self, Found};
use crate::{
    identity::{
        Identity,
        guarding::Admitted,
        signing_in::{Notice, Opening, Proved},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    identity::{
        Proof,
        mail::NoticeKind,
        one_time::Kind as OneTime,
        second_factor::{Method, Pending, challenge_expired},
    },
    shared::{Detail, Fault, Kind},
};
use serde::Serialize;
use services::identity::counters::LoginResult;
use std::future::Future;
use storage::identity::{
    one_time,
    second_factor::{Finish, Finished, Guess, RightCode},
};

/// A guess that was paid for: one of the few of its pending login, and one of the account's.
pub(in crate::identity::auth) struct Guessed {
    /// The pending login.
    pub(in crate::identity::auth) found: Found,
    left: i32,
    admitted: Admitted,
}

/// Pays for a guess, before anybody looks at it. 429 when too many were wrong, whoever made them.
pub(in crate::identity::auth) async fn guess(identity: &Identity, request: &ApiRequest, found: Found) -> Result<Guessed, Fault> {
    let admitted = match found.pending.method {
        Method::Totp => identity.admit_code(request, found.user).await?,
        Method::Email => identity.admit_mailed_code(request, found.user).await?,
    };
    identity.or_take_back(admitted.key, attempt(identity, found, admitted)).await
}

async fn attempt(identity: &Identity, found: Found, admitted: Admitted) -> Result<Guessed, Fault> {
    let at = identity.ctx.clock.now();
    let Some(row) = identity.ctx.store.transact(&Guess { hash: found.hash, at }).await? else {
        // Others guessed in between.
        let connection = identity.ctx.store.connection("one_time.find").await?;
        let seen = one_time::find(&connection, OneTime::PendingLogin, &found.hash).await?;
        return Err(pending::still_open(seen, at).err().unwrap_or_else(challenge_expired));
    };
    let left = row.attempts_left.unwrap_or_default();
    // Read again: another code may have been mailed in between.
    let pending = pending::read(&row)?;
    Ok(Guessed { found: Found { row, pending, ..found }, left, admitted })
}

impl Guessed {
    /// Looks at the code. A failure is none of the guess.
    pub(in crate::identity::auth) async fn look<T>(
        &self,
        identity: &Identity,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        identity.or_take_back(self.admitted.key, work).await
    }

    /// 401: the code is wrong, or was used before.
    pub(in crate::identity::auth) async fn wrong(
        self,
        identity: &Identity,
        request: &ApiRequest,
        method: &'static str,
    ) -> Result<ApiResponse, Fault> {
        identity.ctx.limits.login_failed_from(request.meta.ip);
        identity.ctx.counters.login(method, LoginResult::Failure);
        identity.refuse_sign_in(request, Some(self.found.user), "invalidCode", None).await?;
        let left = Detail::new("code", "attemptsLeft", self.left.to_string());
        Err(Fault::new(Kind::Unauthorized, "invalidCode", "The code is wrong, or was used before").about(vec![left]))
    }

    /// A session, if the code was not used before and the account is still the same.
    pub(in crate::identity::auth) async fn right(
        self,
        identity: &Identity,
        request: &ApiRequest,
        code: RightCode,
        method: &'static str,
    ) -> Result<ApiResponse, Fault> {
        let Pending { remember, token_version, told, .. } = self.found.pending;
        let (proof, notice) = match code {
            RightCode::Mailed => (Proof::PasswordAndMailedCode, Notice::IfStrange),
            RightCode::Totp { .. } if told => (Proof::PasswordAndCode, Notice::Never),
            RightCode::Totp { .. } => (Proof::PasswordAndCode, Notice::IfStrange),
            RightCode::Backup(_) => (Proof::PasswordAndCode, Notice::Of(NoticeKind::BackupCodeSignIn)),
        };
        let proved = Proved {
            remember,
            // What is strange was noted when the password was right.
            seen: Some((self.admitted.seen, Vec::new())),
            notice,
            forgiven: self.admitted.key,
            ..Proved::of(self.found.user, token_version, proof)
        };
        let finished = async {
            let opening = Opening::of(identity, request, proved).await?;
            let finished =
                identity.ctx.store.transact(&Finish { pending: self.found.row.id, code, sign_in: &opening.work }).await?;
            Ok((finished, opening))
        };
        // Too large for whoever awaits it to carry.
        let (finished, opening) = Box::pin(self.look(identity, finished)).await?;
        match finished {
            Finished::SignedIn { account, backup_codes_left } => {
                identity.ctx.counters.login(method, LoginResult::Success);
                let opened = opening.done(identity, *account)?;
                match backup_codes_left {
                    Some(backup_codes_remaining) => opened.answer_with(identity, Left { backup_codes_remaining }),
                    None => opened.answer(identity),
                }
            }
            Finished::WrongCode => self.wrong(identity, request, method).await,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Left {
    backup_codes_remaining: i64,
}
