//! The rules of accepting an invitation.

use crate::{
    identity::{Account, one_time::State},
    shared::{Code, Fault},
};

/// Why an invitation cannot be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unacceptable {
    /// There is none, or it expired: 401 `invalidToken`.
    Stale,
    /// It was accepted before, or its account has signed in otherwise: 400 `alreadyUsed`.
    AlreadyUsed,
    /// Its account has a password: 400 `passwordAlreadySet`.
    PasswordSet,
    /// Its account is suspended: 403 `accountSuspended`.
    Suspended,
}

impl From<Unacceptable> for Fault {
    fn from(reason: Unacceptable) -> Self {
        Self::of(match reason {
            Unacceptable::Stale => Code::StaleInvitation,
            Unacceptable::AlreadyUsed => Code::AlreadyUsed,
            Unacceptable::PasswordSet => Code::PasswordAlreadySet,
            Unacceptable::Suspended => Code::AccountSuspended,
        })
    }
}

/// Whether an invitation can be accepted for its account.
///
/// An invitation is for an account that has never signed in. An account that removed its password and kept a
/// passkey or a second factor is not opened by an old link, which would bypass both.
pub fn check_acceptable(link: State, account: &Account) -> Result<(), Unacceptable> {
    if link == State::Used {
        return Err(Unacceptable::AlreadyUsed);
    }
    if account.has_password {
        return Err(Unacceptable::PasswordSet);
    }
    if account.passkeys > 0 || account.has_totp {
        return Err(Unacceptable::AlreadyUsed);
    }
    if link == State::Expired {
        return Err(Unacceptable::Stale);
    }
    if account.suspended_at.is_some() { Err(Unacceptable::Suspended) } else { Ok(()) }
}

/// 409 unless a link of an administrator can be used by the owner of the account.
pub fn check_receivable(account: &Account) -> Result<(), Fault> {
    match account.suspended_at {
        None => Ok(()),
        Some(_) => Err(Fault::of(Code::InviteeSuspended)),
    }
}

/// 409 unless the account waits for its first sign-in, so that an invitation can be accepted for it.
pub fn check_invitable(account: &Account) -> Result<(), Fault> {
    if account.has_password || account.passkeys > 0 || account.has_totp {
        return Err(Fault::of(Code::InvitationAccepted));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Unacceptable, check_acceptable, check_invitable, check_receivable};
    use crate::identity::{Account, account::tests::account, one_time::State};
    use jiff::Timestamp;

    #[test]
    fn who_waits_for_the_first_sign_in_can_be_invited_again_and_who_is_suspended_gets_no_link() {
        let invited = Account { has_password: false, email_verified: false, ..account() };
        assert!(check_invitable(&invited).is_ok() && check_receivable(&invited).is_ok() && check_receivable(&account()).is_ok());
        let passkey = Account { passkeys: 1, ..invited.clone() };
        for active in [account(), passkey, Account { has_totp: true, ..invited.clone() }] {
            assert_eq!(check_invitable(&active).unwrap_err().code.name(), "invitationAccepted");
        }
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..invited };
        assert_eq!(check_receivable(&suspended).unwrap_err().code.name(), "accountSuspended");
    }

    #[test]
    fn every_state_has_its_reason() {
        let invited = Account { has_password: false, email_verified: false, ..account() };
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..invited.clone() };
        assert_eq!(check_acceptable(State::Usable, &invited), Ok(()));
        assert_eq!(check_acceptable(State::Expired, &invited), Err(Unacceptable::Stale));
        assert_eq!(check_acceptable(State::Used, &invited), Err(Unacceptable::AlreadyUsed));
        assert_eq!(check_acceptable(State::Usable, &suspended), Err(Unacceptable::Suspended));
        assert_eq!(check_acceptable(State::Expired, &suspended), Err(Unacceptable::Stale));
        for (link, expected) in [
            (State::Usable, Unacceptable::PasswordSet),
            (State::Expired, Unacceptable::PasswordSet),
            (State::Used, Unacceptable::AlreadyUsed),
        ] {
            assert_eq!(check_acceptable(link, &account()), Err(expected), "expired with the others, or used");
        }
        for used_account in [Account { passkeys: 1, ..invited.clone() }, Account { has_totp: true, ..invited }] {
            assert_eq!(
                check_acceptable(State::Usable, &used_account),
                Err(Unacceptable::AlreadyUsed),
                "no link bypasses a passkey or a second factor"
            );
        }
    }
}
