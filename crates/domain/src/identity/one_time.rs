//! Things that can be used once: what kinds there are, and how long each lives (facts, section 3.6).

use jiff::Timestamp;
use std::time::Duration;

/// A kind of thing that can be used once. Those of one kind can only be used as that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A mailed link that proves an address.
    Verification,
    /// A mailed link to set a new password.
    PasswordReset,
    /// A mailed link that puts the address that it was mailed to in the place of the account's.
    AddressChange,
    /// A link for an account that has no password yet, to set the first one.
    Invite,
    /// A login whose password was right and whose second factor was not shown yet.
    PendingLogin,
    /// A code for the day when the authenticator app is lost. There is no end to its time: it ends with its set.
    BackupCode,
    /// What an authenticator signs to become a passkey.
    PasskeyRegistration,
    /// What a passkey signs to sign in. Nobody knows yet whose.
    PasskeyLogin,
    /// What a passkey signs so that who is signed in is proved again.
    PasskeyProof,
}

impl Kind {
    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verification => "verification",
            Self::PasswordReset => "passwordReset",
            Self::AddressChange => "addressChange",
            Self::Invite => "invite",
            Self::PendingLogin => "pendingLogin",
            Self::BackupCode => "backupCode",
            Self::PasskeyRegistration => "passkeyRegistration",
            Self::PasskeyLogin => "passkeyLogin",
            Self::PasskeyProof => "passkeyProof",
        }
    }

    /// How long it can be used.
    pub fn lives_for(self) -> Duration {
        match self {
            Self::Verification | Self::AddressChange => Duration::from_hours(24),
            Self::PasswordReset => Duration::from_hours(1),
            Self::Invite => Duration::from_hours(7 * 24),
            Self::PendingLogin => Duration::from_mins(10),
            Self::BackupCode => Duration::from_hours(100 * 365 * 24),
            Self::PasskeyRegistration | Self::PasskeyLogin | Self::PasskeyProof => Duration::from_mins(5),
        }
    }

    /// Until when one can be used whose time begins now.
    pub fn expires_at(self, now: Timestamp) -> Timestamp {
        now.checked_add(self.lives_for()).unwrap_or(Timestamp::MAX)
    }
}

/// What became of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be used.
    Open,
    /// It was used.
    Used,
    /// Its time is over, or it was ended before anybody used it.
    Over,
}
