//! The rows of mail.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row, secret,
};

/// A row for a template of a mail.
const fn template(name: &'static str, about: &'static str, example: &'static str) -> Variable {
    row(name, "text with {{placeholders}}", Depends("built-in templates in English and German"), about, example)
}

const LINK: &str = "Its values are `{{link}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const CODE: &str = "Its values are `{{code}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const LOGIN: &str = "Its values are `{{event}}` (what happened, in a few words), `{{explanation}}` (the same as a sentence without its end), `{{time}}`, `{{ip}}`, `{{device}}`, `{{sessionsLink}}`, `{{resetLink}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";

pub(super) const MAIL: &[Variable] = &[
    row(
        "APP_SMTP_HOST",
        "name or address",
        Depends("mail is off: accounts count as verified at once, and invitations are shown to their creators"),
        "The mail server that relays all mail of this server.",
        "smtp.example.org",
    ),
    row("APP_SMTP_PORT", "1 to 65535", Depends("587 with `starttls`, 465 with `implicit`, 25 with `none`"), "Its port.", "2525"),
    row(
        "APP_SMTP_SECURITY",
        "`starttls`, `implicit` or `none`",
        Text("starttls"),
        "The encryption of the connection. With `starttls` it begins in clear text, and nothing is sent unless the server then encrypts; with `implicit` it is encrypted from the first byte. `none` is clear text, for a server on this machine or in a private network. A password is sent in clear text to this machine only.",
        "implicit",
    ),
    row(
        "APP_SMTP_TLS_REJECT_UNAUTHORIZED",
        "`true` or `false`",
        Text("true"),
        "Whether the certificate of the mail server is checked. Without the check the connection is encrypted, but to an unknown server: rather name the authority in `APP_SMTP_CA_FILE`.",
        "false",
    ),
    row(
        "APP_SMTP_CA_FILE",
        "path of a PEM file",
        Depends("the root certificates of this machine"),
        "Additional certificate authorities for the mail server.",
        "/etc/lectern/mail-ca.pem",
    ),
    row("APP_SMTP_USER", "text", Depends("no login"), "The user name at the mail server.", "lectern"),
    secret("APP_SMTP_PASSWORD", "text", Depends("no login"), "The password at the mail server.", "the password of that user"),
    row(
        "APP_SMTP_FROM",
        "address, or name and address",
        Depends("`no-reply@` and the host of `APP_BASE_URL`; required when that has no domain, such as `localhost`"),
        "The sender of mails. The mail server must accept it from this server.",
        "Lectern <no-reply@example.org>",
    ),
    row(
        "APP_EMAIL_DEAD_LETTER_DAYS",
        "1 to 36500",
        Text("7"),
        "How long the content of a mail that could not be sent is kept, encrypted, so that an administrator can have it sent again. The longest link works for 7 days. The entry without its content stays for 90 days, and never its content for longer.",
        "2",
    ),
    template(
        "APP_EMAIL_VERIFICATION_SUBJECT",
        "The subject of the mail that verifies the address of a new account, or a new address of an account. The same name with a language (`_DE`, `_PT_BR`) is for that language only; this holds for all templates.",
        "Welcome to {{site}}",
    ),
    template(
        "APP_EMAIL_VERIFICATION_HTML",
        "The HTML of the mail that verifies an address. Values are escaped. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Confirm {{email}}</a></p>",
    ),
    template("APP_EMAIL_VERIFICATION_TEXT", LINK, "Confirm {{email}}: {{link}}"),
    template(
        "APP_EMAIL_INVITE_SUBJECT",
        "The subject of the invitation to an account that was created for a person.",
        "Your account at {{site}}",
    ),
    template(
        "APP_EMAIL_INVITE_HTML",
        "The HTML of an invitation. It needs `{{link}}`.",
        "<p>Hello {{name}}, <a href=\"{{link}}\">come in</a></p>",
    ),
    template("APP_EMAIL_INVITE_TEXT", LINK, "Hello {{name}}, come in: {{link}}"),
    template(
        "APP_EMAIL_PASSWORD_RESET_SUBJECT",
        "The subject of the mail with which a new password is set.",
        "Your password at {{site}}",
    ),
    template(
        "APP_EMAIL_PASSWORD_RESET_HTML",
        "The HTML of that mail. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Set a new password</a></p>",
    ),
    template("APP_EMAIL_PASSWORD_RESET_TEXT", LINK, "Set a new password: {{link}}"),
    template(
        "APP_EMAIL_LOGIN_CODE_SUBJECT",
        "The subject of the mail with the code for the second factor of a sign-in. Leave the code out: locked screens show subjects.",
        "Your code",
    ),
    template("APP_EMAIL_LOGIN_CODE_HTML", "The HTML of that mail. It needs `{{code}}`.", "<p>{{code}}</p>"),
    template("APP_EMAIL_LOGIN_CODE_TEXT", CODE, "{{code}}"),
    template(
        "APP_EMAIL_NEW_LOGIN_SUBJECT",
        "The subject of the notice about a sign-in from an unknown device, and about other events that concern the owner: a backup code that removed the authenticator app, a change of the mail address. `{{event}}` names the event.",
        "{{event}}",
    ),
    template(
        "APP_EMAIL_NEW_LOGIN_HTML",
        "The HTML of that mail.",
        "<p>{{event}}. {{device}}, {{ip}}, {{time}}. Not you? <a href=\"{{resetLink}}\">Set a new password</a></p>",
    ),
    template("APP_EMAIL_NEW_LOGIN_TEXT", LOGIN, "{{event}}. {{device}}, {{ip}}, {{time}}. Not you? {{resetLink}}"),
];
