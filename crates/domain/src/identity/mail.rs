//! The mails that the identity service sends, as values. Their text is made when they are sent (see
//! [`MailTemplates`]).
//!
//! Until then a mail lies in the database as a sealed [`StoredMail`]: a link or a code in it lets its reader
//! in, so neither a dump of the database nor a log shows one.

mod builtin;
mod sample;
mod sender;
mod templates;
mod text_template;

pub use sample::sample;
pub use sender::Sender;
pub use templates::{MailTemplates, RenderedMail, TemplateOverride, TemplatePart, TextSource};

use crate::{
    identity::{Account, Email},
    shared::{Fault, MailId, UserId},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::{fmt, net::IpAddr};
use strum::{EnumString, IntoStaticStr, VariantArray, VariantNames};

/// The kinds of mail, named as on the wire, in rows and in metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray, VariantNames)]
#[strum(const_into_str, serialize_all = "camelCase")]
pub enum Template {
    /// Carries a link that proves the address of a new account, or the new address of an existing one. The
    /// link works for a day.
    Verification,
    /// Carries a link that sets the first password of an account that an administrator made. The link works
    /// for seven days.
    Invite,
    /// Carries a link that sets a new password. The link works for an hour.
    PasswordReset,
    /// Carries a link by which a person becomes a member of a space. The address may have no account. The
    /// link works for seven days.
    SpaceInvite,
    /// Carries a code that is the second factor of a sign-in. The code works for ten minutes.
    LoginCode,
    /// Tells the owner of an account about a sign-in from a new device, or about another event of
    /// [`NoticeKind`].
    NewLogin,
}

/// The event that a mail of [`Template::NewLogin`] is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "camelCase")]
pub enum NoticeKind {
    /// A sign-in that is unusual, such as one from a new device.
    #[default]
    SignIn,
    /// A sign-in with a backup code. Backup codes are few and rarely used, so each use is reported.
    BackupCodeSignIn,
    /// The removal of the authenticator app, proved with a backup code.
    BackupCode,
    /// A request to change the account's mail address.
    AddressChange,
    PasswordChanged,
    /// The first password of an account that had none.
    PasswordSet,
    /// The removal of the password.
    PasswordRemoved,
    /// Another password, by a mailed link.
    PasswordReset,
    /// A first authenticator app.
    AppAdded,
    /// Another authenticator app in the place of the first.
    AppReplaced,
    /// The removal of the authenticator app, proved with a code of it.
    AppRemoved,
    /// New backup codes in the place of the old ones.
    BackupCodesRenewed,
    PasskeyAdded,
    /// The removal of a passkey.
    PasskeyRemoved,
    /// A token that acts for the person in one of their spaces.
    ManagementTokenMade,
    /// A token that reads the drafts of one of the person's spaces.
    DraftTokenMade,
}

/// The values that a mail conveys.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "template", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MailContent {
    /// See [`Template::Verification`].
    Verification {
        /// The complete URL with its token.
        link: String,
    },
    /// See [`Template::Invite`].
    Invite {
        /// The complete URL with its token.
        link: String,
    },
    /// See [`Template::PasswordReset`].
    PasswordReset {
        /// The complete URL with its token.
        link: String,
    },
    /// See [`Template::SpaceInvite`].
    SpaceInvite {
        /// The complete URL with its token.
        link: String,
        /// The name of the space.
        space: String,
        /// The name of the member or the token that invites.
        inviter: String,
    },
    /// See [`Template::LoginCode`].
    LoginCode { code: String },
    /// See [`Template::NewLogin`].
    NewLogin {
        /// The event. Its name in stored mails is older than the field's.
        #[serde(default, rename = "occasion")]
        notice: NoticeKind,
        /// When the event happened.
        at: Timestamp,
        /// The address that the request came from, if it is known.
        ip: Option<IpAddr>,
        /// Where it came from: a [`Browser`](crate::identity::device::Browser) as it is written out, which
        /// the mail says in its own words, or a name. With [`ABOUT`] follows what was done, where the notice
        /// alone does not say it.
        device: String,
        /// The URL of the list of sessions.
        sessions_link: String,
        /// The URL of the page that requests a new password.
        reset_link: String,
    },
}

impl MailContent {
    /// The template that this content fills.
    pub fn template(&self) -> Template {
        match self {
            Self::Verification { .. } => Template::Verification,
            Self::Invite { .. } => Template::Invite,
            Self::PasswordReset { .. } => Template::PasswordReset,
            Self::SpaceInvite { .. } => Template::SpaceInvite,
            Self::LoginCode { .. } => Template::LoginCode,
            Self::NewLogin { .. } => Template::NewLogin,
        }
    }
}

impl MailContent {
    /// The secret of the link that can be used once, if the mail is about one.
    pub fn link_token(&self) -> Option<&str> {
        match self {
            Self::Verification { link } | Self::Invite { link } | Self::PasswordReset { link } | Self::SpaceInvite { link, .. } => {
                link.split_once("?token=").map(|(_, token)| token)
            }
            Self::LoginCode { .. } | Self::NewLogin { .. } => None,
        }
    }
}

/// Names the template only: links and codes must not get into logs.
impl fmt::Debug for MailContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MailContent({})", self.template().into_str())
    }
}

/// What stands in the `device` of a notice before what was done.
pub const ABOUT: &str = " → ";

/// The person that a mail goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// The account that the mail is about. Deleting the account deletes its mails.
    pub user: UserId,
    /// The address that the mail goes to. It is not the account's own when a new address is to be confirmed.
    pub email: Email,
    /// The person's display name.
    pub name: String,
    /// The locale that the mail is written in.
    pub locale: String,
}

impl From<&Account> for Recipient {
    fn from(account: &Account) -> Self {
        Self { user: account.id, email: account.email.clone(), name: account.display_name(), locale: account.locale.clone() }
    }
}

/// The personal part of a queued mail. It is stored sealed, and erased once the mail was sent, or some time
/// after it was given up.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredMail {
    /// The address that the mail goes to.
    pub to: Email,
    /// The recipient's display name.
    pub name: String,
    /// The values that fill the template.
    pub content: MailContent,
}

/// The JSON that is sealed. Its names are older than those of the fields.
#[derive(Serialize, Deserialize)]
struct StoredJson {
    to: String,
    name: String,
    #[serde(rename = "letter")]
    content: MailContent,
}

impl StoredMail {
    /// The label of the key that mails are sealed with (see `crypto::keys::Keys::derive`).
    pub const KEY_LABEL: &str = "mail/1";

    /// The associated data that a mail is sealed with, so that the sealed bytes of one mail cannot be opened
    /// in the row of another.
    pub fn seal_context(mail: MailId) -> String {
        format!("mail {mail}")
    }

    /// Serialises the mail for sealing.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let stored = StoredJson { to: self.to.as_str().to_owned(), name: self.name.clone(), content: self.content.clone() };
        serde_json::to_vec(&stored).map_err(|error| Fault::internal(format!("a mail cannot be serialised: {error}")))
    }

    /// Reads the bytes that were sealed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        // Only the position is reported, because serde's message would quote the secret text.
        let stored: StoredJson = serde_json::from_slice(bytes)
            .map_err(|error| Fault::internal(format!("a stored mail cannot be parsed, column {}", error.column())))?;
        let to = Email::parse(&stored.to).ok_or_else(|| Fault::internal("a stored mail has no valid address"))?;
        Ok(Self { to, name: stored.name, content: stored.content })
    }
}

#[cfg(test)]
mod tests {
    use super::{MailContent, NoticeKind, StoredMail, Template};
    use crate::identity::Email;
    use jiff::Timestamp;
    use strum::VariantArray;

    #[test]
    fn templates_are_found_by_their_names() {
        for &template in Template::VARIANTS {
            assert_eq!(template.into_str().parse(), Ok(template));
        }
        for unknown in ["", "Verification", "__proto__", "newlogin"] {
            assert!(unknown.parse::<Template>().is_err(), "{unknown}");
        }
    }

    #[test]
    fn a_stored_mail_reads_back_equal() {
        let new_login = MailContent::NewLogin {
            notice: NoticeKind::AddressChange,
            at: Timestamp::UNIX_EPOCH,
            ip: Some([203, 0, 113, 7].into()),
            device: "Firefox on Linux".into(),
            sessions_link: "https://x.example/sessions".into(),
            reset_link: "https://x.example/forgot".into(),
        };
        for content in [MailContent::Verification { link: "https://x.example/?token=1".into() }, new_login] {
            let mail = StoredMail { to: Email::parse("ann@example.org").unwrap(), name: "Ann \"B\" 李".into(), content };
            assert!(StoredMail::from_bytes(&mail.to_bytes().unwrap()).unwrap() == mail);
        }
        assert!(StoredMail::from_bytes(b"{}").is_err());
    }

    /// Mails that an older version queued must be readable after an update.
    #[test]
    fn the_stored_json_keeps_its_names() {
        let stored = r#"{"to":"ann@example.org","name":"Ann","letter":{"template":"newLogin","occasion":"backupCode",
            "at":"1970-01-01T00:00:00Z","ip":null,"device":"x","sessionsLink":"y","resetLink":"z"}}"#;
        let read = StoredMail::from_bytes(stored.as_bytes()).unwrap();
        assert!(matches!(read.content, MailContent::NewLogin { notice: NoticeKind::BackupCode, .. }));
    }

    #[test]
    fn the_token_of_a_link_is_found() {
        let link = MailContent::PasswordReset { link: "https://x.example/reset-password?token=abc".into() };
        assert_eq!(link.link_token(), Some("abc"));
        assert_eq!(MailContent::Invite { link: "https://x.example/".into() }.link_token(), None);
        assert_eq!(MailContent::LoginCode { code: "123456".into() }.link_token(), None);
    }

    #[test]
    fn debug_output_shows_no_secret() {
        assert_eq!(format!("{:?}", MailContent::LoginCode { code: "123456".into() }), "MailContent(loginCode)");
    }

    #[test]
    fn a_mail_is_sealed_for_itself() {
        let context = |number| super::StoredMail::seal_context(crate::shared::MailId(uuid::Uuid::from_u128(number)));
        assert_ne!(context(1), context(2));
        assert_eq!(context(1), context(1));
    }
}
