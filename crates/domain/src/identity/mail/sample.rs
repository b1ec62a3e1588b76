//! A mail with sample values, to look at or to test the way of mails with. Nothing in it works: the token and
//! the code are fixed texts.

use super::{MailContent, NoticeKind, StoredMail, Template};
use crate::identity::Email;
use jiff::Timestamp;

/// What stands in the place of a token.
const TOKEN: &str = "PREVIEW_TOKEN";

/// The sample of a template. `base_url` is the address that this server is reached at.
pub fn sample(template: Template, to: Email, base_url: &str, at: Timestamp) -> StoredMail {
    let link = |path: &str| format!("{base_url}{path}?token={TOKEN}");
    let content = match template {
        Template::Verification => MailContent::Verification { link: link("/verify-email") },
        Template::Invite => MailContent::Invite { link: link("/accept-invite") },
        Template::PasswordReset => MailContent::PasswordReset { link: link("/reset-password") },
        Template::SpaceInvite => {
            MailContent::SpaceInvite { link: link("/join"), space: "Example".to_owned(), inviter: "Bob Example".to_owned() }
        }
        Template::LoginCode => MailContent::LoginCode { code: "123456".to_owned() },
        Template::NewLogin => MailContent::NewLogin {
            notice: NoticeKind::SignIn,
            at,
            ip: Some([203, 0, 113, 7].into()),
            device: "Firefox on Linux".to_owned(),
            sessions_link: format!("{base_url}/account/sessions"),
            reset_link: format!("{base_url}/forgot-password"),
        },
    };
    StoredMail { to, name: "Ann Example".to_owned(), content }
}
