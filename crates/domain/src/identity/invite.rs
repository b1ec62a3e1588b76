//! The rules of accepting an invitation.

use crate::{
    identity::{Account, one_time::State},
    shared::{Fault, Kind},
};

/// Whether an invitation can be accepted for its account. The errors are 400 for one that was used or whose account has a password, 401 for one
/// that expired, and 403 for a suspended account.
///
/// An invitation is for an account that has never signed in. An account that removed its password and kept a passkey or a second factor is not
/// opened by an old link, which would bypass both.
pub fn check_acceptable(link: State, account: &Account) -> Result<(), Fault> {
    if link == State::Used {
        return Err(already_used());
    }
    if account.has_password {
        return Err(Fault::bad_request("passwordAlreadySet", "This account has a password; sign in instead"));
    }
    if account.passkeys > 0 || account.has_totp {
        return Err(already_used());
    }
    if link == State::Expired {
        return Err(invalid_token());
    }
    account.check_not_suspended()
}

/// 409 unless a link of an administrator can be used by the owner of the account.
pub fn check_receivable(account: &Account) -> Result<(), Fault> {
    match account.suspended_at {
        None => Ok(()),
        Some(_) => Err(Fault::conflict("accountSuspended", "This account is suspended; end the suspension first")),
    }
}

/// 409 unless the account waits for its first sign-in, so that an invitation can be accepted for it.
pub fn check_invitable(account: &Account) -> Result<(), Fault> {
    if account.has_password || account.passkeys > 0 || account.has_totp {
        return Err(Fault::conflict("invitationAccepted", "This person signs in already; make a link for a new password instead"));
    }
    Ok(())
}

/// 400 for an account that has signed in before.
fn already_used() -> Fault {
    Fault::bad_request("alreadyUsed", "This invitation was accepted before; sign in instead")
}

/// 401 for an invitation that does not exist or expired.
pub fn invalid_token() -> Fault {
    Fault::new(Kind::Unauthorized, "invalidToken", "This invitation is not valid any more; ask for another one")
}

#[cfg(test)]
mod tests {
    use super::{check_acceptable, check_invitable, check_receivable};
    use crate::identity::{Account, account::tests::account, one_time::State};
    use jiff::Timestamp;

    #[test]
    fn who_waits_for_the_first_sign_in_can_be_invited_again_and_who_is_suspended_gets_no_link() {
        let invited = Account { has_password: false, email_verified: false, ..account() };
        assert!(check_invitable(&invited).is_ok() && check_receivable(&invited).is_ok() && check_receivable(&account()).is_ok());
        let passkey = Account { passkeys: 1, ..invited.clone() };
        for active in [account(), passkey, Account { has_totp: true, ..invited.clone() }] {
            assert_eq!(check_invitable(&active).unwrap_err().code, "invitationAccepted");
        }
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..invited };
        assert_eq!(check_receivable(&suspended).unwrap_err().code, "accountSuspended");
    }

    #[test]
    fn every_state_has_its_error_code() {
        let invited = Account { has_password: false, email_verified: false, ..account() };
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..invited.clone() };
        let code = |link, account: &Account| check_acceptable(link, account).map_err(|fault| fault.code);
        assert_eq!(code(State::Usable, &invited), Ok(()));
        assert_eq!(code(State::Expired, &invited), Err("invalidToken"));
        assert_eq!(code(State::Used, &invited), Err("alreadyUsed"));
        assert_eq!(code(State::Usable, &suspended), Err("accountSuspended"));
        assert_eq!(code(State::Expired, &suspended), Err("invalidToken"));
        for (link, expected) in
            [(State::Usable, "passwordAlreadySet"), (State::Expired, "passwordAlreadySet"), (State::Used, "alreadyUsed")]
        {
            assert_eq!(code(link, &account()), Err(expected), "expired with the others, or used");
        }
        for used_account in [Account { passkeys: 1, ..invited.clone() }, Account { has_totp: true, ..invited }] {
            assert_eq!(code(State::Usable, &used_account), Err("alreadyUsed"), "no link bypasses a passkey or a second factor");
        }
    }
}
