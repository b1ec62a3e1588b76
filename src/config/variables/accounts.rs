//! The rows of accounts: who gets one, how long a session lasts, which languages people are addressed in.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row, secret,
};

pub(super) const SESSIONS: &[Variable] = &[
    row(
        "APP_COOKIE_SECURE",
        "`true` or `false`",
        Depends("`true` when `APP_BASE_URL` is https"),
        "Whether cookies are sent over https only, with the protected prefix `__Host-`.",
        "true",
    ),
    row(
        "APP_REGISTRATION_ENABLED",
        "`true` or `false`",
        Text("true"),
        "Whether accounts can be registered without an invitation.",
        "false",
    ),
    row(
        "APP_FIRST_USER_IS_ADMIN",
        "`true` or `false`",
        Text("true"),
        "Whether the first account that is ever registered becomes the administrator. After that registration the setting has no effect: later accounts are not promoted.",
        "false",
    ),
    row(
        "APP_ADMIN_SESSION_MAX_AGE",
        "seconds, 60 to 1209600",
        Text("43200"),
        "How long after signing in an administrator may use the admin API. After that it answers 401 `reauthenticationRequired`, until they sign in again.",
        "3600",
    ),
    row(
        "APP_REAUTH_SECONDS",
        "seconds, 0 to 86400",
        Text("900"),
        "How long after signing in, or after proving again who they are (`POST /api/me/reauthenticate`, or the form of a page), a person may do what a stranger at an open browser must not: act on other accounts and on keys, change passkeys and the authenticator app, mint tokens. Later the API answers 403 `proofRequired`, and pages ask. 0 turns it off.",
        "300",
    ),
];

pub(super) const AUDIT_TRAIL: &[Variable] = &[row(
    "APP_ACCOUNT_AUDIT_DAYS",
    "1 to 36500",
    Text("400"),
    "How many days an entry of the accounts' audit trail (sign-ins, changes of an account) is kept.",
    "90",
)];

pub(super) const PROVISIONING: &[Variable] = &[secret(
    "APP_ADMIN_API_TOKENS_JSON",
    "JSON array of objects, each with `id` (1 to 64 of a-z, 0-9, _ and -) and `token` (32 to 512 characters)",
    Depends("none: provisioning is off"),
    "The tokens that may import accounts through `/api/provisioning`, see [docs/moving-users.md](moving-users.md). Several are accepted at once, so that one can replace another. The audit trail names their ids. Without any, these paths return 404. Every fault stops the start, with a line for each.",
    r#"[{"id":"importer","token":"64 characters from openssl rand -hex 32"}]"#,
)];

pub(super) const PEOPLE: &[Variable] = &[
    row(
        "APP_EMAIL_LOGIN_CODE",
        "`off`, `suspicious` or `always`",
        Depends("`suspicious` when mail is on, `off` when it is not"),
        "When a sign-in with a password also needs a mailed code, for accounts without an authenticator app: never, when the sign-in is suspicious (a new device, many failures before), or always. Without `APP_SMTP_HOST` no code is mailed.",
        "always",
    ),
    row(
        "APP_SUPPORTED_LOCALES",
        "language tags, with commas",
        Text("en,de"),
        "The languages that people can choose. Mails are in English or German, and in English for all other languages; so are the error messages of the identity service, for browsers that ask for a supported language.",
        "en,de,pt-BR",
    ),
    row(
        "APP_DEFAULT_LOCALE",
        "one of `APP_SUPPORTED_LOCALES`",
        Depends("the first of `APP_SUPPORTED_LOCALES`"),
        "The language of accounts that have chosen none.",
        "de",
    ),
];
