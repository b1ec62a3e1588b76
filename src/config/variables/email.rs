//! Mail: the server that relays it, and the texts.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Days, Flag, Host, LoginCodes, MailSecurity, MailText, Number, Path, Secret, Sender, Text};
use domain::identity::mail::{Template, TemplatePart};

const LINK: &str = "Its values are `{{link}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const CODE: &str = "Its values are `{{code}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const LOGIN: &str = "Its values are `{{event}}` (what happened, in a few words), `{{explanation}}` (the same as a sentence without its end), `{{time}}`, `{{ip}}`, `{{device}}`, `{{sessionsLink}}`, `{{resetLink}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const SPACE: &str = "Its values are `{{link}}`, `{{space}}` (the name of the space), `{{inviter}}` (the name of the member who invites), `{{email}}`, `{{site}}` and `{{baseUrl}}`; `{{name}}` is the address.";
const BUILT_IN: &str = "built-in templates in English and German";

/// The variable of each part of a template.
pub(in crate::config) const TEMPLATES: [(Template, TemplatePart, Optional<MailText>); 18] = [
    (Template::Verification, TemplatePart::Subject, APP_EMAIL_VERIFICATION_SUBJECT),
    (Template::Verification, TemplatePart::Html, APP_EMAIL_VERIFICATION_HTML),
    (Template::Verification, TemplatePart::Text, APP_EMAIL_VERIFICATION_TEXT),
    (Template::Invite, TemplatePart::Subject, APP_EMAIL_INVITE_SUBJECT),
    (Template::Invite, TemplatePart::Html, APP_EMAIL_INVITE_HTML),
    (Template::Invite, TemplatePart::Text, APP_EMAIL_INVITE_TEXT),
    (Template::PasswordReset, TemplatePart::Subject, APP_EMAIL_PASSWORD_RESET_SUBJECT),
    (Template::PasswordReset, TemplatePart::Html, APP_EMAIL_PASSWORD_RESET_HTML),
    (Template::PasswordReset, TemplatePart::Text, APP_EMAIL_PASSWORD_RESET_TEXT),
    (Template::SpaceInvite, TemplatePart::Subject, APP_EMAIL_SPACE_INVITE_SUBJECT),
    (Template::SpaceInvite, TemplatePart::Html, APP_EMAIL_SPACE_INVITE_HTML),
    (Template::SpaceInvite, TemplatePart::Text, APP_EMAIL_SPACE_INVITE_TEXT),
    (Template::LoginCode, TemplatePart::Subject, APP_EMAIL_LOGIN_CODE_SUBJECT),
    (Template::LoginCode, TemplatePart::Html, APP_EMAIL_LOGIN_CODE_HTML),
    (Template::LoginCode, TemplatePart::Text, APP_EMAIL_LOGIN_CODE_TEXT),
    (Template::NewLogin, TemplatePart::Subject, APP_EMAIL_NEW_LOGIN_SUBJECT),
    (Template::NewLogin, TemplatePart::Html, APP_EMAIL_NEW_LOGIN_HTML),
    (Template::NewLogin, TemplatePart::Text, APP_EMAIL_NEW_LOGIN_TEXT),
];

/// Whether a name is that of a template's variable with a locale. The locale itself is checked when the
/// variable is read.
pub(in crate::config) fn is_template_with_locale(name: &str) -> bool {
    let suffix = |known: &str| name.strip_prefix(known)?.strip_prefix('_');
    TEMPLATES.iter().any(|(_, _, template)| suffix(template.variable.name).is_some())
}

settings! {
    APP_SMTP_HOST: Optional<Host> = "mail is off: accounts count as verified at once, and invitations are shown to their creators",
        "The mail server that relays all mail of this server.",
        "smtp.example.org";
    APP_SMTP_PORT: Optional<Number<u16, 1, 65_535>> = "587 with `starttls`, 465 with `implicit`, 25 with `none`",
        "Its port.",
        "2525";
    APP_SMTP_SECURITY: Setting<MailSecurity> = "starttls",
        "The encryption of the connection. With `starttls` it begins in clear text, and nothing is sent unless the server then encrypts; with `implicit` it is encrypted from the first byte. `none` is clear text, for a server on this machine or in a private network. A password is sent in clear text to this machine only.",
        "implicit";
    APP_SMTP_TLS_REJECT_UNAUTHORIZED: Setting<Flag> = "true",
        "Whether the certificate of the mail server is checked. Without the check the connection is encrypted, but to an unknown server: rather name the authority in `APP_SMTP_CA_FILE`.",
        "false";
    APP_SMTP_CA_FILE: Optional<Path> = "the root certificates of this machine",
        "Additional certificate authorities for the mail server.",
        "/etc/lectern/mail-ca.pem",
        "path of a PEM file";
    APP_SMTP_USER: Optional<Text> = "no login",
        "The user name at the mail server.",
        "lectern";
    APP_SMTP_PASSWORD: Optional<Secret<1>> = "no login",
        "The password at the mail server.",
        "the password of that user";
    APP_SMTP_FROM: Optional<Sender> = "`no-reply@` and the host of `APP_BASE_URL`; required when that has no domain, such as `localhost`",
        "The sender of mails. The mail server must accept it from this server.",
        "Lectern <no-reply@example.org>";
    APP_EMAIL_LOGIN_CODE: Optional<LoginCodes> = "`suspicious` when mail is on, `off` when it is not",
        "When a sign-in with a password also needs a mailed code, for accounts without an authenticator app: never, when the sign-in is suspicious (a new device, many failures before), or always. Without `APP_SMTP_HOST` no code is mailed.",
        "always";
    APP_EMAIL_DEAD_LETTER_DAYS: Setting<Days<1, 36_500>> = "7",
        "How long the content of a mail that could not be sent is kept, encrypted, so that an administrator can have it sent again. The longest link works for 7 days. The entry without its content stays for 90 days, and never its content for longer.",
        "2";
    APP_EMAIL_VERIFICATION_SUBJECT: Optional<MailText> = BUILT_IN,
        "The subject of the mail that verifies the address of a new account, or a new address of an account. The same name with a language (`_DE`, `_PT_BR`) is for that language only; this holds for all templates.",
        "Welcome to {{site}}";
    APP_EMAIL_VERIFICATION_HTML: Optional<MailText> = BUILT_IN,
        "The HTML of the mail that verifies an address. Values are escaped. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Confirm {{email}}</a></p>";
    APP_EMAIL_VERIFICATION_TEXT: Optional<MailText> = BUILT_IN,
        LINK,
        "Confirm {{email}}: {{link}}";
    APP_EMAIL_INVITE_SUBJECT: Optional<MailText> = BUILT_IN,
        "The subject of the invitation to an account that was created for a person.",
        "Your account at {{site}}";
    APP_EMAIL_INVITE_HTML: Optional<MailText> = BUILT_IN,
        "The HTML of an invitation. It needs `{{link}}`.",
        "<p>Hello {{name}}, <a href=\"{{link}}\">come in</a></p>";
    APP_EMAIL_INVITE_TEXT: Optional<MailText> = BUILT_IN,
        LINK,
        "Hello {{name}}, come in: {{link}}";
    APP_EMAIL_PASSWORD_RESET_SUBJECT: Optional<MailText> = BUILT_IN,
        "The subject of the mail with which a new password is set.",
        "Your password at {{site}}";
    APP_EMAIL_PASSWORD_RESET_HTML: Optional<MailText> = BUILT_IN,
        "The HTML of that mail. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Set a new password</a></p>";
    APP_EMAIL_PASSWORD_RESET_TEXT: Optional<MailText> = BUILT_IN,
        LINK,
        "Set a new password: {{link}}";
    APP_EMAIL_SPACE_INVITE_SUBJECT: Optional<MailText> = BUILT_IN,
        "The subject of the invitation to a space. The address may have no account.",
        "{{inviter}} invites you to {{space}}";
    APP_EMAIL_SPACE_INVITE_HTML: Optional<MailText> = BUILT_IN,
        "The HTML of that mail. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Join {{space}}</a></p>";
    APP_EMAIL_SPACE_INVITE_TEXT: Optional<MailText> = BUILT_IN,
        SPACE,
        "Join {{space}}: {{link}}";
    APP_EMAIL_LOGIN_CODE_SUBJECT: Optional<MailText> = BUILT_IN,
        "The subject of the mail with the code for the second factor of a sign-in. Leave the code out: locked screens show subjects.",
        "Your code";
    APP_EMAIL_LOGIN_CODE_HTML: Optional<MailText> = BUILT_IN,
        "The HTML of that mail. It needs `{{code}}`.",
        "<p>{{code}}</p>";
    APP_EMAIL_LOGIN_CODE_TEXT: Optional<MailText> = BUILT_IN,
        CODE,
        "{{code}}";
    APP_EMAIL_NEW_LOGIN_SUBJECT: Optional<MailText> = BUILT_IN,
        "The subject of the notice about a sign-in from an unknown device, and about other events that concern the owner: a backup code that removed the authenticator app, a change of the mail address. `{{event}}` names the event.",
        "{{event}}";
    APP_EMAIL_NEW_LOGIN_HTML: Optional<MailText> = BUILT_IN,
        "The HTML of that mail.",
        "<p>{{event}}. {{device}}, {{ip}}, {{time}}. Not you? <a href=\"{{resetLink}}\">Set a new password</a></p>";
    APP_EMAIL_NEW_LOGIN_TEXT: Optional<MailText> = BUILT_IN,
        LOGIN,
        "{{event}}. {{device}}, {{ip}}, {{time}}. Not you? {{resetLink}}";
}
