//! The rows of mail.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row, secret,
};

/// A row for the words of a letter.
const fn words(name: &'static str, about: &'static str, example: &'static str) -> Variable {
    row(name, "text with {{placeholders}}", Depends("our own words, in English and German"), about, example)
}

const LINK: &str = "Its values are `{{link}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const CODE: &str = "Its values are `{{code}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";
const LOGIN: &str = "Its values are `{{event}}` (what happened, in a few words), `{{explanation}}` (the same as a sentence without its end), `{{time}}`, `{{ip}}`, `{{device}}`, `{{sessionsLink}}`, `{{resetLink}}`, `{{name}}`, `{{email}}`, `{{site}}` and `{{baseUrl}}`.";

pub(super) const MAIL: &[Variable] = &[
    row(
        "APP_SMTP_HOST",
        "name or address",
        Depends("mail is off: accounts count as verified at once, and invitations are shown to who makes them"),
        "The mail server that takes all mail of this server.",
        "smtp.example.org",
    ),
    row("APP_SMTP_PORT", "1 to 65535", Depends("587 with `starttls`, 465 with `implicit`, 25 with `none`"), "Its port.", "2525"),
    row(
        "APP_SMTP_SECURITY",
        "`starttls`, `implicit` or `none`",
        Text("starttls"),
        "How the conversation with it is protected. With `starttls` it begins in clear, and a server that does not encrypt then is told nothing; with `implicit` it is encrypted from the first byte. `none` is in clear: for a server on this machine or in a network of your own. A password goes out in clear to this machine only.",
        "implicit",
    ),
    row(
        "APP_SMTP_TLS_REJECT_UNAUTHORIZED",
        "`true` or `false`",
        Text("true"),
        "Whether the mail server has to prove who it is. Without it the conversation is encrypted, but with whom nobody knows: better name the authority in `APP_SMTP_CA_FILE`.",
        "false",
    ),
    row(
        "APP_SMTP_CA_FILE",
        "path of a PEM file",
        Depends("only the roots that this machine trusts"),
        "Certificates that may vouch for the mail server beside those.",
        "/etc/lectern/mail-ca.pem",
    ),
    row("APP_SMTP_USER", "text", Depends("no login"), "Who this server is to the mail server.", "lectern"),
    secret("APP_SMTP_PASSWORD", "text", Depends("no login"), "What proves it.", "the password of that user"),
    row(
        "APP_SMTP_FROM",
        "address, or name and address",
        Depends("`no-reply@` and the host of `APP_BASE_URL`; needed when that has no domain, as `localhost`"),
        "From whom mails come. The mail server must let this server write in that name.",
        "Lectern <no-reply@example.org>",
    ),
    words(
        "APP_EMAIL_VERIFICATION_SUBJECT",
        "The subject of the mail that proves the address of a new account, or another one of an account. The same name with a language added (`_DE`, `_PT_BR`) is for that language alone; that holds for each of these.",
        "Welcome to {{site}}",
    ),
    words(
        "APP_EMAIL_VERIFICATION_HTML",
        "The HTML of the mail that proves an address. Values are escaped. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Confirm {{email}}</a></p>",
    ),
    words("APP_EMAIL_VERIFICATION_TEXT", LINK, "Confirm {{email}}: {{link}}"),
    words(
        "APP_EMAIL_INVITE_SUBJECT",
        "The subject of the mail that lets somebody into an account that was made for them.",
        "Your account at {{site}}",
    ),
    words(
        "APP_EMAIL_INVITE_HTML",
        "The HTML of an invitation. It needs `{{link}}`.",
        "<p>Hello {{name}}, <a href=\"{{link}}\">come in</a></p>",
    ),
    words("APP_EMAIL_INVITE_TEXT", LINK, "Hello {{name}}, come in: {{link}}"),
    words(
        "APP_EMAIL_PASSWORD_RESET_SUBJECT",
        "The subject of the mail with which a new password is set.",
        "Your password at {{site}}",
    ),
    words(
        "APP_EMAIL_PASSWORD_RESET_HTML",
        "The HTML of that mail. It needs `{{link}}`.",
        "<p><a href=\"{{link}}\">Set a new password</a></p>",
    ),
    words("APP_EMAIL_PASSWORD_RESET_TEXT", LINK, "Set a new password: {{link}}"),
    words(
        "APP_EMAIL_LOGIN_CODE_SUBJECT",
        "The subject of the mail with the code for the second step of a sign-in. Better without the code: screens show subjects while they are locked.",
        "Your code",
    ),
    words("APP_EMAIL_LOGIN_CODE_HTML", "The HTML of that mail. It needs `{{code}}`.", "<p>{{code}}</p>"),
    words("APP_EMAIL_LOGIN_CODE_TEXT", CODE, "{{code}}"),
    words(
        "APP_EMAIL_NEW_LOGIN_SUBJECT",
        "The subject of the mail that tells of a sign-in from a device that was not known; and of what else an owner should hear of at once: a backup code that took the authenticator app away, another mail address that was asked for. Which of these it is tells `{{event}}`.",
        "{{event}}",
    ),
    words(
        "APP_EMAIL_NEW_LOGIN_HTML",
        "The HTML of that mail.",
        "<p>{{event}}. {{device}}, {{ip}}, {{time}}. Not you? <a href=\"{{resetLink}}\">Set a new password</a></p>",
    ),
    words("APP_EMAIL_NEW_LOGIN_TEXT", LOGIN, "{{event}}. {{device}}, {{ip}}, {{time}}. Not you? {{resetLink}}"),
];
