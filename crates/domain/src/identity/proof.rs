//! How a person was proved.

/// What a session stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A password; or a link that was mailed, through which the first password was set.
    Password,
    /// A password, and a code that was mailed.
    PasswordAndMailedCode,
    /// A password, and a code of an authenticator app or one that was kept for the day it is needed.
    PasswordAndCode,
    /// A passkey, of which the authenticator asked its owner for a gesture. It is both factors in one.
    Passkey {
        /// Whether it is on several devices of the person.
        synced: bool,
    },
}

impl Proof {
    /// Its methods as RFC 8176 names them.
    pub fn methods(self) -> &'static [&'static str] {
        match self {
            Self::Password => &["pwd"],
            Self::PasswordAndMailedCode | Self::PasswordAndCode => &["pwd", "otp", "mfa"],
            Self::Passkey { synced: false } => &["hwk", "user", "mfa"],
            Self::Passkey { synced: true } => &["swk", "user", "mfa"],
        }
    }

    /// Whether it is enough for an account with an authenticator app.
    pub fn passes_totp(self) -> bool {
        match self {
            Self::Password | Self::PasswordAndMailedCode => false,
            Self::PasswordAndCode | Self::Passkey { .. } => true,
        }
    }
}
