//! Rate limits, lockouts, and the size of responses.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Megabytes, Number, RequestRate, Seconds, Switch};

settings! {
    APP_RESPONSE_MEMORY_MB: Setting<Megabytes<1, 1_048_576>> = "256",
        "How many megabytes of responses may be under way to clients beside the cache of the Delivery API. At that size a further one takes the memory of one that its client does not read, of the address that has the most, or waits 2 seconds and is refused with 503. Responses from the cache need none of it.",
        "1024";
    APP_RESPONSE_MAX_MB: Setting<Megabytes<1, 1024>> = "64",
        "How large a response of the content service may be, in megabytes, and what is read from the database for it. A larger one is refused with 422. The map of all links of 100,000 stories has 40 MB.",
        "128";
    APP_RATE_LIMITS: Setting<Switch> = "on",
        "Whether requests are rate limited. All processes count together in the database, but for limits that say otherwise. `off` is for tests and load tests.",
        "off";
    APP_RATE_LIMIT_LOGIN_IP: Setting<RequestRate> = "20/min",
        "How often one client address (or IPv6 network of 64 bits) may try to sign in.",
        "100/min";
    APP_RATE_LIMIT_LOGIN_FAILURES_IP: Setting<RequestRate> = "100/h",
        "How often one client address (or IPv6 network of 64 bits) may try wrong passwords and codes.",
        "1000/h";
    APP_RATE_LIMIT_LOGIN_CODES: Setting<RequestRate> = "10/h",
        "How often a login code is mailed to one account. A browser that signed in before has a count of its own.",
        "20/h";
    APP_LOCKOUT_FAILURES: Setting<Number<u32, 2, 100>> = "5",
        "After how many wrong passwords for one mail address within `APP_LOCKOUT_WINDOW` further attempts are refused for `APP_LOCKOUT_WAIT`, whether the address has an account or not. Each further wrong one doubles the wait. A browser that signed in before has a count of its own.",
        "10";
    APP_LOCKOUT_CODE_FAILURES: Setting<Number<u32, 2, 100>> = "10",
        "The same for wrong codes that one account types: those of its second factor, and those of devices.",
        "5";
    APP_LOCKOUT_MAILED_CODE_FAILURES: Setting<Number<u32, 2, 100>> = "10",
        "After how many wrong mailed codes for one account within an hour further ones are refused for an hour.",
        "5";
    APP_LOCKOUT_WINDOW: Setting<Seconds<1, 86_400>> = "900",
        "The time within which failures are counted together.",
        "1800";
    APP_LOCKOUT_WAIT: Setting<Seconds<1, 86_400>> = "60",
        "The first wait.",
        "30";
    APP_LOCKOUT_MAX_WAIT: Setting<Seconds<1, 86_400>> = "900",
        "The longest wait.",
        "3600";
    APP_LOCKOUT_FORGET: Setting<Seconds<1, 86_400>> = "43200",
        "How long after the last failure the count is reset.",
        "86400";
    APP_LOCKOUT_PER_DAY: Setting<Number<u32, 2, 100_000>> = "100",
        "The largest number of failures within 24 hours, whatever the waits.",
        "1000";
    APP_RATE_LIMIT_REGISTER_IP: Setting<RequestRate> = "10/h",
        "How often one client address may try to register.",
        "100/d";
    APP_RATE_LIMIT_REGISTER_ADDRESS: Setting<RequestRate> = "1/h",
        "How often the owner of a mail address gets a notice that it was registered again. The response does not reveal that the address has an account.",
        "1/d";
    APP_RATE_LIMIT_MAIL_IP: Setting<RequestRate> = "20/h",
        "How often one client address may request mails: verification links and links to set a new password.",
        "100/h";
    APP_RATE_LIMIT_MAIL_ADDRESS: Setting<RequestRate> = "3/h",
        "How many such mails are sent to one mail address. Further requests get the same response, and no mail is sent.",
        "5/h";
    APP_RATE_LIMIT_LINK_IP: Setting<RequestRate> = "20/h",
        "How many invalid links of mails one client address may try.",
        "100/h";
    APP_RATE_LIMIT_PASSKEYS_IP: Setting<RequestRate> = "30/min",
        "How often one client address may begin or finish an operation with a passkey: each sign-in counts as two, or as one where the browser fills the passkey in.",
        "100/min";
    APP_RATE_LIMIT_NEW_PASSWORD_USER: Setting<RequestRate> = "10/15min",
        "How many new passwords may be tried for one account, by its owner or by a mailed link. Each is compared with the previous ones, which takes time. Each process counts for itself.",
        "5/15min";
    APP_RATE_LIMIT_CLIENT_FAILURES: Setting<RequestRate> = "30/min",
        "How often requests from one client address (or IPv6 network of 64 bits) may fail to authenticate the same OpenID Connect client.",
        "100/min";
    APP_RATE_LIMIT_PUBLIC_CLIENT_IP: Setting<RequestRate> = "60/min",
        "How many authorization requests from one client address (or IPv6 network of 64 bits) the server stores for OpenID Connect clients without a secret: `POST /oidc/par` and `POST /oidc/device_authorization`. Each process counts for itself.",
        "600/min";
    APP_RATE_LIMIT_PROVISIONING: Setting<RequestRate> = "60/min",
        "How many requests to `/api/provisioning` each of its tokens may make.",
        "600/min";
    APP_RATE_LIMIT_APP_API: Setting<RequestRate> = "120/min",
        "How many requests to `/api/apps` each OpenID Connect client may make.",
        "600/min";
    APP_RATE_LIMIT_CLIENT_SECRETS_ADMIN: Setting<RequestRate> = "10/min",
        "How often an administrator may have the secret of an OpenID Connect client shown.",
        "1/min";
    APP_RATE_LIMIT_EXPORT_USER: Setting<RequestRate> = "5/h",
        "How often the owner of an account may export it, and how often an administrator may export one account.",
        "1/d";
    APP_RATE_LIMIT_TEST_MAILS: Setting<RequestRate> = "10/10min",
        "How many test mails each administrator may send.",
        "30/10min";
    APP_RATE_LIMIT_DELIVERY_TOKEN: Optional<RequestRate> = "no limit",
        "How often one delivery token may be used on this process, which counts for itself.",
        "1000/s";
    APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP: Setting<RequestRate> = "60/min",
        "How often one client address may use an unknown delivery token. Known tokens are not affected. Each process counts for itself.",
        "600/min";
}
