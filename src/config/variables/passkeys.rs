//! The rows of passkeys and authenticator apps.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row,
};

pub(super) const PASSKEYS: &[Variable] = &[
    row(
        "APP_NAME",
        "text",
        Text("Lectern"),
        "The name of the service, on its pages, in its mails (`{{site}}`), in authenticator apps, and in browsers that ask for a passkey. Passwords may not contain it.",
        "Example Cloud",
    ),
    row(
        "APP_HELP_URL",
        "http or https URL, or `mailto:` with an address",
        Depends("none: the pages have no such link"),
        "Where people find help. The foot of every page links to it, at the same place on each.",
        "https://example.com/help",
    ),
    row(
        "APP_PRIVACY_URL",
        "http or https URL, or `mailto:` with an address",
        Depends("none: the pages have no such link"),
        "The privacy policy. The foot of every page links to it, at the same place on each.",
        "https://example.com/privacy",
    ),
    row(
        "APP_IMPRINT_URL",
        "http or https URL, or `mailto:` with an address",
        Depends("none: the pages have no such link"),
        "Who is responsible for the service: the imprint. The foot of every page links to it, at the same place on each.",
        "https://example.com/imprint",
    ),
    row(
        "APP_WEBAUTHN_RP_ID",
        "name of a host",
        Depends("the host of `APP_BASE_URL`; `localhost` where that is an IP address"),
        "The domain of passkeys: the server's own, or a parent domain that other hosts share. Passkeys of another domain are not found any more: a change locks out accounts without a password.",
        "example.com",
    ),
    row(
        "APP_WEBAUTHN_ORIGINS",
        "http or https URLs without a path, with commas",
        Text(""),
        "Origins whose pages may use passkeys, in addition to that of `APP_BASE_URL`. They must lie within `APP_WEBAUTHN_RP_ID`.",
        "https://app.example.com,https://example.com",
    ),
];
