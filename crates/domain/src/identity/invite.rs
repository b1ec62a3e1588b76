//! Accepting an invitation.

use crate::{
    identity::{Account, one_time::State},
    shared::{Fault, Kind},
};

/// Whether an invitation that was found can be accepted for its account. 400 for one that was used or whose account has a password, 401 for one
/// that is over, 403 for a suspended account.
///
/// It is for who never signed in. An account that gave its password up and kept a passkey, or a second factor, is not open to whoever holds an old
/// link: a link would leave both out.
pub fn accept(link: State, account: &Account) -> Result<(), Fault> {
    if link == State::Used {
        return Err(accepted_before());
    }
    if account.has_password {
        return Err(Fault::bad_request("passwordAlreadySet", "This account has a password; sign in instead"));
    }
    if account.passkeys > 0 || account.has_totp {
        return Err(accepted_before());
    }
    if link == State::Over {
        return Err(unknown());
    }
    account.not_suspended()
}

/// 400: somebody has signed in to the account already.
fn accepted_before() -> Fault {
    Fault::bad_request("alreadyUsed", "This invitation was accepted before; sign in instead")
}

/// 401 for an invitation that is none.
pub fn unknown() -> Fault {
    Fault::new(Kind::Unauthorized, "invalidToken", "This invitation is not valid any more; ask for another one")
}

#[cfg(test)]
mod tests {
    use super::accept;
    use crate::identity::{Account, account::tests::account, one_time::State};
    use jiff::Timestamp;

    #[test]
    fn every_state_has_its_answer() {
        let invited = Account { has_password: false, email_verified: false, ..account() };
        let suspended = Account { suspended_at: Some(Timestamp::UNIX_EPOCH), ..invited.clone() };
        let said = |link, account: &Account| accept(link, account).map_err(|fault| fault.code);
        assert_eq!(said(State::Open, &invited), Ok(()));
        assert_eq!(said(State::Over, &invited), Err("invalidToken"));
        assert_eq!(said(State::Used, &invited), Err("alreadyUsed"));
        assert_eq!(said(State::Open, &suspended), Err("accountSuspended"));
        assert_eq!(said(State::Over, &suspended), Err("invalidToken"));
        for (link, code) in [(State::Open, "passwordAlreadySet"), (State::Over, "passwordAlreadySet"), (State::Used, "alreadyUsed")]
        {
            assert_eq!(said(link, &account()), Err(code), "burned with the others, or used");
        }
        for lived_in in [Account { passkeys: 1, ..invited.clone() }, Account { has_totp: true, ..invited }] {
            assert_eq!(said(State::Open, &lived_in), Err("alreadyUsed"), "no link leaves a passkey or a second factor out");
        }
    }
}
