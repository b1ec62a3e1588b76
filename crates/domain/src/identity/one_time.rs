//! One-time tokens: links, codes and challenges that can be used once. This module names their kinds and
//! lifetimes.

use super::oidc::lifetimes;
use jiff::Timestamp;
use std::time::Duration;
use strum::IntoStaticStr;

/// The purpose of a one-time token. A token of one kind is never accepted for another. Its name is in the
/// database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "camelCase")]
pub enum Kind {
    /// A mailed link that proves the address of an account.
    Verification,
    /// A mailed link that sets a new password.
    PasswordReset,
    /// A mailed link that makes the address that it was sent to the address of the account.
    AddressChange,
    /// A link that sets the first password of an account.
    Invite,
    /// A sign-in whose password was right and whose second factor is outstanding.
    PendingLogin,
    /// A code that replaces a lost authenticator app. It does not expire; a new set of codes replaces the old
    /// one.
    BackupCode,
    /// The WebAuthn challenge of a registration.
    PasskeyRegistration,
    /// The WebAuthn challenge of a sign-in. It belongs to no account yet.
    PasskeyLogin,
    /// The WebAuthn challenge of a re-authentication.
    PasskeyProof,
    /// An authorization code of the OpenID provider.
    AuthorizationCode,
    /// An authorization request that waits for a person.
    Interaction,
    /// An authorization request that a client has sent itself.
    PushedRequest,
}

impl Kind {
    /// How long a token of this kind can be used.
    pub fn lifetime(self) -> Duration {
        match self {
            Self::Verification | Self::AddressChange => Duration::from_hours(24),
            Self::PasswordReset => Duration::from_hours(1),
            Self::Invite => Duration::from_hours(7 * 24),
            Self::PendingLogin => Duration::from_mins(10),
            Self::BackupCode => Duration::from_hours(100 * 365 * 24),
            Self::PasskeyRegistration | Self::PasskeyLogin | Self::PasskeyProof => Duration::from_mins(5),
            Self::AuthorizationCode => lifetimes::CODE,
            Self::Interaction => lifetimes::INTERACTION,
            Self::PushedRequest => lifetimes::PUSHED_REQUEST,
        }
    }

    /// When a token expires that is issued now.
    pub fn expires_at(self, now: Timestamp) -> Timestamp {
        now.checked_add(self.lifetime()).unwrap_or(Timestamp::MAX)
    }
}

/// The state of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be used.
    Usable,
    Used,
    /// It expired or was revoked before it was used.
    Expired,
}

#[cfg(test)]
mod tests {
    use super::{Kind, lifetimes};
    use jiff::Timestamp;
    use std::time::Duration;

    const KINDS: [(Kind, &str, Duration); 12] = [
        (Kind::Verification, "verification", Duration::from_hours(24)),
        (Kind::PasswordReset, "passwordReset", Duration::from_hours(1)),
        (Kind::AddressChange, "addressChange", Duration::from_hours(24)),
        (Kind::Invite, "invite", Duration::from_hours(168)),
        (Kind::PendingLogin, "pendingLogin", Duration::from_mins(10)),
        (Kind::BackupCode, "backupCode", Duration::from_hours(876_000)),
        (Kind::PasskeyRegistration, "passkeyRegistration", Duration::from_mins(5)),
        (Kind::PasskeyLogin, "passkeyLogin", Duration::from_mins(5)),
        (Kind::PasskeyProof, "passkeyProof", Duration::from_mins(5)),
        (Kind::AuthorizationCode, "authorizationCode", lifetimes::CODE),
        (Kind::Interaction, "interaction", lifetimes::INTERACTION),
        (Kind::PushedRequest, "pushedRequest", lifetimes::PUSHED_REQUEST),
    ];

    #[test]
    fn each_kind_is_stored_under_its_name_and_lives_as_long_as_is_promised() {
        for (kind, name, lifetime) in KINDS {
            assert_eq!((kind.into_str(), kind.lifetime()), (name, lifetime));
            assert_eq!(kind.expires_at(Timestamp::UNIX_EPOCH), Timestamp::UNIX_EPOCH + lifetime);
            assert_eq!(kind.expires_at(Timestamp::MAX), Timestamp::MAX);
        }
    }
}
