//! Accounts: who gets one, how passwords are kept, how long a session lasts, which languages people are
//! addressed in.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Days, Flag, Host, Locale, LocaleList, Number, Origins, PublicLink, Seconds, Secret, Text};

settings! {
    APP_COOKIE_SECURE: Optional<Flag> = "`true` when `APP_BASE_URL` is https",
        "Whether cookies are sent over https only, with the protected prefix `__Host-`.",
        "true";
    APP_REGISTRATION_ENABLED: Setting<Flag> = "true",
        "Whether accounts can be registered without an invitation.",
        "false";
    APP_FIRST_USER_IS_ADMIN: Setting<Flag> = "true",
        "Whether the first account that is ever registered becomes the administrator. After that registration the setting has no effect: later accounts are not promoted.",
        "false";
    APP_ADMIN_SESSION_MAX_AGE: Setting<Seconds<60, 1_209_600>> = "43200",
        "How long after signing in an administrator may use the admin API. After that it answers 401 `reauthenticationRequired`, until they sign in again.",
        "3600";
    APP_REAUTH_SECONDS: Setting<Seconds<0, 86_400>> = "900",
        "How long after signing in, or after proving again who they are (`POST /api/me/reauthenticate`, or the form of a page), a person may do what a stranger at an open browser must not: act on other accounts and on keys, change passkeys and the authenticator app, mint tokens. Later the API answers 403 `proofRequired`, and pages ask. 0 turns it off.",
        "300";
    APP_PASSWORD_MIN_LENGTH: Setting<Number<usize, 8, 64>> = "8",
        "How many characters a new password must have. Very common passwords, and ones that contain the person's name or address, are refused whatever their length.",
        "15";
    APP_PASSWORD_REQUIRE_UPPERCASE: Setting<Flag> = "false",
        "Whether a new password must have an upper-case letter.",
        "true";
    APP_PASSWORD_REQUIRE_LOWERCASE: Setting<Flag> = "false",
        "Whether a new password must have a lower-case letter.",
        "true";
    APP_PASSWORD_REQUIRE_DIGIT: Setting<Flag> = "false",
        "Whether a new password must have a digit.",
        "true";
    APP_PASSWORD_REQUIRE_SYMBOL: Setting<Flag> = "false",
        "Whether a new password must have a symbol.",
        "true";
    APP_ARGON2_MEMORY_KIB: Setting<Number<u32, 8, 1_048_576>> = "19456",
        "The memory of one password hash (argon2id); each core keeps as much. A password whose hash has other costs is hashed again at the next sign-in.",
        "65536",
        "8 to 1048576, and at least 8 for each lane";
    APP_ARGON2_ITERATIONS: Setting<Number<u32, 1, 16>> = "2",
        "The number of passes of a password hash over its memory.",
        "3";
    APP_ARGON2_PARALLELISM: Setting<Number<u32, 1, 16>> = "1",
        "The number of lanes of a password hash.",
        "4";
    APP_ACCOUNT_AUDIT_DAYS: Setting<Days<1, 36_500>> = "400",
        "How many days an entry of the accounts' audit trail (sign-ins, changes of an account) is kept.",
        "90";
    APP_NAME: Setting<Text> = "Lectern",
        "The name of the service, on its pages, in its mails (`{{site}}`), in authenticator apps, and in browsers that ask for a passkey. Passwords may not contain it.",
        "Example Cloud";
    APP_HELP_URL: Optional<PublicLink> = "none: the pages have no such link",
        "Where people find help. The foot of every page links to it, at the same place on each.",
        "https://example.com/help";
    APP_PRIVACY_URL: Optional<PublicLink> = "none: the pages have no such link",
        "The privacy policy. The foot of every page links to it, at the same place on each.",
        "https://example.com/privacy";
    APP_IMPRINT_URL: Optional<PublicLink> = "none: the pages have no such link",
        "Who is responsible for the service: the imprint. The foot of every page links to it, at the same place on each.",
        "https://example.com/imprint";
    APP_WEBAUTHN_RP_ID: Optional<Host> = "the host of `APP_BASE_URL`; `localhost` where that is an IP address",
        "The domain of passkeys: the server's own, or a parent domain that other hosts share. Passkeys of another domain are not found any more: a change locks out accounts without a password.",
        "example.com",
        "name of a host";
    APP_WEBAUTHN_ORIGINS: Setting<Origins> = "",
        "Origins whose pages may use passkeys, in addition to that of `APP_BASE_URL`. They must lie within `APP_WEBAUTHN_RP_ID`.",
        "https://app.example.com,https://example.com";
    APP_ADMIN_API_TOKENS_JSON: Optional<Secret<1>> = "none: provisioning is off",
        "The tokens that may import accounts through `/api/provisioning`, see [docs/moving-users.md](moving-users.md). Several are accepted at once, so that one can replace another. The audit trail names their ids. Without any, these paths return 404. Every fault stops the start, with a line for each.",
        r#"[{"id":"importer","token":"64 characters from openssl rand -hex 32"}]"#,
        "JSON array of objects, each with `id` (1 to 64 of a-z, 0-9, _ and -) and `token` (32 to 512 characters)";
    APP_SUPPORTED_LOCALES: Setting<LocaleList> = "en,de",
        "The languages that people can choose. Mails are in English or German, and in English for all other languages; so are the error messages of the identity service, for browsers that ask for a supported language.",
        "en,de,pt-BR";
    APP_DEFAULT_LOCALE: Optional<Locale> = "the first of `APP_SUPPORTED_LOCALES`",
        "The language of accounts that have chosen none.",
        "de";
}
