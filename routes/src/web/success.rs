//! What a request of the identity service has done, as a message to the person.

use domain::shared::Language;

/// A success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Message {
    /// A new sign-in code was mailed.
    CodeSent,
    /// A link that confirms a new address was mailed.
    AddressLinkSent,
    /// A registration was accepted; its address has to be verified.
    VerificationLinkSent,
    /// Another verification link was requested.
    VerificationLinkSentIfUnverified,
    /// A reset link was requested.
    ResetLinkSentIfKnown,
    /// The account was deleted.
    AccountDeleted,
    /// A registration is complete.
    AccountReady,
    /// The mail address was changed.
    AddressChanged,
    /// A person has proved who they are.
    Proved,
    /// A passkey was removed.
    PasskeyRemoved,
    /// The password was changed by its owner.
    PasswordChanged,
    /// The password was changed with a reset link.
    PasswordReset,
    /// The password was removed.
    PasswordRemoved,
    /// The first password was set.
    PasswordSet,
    /// A session was ended.
    SessionEnded,
    /// Every other session was ended.
    OtherSessionsEnded,
    /// Everybody was logged out by an administrator.
    EverybodyLoggedOut,
    /// Everybody but the administrators was logged out by one.
    OthersThanAdministratorsLoggedOut,
    /// This session was ended.
    SignedOut,
}

impl Message {
    /// The message in a language.
    pub(crate) fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english(),
            Language::German => self.german(),
        }
    }

    fn english(self) -> &'static str {
        match self {
            Self::CodeSent => "A new code is on its way",
            Self::AddressLinkSent => "Follow the link that was mailed to the new address",
            Self::VerificationLinkSent => "Follow the link that was mailed to you, then sign in",
            Self::VerificationLinkSentIfUnverified => {
                "If there is an account with this address that is not verified, a link is on its way"
            }
            Self::ResetLinkSentIfKnown => "If there is an account with this address, a link to set a new password is on its way",
            Self::AccountDeleted => "The account is deleted",
            Self::AccountReady => "The account is ready; sign in",
            Self::AddressChanged => "The mail address is changed",
            Self::Proved => "You have proved who you are",
            Self::PasskeyRemoved => "The passkey is removed",
            Self::PasswordChanged => "The password is changed",
            Self::PasswordReset => "The password is changed; sign in with it",
            Self::PasswordRemoved => "The password is removed",
            Self::PasswordSet => "The password is set",
            Self::SessionEnded => "The session is ended",
            Self::OtherSessionsEnded => "You are signed out everywhere else",
            Self::EverybodyLoggedOut => "Everybody is logged out",
            Self::OthersThanAdministratorsLoggedOut => "Everybody but the administrators is logged out",
            Self::SignedOut => "signed out",
        }
    }

    fn german(self) -> &'static str {
        match self {
            Self::CodeSent => "Ein neuer Code ist unterwegs.",
            Self::AddressLinkSent => "Folgen Sie dem Link in der Mail an die neue Adresse.",
            Self::VerificationLinkSent => "Folgen Sie dem Link in der Mail an Sie, und melden Sie sich dann an.",
            Self::VerificationLinkSentIfUnverified => {
                "Wenn es zu dieser Adresse ein unbestätigtes Konto gibt, ist ein Link unterwegs."
            }
            Self::ResetLinkSentIfKnown => {
                "Wenn es zu dieser Adresse ein Konto gibt, ist ein Link für ein neues Passwort unterwegs."
            }
            Self::AccountDeleted => "Das Konto ist gelöscht.",
            Self::AccountReady => "Das Konto ist eingerichtet; melden Sie sich an.",
            Self::AddressChanged => "Die E-Mail-Adresse ist geändert.",
            Self::Proved => "Bestätigt: Sie sind es.",
            Self::PasskeyRemoved => "Der Passkey ist entfernt.",
            Self::PasswordChanged => "Das Passwort ist geändert.",
            Self::PasswordReset => "Das Passwort ist geändert; melden Sie sich damit an.",
            Self::PasswordRemoved => "Das Passwort ist entfernt.",
            Self::PasswordSet => "Das Passwort ist festgelegt.",
            Self::SessionEnded => "Die Sitzung ist beendet.",
            Self::OtherSessionsEnded => "Sie sind überall sonst abgemeldet.",
            Self::EverybodyLoggedOut => "Alle sind abgemeldet.",
            Self::OthersThanAdministratorsLoggedOut => "Alle, die nicht verwalten, sind abgemeldet.",
            Self::SignedOut => "Sie sind abgemeldet.",
        }
    }
}
