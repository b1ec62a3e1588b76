//! How a person authenticated.

/// What a session stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// A password; or the link of an invitation, by which the first password was set.
    Password,
    /// A password, and a code that was mailed.
    PasswordAndMailedCode,
    /// A password, and a code of an authenticator app or a backup code.
    PasswordAndCode,
    /// A passkey, whose authenticator asked its owner for a gesture. It is both factors in one.
    Passkey {
        /// Whether it is on several devices of the person.
        synced: bool,
    },
}

impl AuthMethod {
    /// The names of its methods (RFC 8176).
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

#[cfg(test)]
mod tests {
    use super::AuthMethod;

    #[test]
    fn each_method_says_how_the_person_was_recognised() {
        for (method, names, passes) in [
            (AuthMethod::Password, &["pwd"][..], false),
            (AuthMethod::PasswordAndMailedCode, &["pwd", "otp", "mfa"], false),
            (AuthMethod::PasswordAndCode, &["pwd", "otp", "mfa"], true),
            (AuthMethod::Passkey { synced: false }, &["hwk", "user", "mfa"], true),
            (AuthMethod::Passkey { synced: true }, &["swk", "user", "mfa"], true),
        ] {
            assert_eq!((method.methods(), method.passes_totp()), (names, passes), "{method:?}");
        }
    }
}
