//! Letters: the five mails that people get, as values. What they say in words is decided when they are sent.
//!
//! What a letter holds is secret: who reads its link or its code is its reader. So it is stored sealed, as an [`Envelope`], and its
//! `Debug` names only the template.

mod pattern;
mod sender;
mod stationery;
mod words;

pub use sender::Sender;
pub use stationery::{Override, Part, Rendered, Source, Stationery};

use crate::{
    identity::{Account, Email},
    shared::{Fault, MailId, UserId},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::{fmt, net::IpAddr, str::FromStr};

/// Which of the five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Template {
    /// Proves the address of a new account, or another one of an account; its link works for a day.
    Verification,
    /// Lets somebody into an account that an administrator made; its link works for seven days.
    Invite,
    /// Sets a new password; its link works for an hour.
    PasswordReset,
    /// The second step of a sign-in; its code works for ten minutes.
    LoginCode,
    /// Tells of a sign-in from a device that was not known, and of what else an owner should hear of at once.
    NewLogin,
}

/// What a letter of [`Template::NewLogin`] tells of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Occasion {
    /// A sign-in that is strange.
    #[default]
    SignIn,
    /// A sign-in with a backup code. Few are ever used, so the owner is told each time.
    BackupCodeSignIn,
    /// A backup code took the authenticator app away.
    BackupCode,
    /// Somebody has asked for another address.
    AddressChange,
}

impl Occasion {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::SignIn, Self::BackupCodeSignIn, Self::BackupCode, Self::AddressChange];
}

impl Template {
    /// All five.
    pub const ALL: [Self; 5] = [Self::Verification, Self::Invite, Self::PasswordReset, Self::LoginCode, Self::NewLogin];

    /// The name on the wire, in rows and in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verification => "verification",
            Self::Invite => "invite",
            Self::PasswordReset => "passwordReset",
            Self::LoginCode => "loginCode",
            Self::NewLogin => "newLogin",
        }
    }
}

impl FromStr for Template {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|value| value.name() == name).ok_or(())
    }
}

/// What a letter is about.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "template", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Letter {
    /// See [`Template::Verification`].
    Verification {
        /// Whole, with its token.
        link: String,
    },
    /// See [`Template::Invite`].
    Invite {
        /// Whole, with its token.
        link: String,
    },
    /// See [`Template::PasswordReset`].
    PasswordReset {
        /// Whole, with its token.
        link: String,
    },
    /// See [`Template::LoginCode`].
    LoginCode {
        /// Six digits.
        code: String,
    },
    /// See [`Template::NewLogin`].
    NewLogin {
        /// What happened.
        #[serde(default)]
        occasion: Occasion,
        /// When.
        at: Timestamp,
        /// From where.
        ip: Option<IpAddr>,
        /// Browser and system, in a few words of ours.
        device: String,
        /// To the list of sessions.
        sessions_link: String,
        /// To where a new password is asked for.
        reset_link: String,
    },
}

impl Letter {
    /// Which of the five it is.
    pub fn template(&self) -> Template {
        match self {
            Self::Verification { .. } => Template::Verification,
            Self::Invite { .. } => Template::Invite,
            Self::PasswordReset { .. } => Template::PasswordReset,
            Self::LoginCode { .. } => Template::LoginCode,
            Self::NewLogin { .. } => Template::NewLogin,
        }
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Letter({})", self.template().name())
    }
}

/// To whom a letter goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addressee {
    /// Whose account it is about. The mail is gone with the account.
    pub user: UserId,
    /// Where it goes.
    pub email: Email,
    /// What the person is called.
    pub name: String,
    /// The language the person is spoken to in.
    pub locale: String,
}

impl From<&Account> for Addressee {
    fn from(account: &Account) -> Self {
        Self { user: account.id, email: account.email.clone(), name: account.display_name(), locale: account.locale.clone() }
    }
}

/// All that a mail says about a person. It is stored sealed until it is sent, and not at all after that.
#[derive(Clone, PartialEq, Eq)]
pub struct Envelope {
    /// Where it goes.
    pub to: Email,
    /// What the person is called.
    pub name: String,
    /// What it says.
    pub letter: Letter,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    to: String,
    name: String,
    letter: Letter,
}

impl Envelope {
    /// What the envelope of a mail is sealed for: one cannot be put in the place of another.
    pub fn sealed_for(mail: MailId) -> String {
        format!("mail {mail}")
    }

    /// What is sealed.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let stored = Stored { to: self.to.as_str().to_owned(), name: self.name.clone(), letter: self.letter.clone() };
        serde_json::to_vec(&stored).map_err(|error| Fault::internal(format!("a letter cannot be written: {error}")))
    }

    /// What was sealed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        // The cause names the place, not the text.
        let stored: Stored = serde_json::from_slice(bytes)
            .map_err(|error| Fault::internal(format!("a letter cannot be read, column {}", error.column())))?;
        let to = Email::parse(&stored.to).ok_or_else(|| Fault::internal("a letter goes to no address"))?;
        Ok(Self { to, name: stored.name, letter: stored.letter })
    }
}

#[cfg(test)]
mod tests {
    use super::{Envelope, Letter, Occasion, Template};
    use crate::identity::Email;
    use jiff::Timestamp;

    #[test]
    fn templates_are_found_by_their_names() {
        for template in Template::ALL {
            assert_eq!(template.name().parse(), Ok(template));
        }
        for odd in ["", "Verification", "__proto__", "newlogin"] {
            assert!(odd.parse::<Template>().is_err(), "{odd}");
        }
    }

    #[test]
    fn an_envelope_comes_back_as_it_was() {
        let new_login = Letter::NewLogin {
            occasion: Occasion::AddressChange,
            at: Timestamp::UNIX_EPOCH,
            ip: Some([203, 0, 113, 7].into()),
            device: "Firefox on Linux".into(),
            sessions_link: "https://x.example/sessions".into(),
            reset_link: "https://x.example/forgot".into(),
        };
        for letter in [Letter::Verification { link: "https://x.example/?token=1".into() }, new_login] {
            let envelope = Envelope { to: Email::parse("ann@example.org").unwrap(), name: "Ann \"B\" 李".into(), letter };
            assert!(Envelope::from_bytes(&envelope.to_bytes().unwrap()).unwrap() == envelope);
        }
        assert!(Envelope::from_bytes(b"{}").is_err());
    }

    #[test]
    fn a_letter_does_not_show_its_secret() {
        assert_eq!(format!("{:?}", Letter::LoginCode { code: "123456".into() }), "Letter(loginCode)");
    }
}
