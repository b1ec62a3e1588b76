//! A row for each variable: the text of `docs/configuration.md`, and the defaults that the server uses.

mod mail;

use mail::MAIL;

/// The value of a variable that is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// This text, parsed like any other value.
    Text(&'static str),
    /// A value that depends on others; the text describes it in the documentation.
    Depends(&'static str),
}

/// A variable.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The syntax of its value.
    pub form: &'static str,
    /// The default.
    pub default: DefaultValue,
    /// Whether its value must not be shown. It may then also come from a file, named by the variable with the suffix `_FILE`.
    pub secret: bool,
    /// Its effect.
    pub about: &'static str,
    /// An example of a value.
    pub example: &'static str,
}

use DefaultValue::{Depends, Text};

const fn row(
    name: &'static str,
    form: &'static str,
    default: DefaultValue,
    about: &'static str,
    example: &'static str,
) -> Variable {
    Variable { name, form, default, secret: false, about, example }
}

const fn secret(
    name: &'static str,
    form: &'static str,
    default: DefaultValue,
    about: &'static str,
    example: &'static str,
) -> Variable {
    Variable { secret: true, ..row(name, form, default, about, example) }
}

/// Every variable.
pub const VARIABLES: &[Variable] = &ALL;

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports an index out of bounds")]
const ALL: [Variable; SERVER.len() + MAIL.len()] = {
    let mut all = [SERVER[0]; SERVER.len() + MAIL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < SERVER.len() { SERVER[at] } else { MAIL[at - SERVER.len()] };
        at += 1;
    }
    all
};

const SERVER: &[Variable] = &[
    row(
        "APP_SERVICES",
        "`content`, `identity`, or both with a comma",
        Text("content,identity"),
        "The services of this process. The endpoints of the other one return 404, so that each can be scaled by itself.",
        "content",
    ),
    row("APP_LISTEN", "address:port", Text("127.0.0.1:8080"), "Where the server listens. Port 0 takes a free one.", "0.0.0.0:80"),
    row(
        "APP_BASE_URL",
        "http or https URL without a path",
        Depends("`http://` and `APP_LISTEN`"),
        "The public URL of the server: the issuer of sessions, and the origin that requests with cookies may come from. They may also come from the origin that they are sent to (their `Host`).",
        "https://cms.example.com",
    ),
    row(
        "APP_DATA_DIR",
        "path",
        Depends(
            "`data` in the working directory; `/var/lib/lectern` when root starts the server in a directory that the user `postgres` cannot enter",
        ),
        "The directory of the private database, the generated secret and the lock against a second server.",
        "/var/lib/lectern",
    ),
    secret(
        "APP_DATABASE_URL",
        "`postgres://` URL",
        Depends("a private PostgreSQL in the data directory"),
        "The database. With `sslmode=require` (or `verify-full`) the connection is encrypted and the server's certificate checked against the roots that this machine trusts; without, it is not encrypted.",
        "postgres://lectern:password@db.example.com/lectern?sslmode=require",
    ),
    row(
        "APP_RESOLVE_LIMIT",
        "1 to 1000",
        Text("50"),
        "How many relations, or linked stories, one response of the Delivery API resolves. Above that it names their UUIDs, and clients fetch them.",
        "500",
    ),
    row("APP_DB_POOL_SIZE", "1 to 1000", Text("16"), "The largest number of connections of this process to the database.", "32"),
    secret(
        "APP_SECRET",
        "at least 32 bytes",
        Depends("a random one, created at the first start and stored in the data directory as `secret`"),
        "The root key: every other key is derived from it. All processes on one database need the same. Changing it ends all sessions and makes all tokens invalid.",
        "64 characters from `openssl rand -hex 32`",
    ),
    row(
        "APP_TRUSTED_PROXIES",
        "addresses and networks, with commas",
        Text(""),
        "The proxies whose `X-Forwarded-For` is trusted. Otherwise the client address is that of the connection.",
        "10.0.0.0/8,192.0.2.1",
    ),
    row(
        "APP_MAX_CONNECTIONS",
        "1 to 1000000",
        Text("4096"),
        "How many connections of clients may be open. Beyond that a new one takes the place of one of an address that has more, an idle one first, or waits to be accepted.",
        "10000",
    ),
    row(
        "APP_MAX_CONNECTIONS_PER_ADDRESS",
        "1 to 1000000",
        Text("256"),
        "How many connections one client address (or IPv6 network of 64 bits) may have open; further ones are closed. Those of `APP_TRUSTED_PROXIES` are not counted.",
        "1000",
    ),
    row(
        "APP_DNS_SERVERS",
        "addresses with commas, each with a port or for port 53",
        Depends("those of the system"),
        "The DNS servers for outgoing requests.",
        "10.0.0.2,10.0.0.3:5353",
    ),
    row(
        "APP_ALLOWED_PRIVATE_TARGETS",
        "addresses and networks, each with an optional port, separated by commas",
        Text(""),
        "Private addresses that webhooks and imports may connect to, for example a receiver on this machine during development. Reserved names (`localhost`) stay blocked: use the address. The well-known port of another protocol has to be named. A network does not include the metadata services of clouds in it (169.254.169.254 and others): their addresses have to be named one by one.",
        "127.0.0.1:3000,10.20.0.0/16,[fd00::/8]:8080",
    ),
    row(
        "APP_VENDOR_MAPI_URL",
        "http or https URL without a path",
        Depends("that of Storyblok, by region"),
        "The origin of Storyblok's Management API for imports, without `/v1`: for a proxy, or for a test. It does not pass the guard.",
        "https://mapi.storyblok.com",
    ),
    row(
        "APP_VENDOR_CDN_URL",
        "http or https URL without a path",
        Depends("that of Storyblok, by region"),
        "The origin of Storyblok's Content Delivery API for imports, without `/v2`. It does not pass the guard.",
        "https://api.storyblok.com",
    ),
    row(
        "APP_IMPORT_MEMORY_MB",
        "16 to 1048576",
        Text("256"),
        "How much of its source one import may hold in memory, in megabytes: its lists, which take 0.7 KB for a story or folder, the records that are read, and the page that is made of them. An import that needs more fails (`importTooLarge`). What is written meanwhile takes up to twice as much again.",
        "1024",
    ),
    row("APP_LOG_FORMAT", "`pretty` or `json`", Text("pretty"), "Text for people, or a JSON object for each line.", "json"),
    row(
        "APP_LOG_LEVEL",
        "`error`, `warn`, `info`, `debug`, `trace`, or by module",
        Text("info"),
        "The log level.",
        "info,lectern=debug",
    ),
    row(
        "APP_OTLP_ENDPOINT",
        "http or https URL without a path",
        Depends("nothing is sent"),
        "The collector that traces and metrics are sent to, by OTLP over HTTP (protobuf): to `/v1/traces` and `/v1/metrics`. What it does not take is lost, and requests do not wait for it.",
        "http://otel-collector:4318",
    ),
    secret(
        "APP_OTLP_HEADERS",
        "`name=value`, with commas",
        Depends("none"),
        "Headers of the requests to the collector.",
        "authorization=Bearer 1234",
    ),
    row(
        "APP_OTLP_TRACE_PERCENT",
        "0 to 100",
        Text("10"),
        "How many of a hundred traces are sent. A caller that says in `traceparent` whether its trace is recorded decides for its request.",
        "100",
    ),
    row(
        "APP_OTLP_INTERVAL",
        "seconds, 1 to 3600",
        Text("60"),
        "How often metrics are sent to the collector. Traces are sent after 5 seconds at the latest.",
        "15",
    ),
    secret(
        "APP_METRICS_TOKEN",
        "at least 16 bytes",
        Depends("`/metrics` returns 404"),
        "The bearer token of `/metrics`.",
        "32 characters from `openssl rand -hex 16`",
    ),
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
        "APP_PASSWORD_MIN_LENGTH",
        "8 to 64",
        Text("8"),
        "How many characters a new password must have. Very common passwords, and ones that contain the person's name or address, are refused whatever their length.",
        "15",
    ),
    row(
        "APP_PASSWORD_REQUIRE_UPPERCASE",
        "`true` or `false`",
        Text("false"),
        "Whether a new password must have an upper-case letter.",
        "true",
    ),
    row(
        "APP_PASSWORD_REQUIRE_LOWERCASE",
        "`true` or `false`",
        Text("false"),
        "Whether a new password must have a lower-case letter.",
        "true",
    ),
    row("APP_PASSWORD_REQUIRE_DIGIT", "`true` or `false`", Text("false"), "Whether a new password must have a digit.", "true"),
    row("APP_PASSWORD_REQUIRE_SYMBOL", "`true` or `false`", Text("false"), "Whether a new password must have a symbol.", "true"),
    row(
        "APP_ARGON2_MEMORY_KIB",
        "8 to 1048576, and at least 8 for each lane",
        Text("19456"),
        "The memory of one password hash (argon2id); each core keeps as much. A password whose hash has other costs is hashed again at the next sign-in.",
        "65536",
    ),
    row("APP_ARGON2_ITERATIONS", "1 to 16", Text("2"), "The number of passes of a password hash over its memory.", "3"),
    row(
        "APP_ACCOUNT_AUDIT_DAYS",
        "1 to 36500",
        Text("400"),
        "How many days an entry of the accounts' audit trail (sign-ins, changes of an account) is kept.",
        "90",
    ),
    row("APP_ARGON2_PARALLELISM", "1 to 16", Text("1"), "The number of lanes of a password hash.", "4"),
    row(
        "APP_NAME",
        "text",
        Text("Lectern"),
        "The name of the service in authenticator apps, and in browsers that ask for a passkey. Passwords may not contain it.",
        "Example Cloud",
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
    secret(
        "APP_OIDC_CLIENTS_JSON",
        "JSON array of objects, see [docs/clients.md](clients.md)",
        Depends("no clients"),
        "The applications that people sign in to through this server (OpenID Connect). Every fault stops the start, with a line for each.",
        r#"[{"clientId":"web-app","redirectUris":["https://app.example.com/callback"]}]"#,
    ),
    secret(
        "APP_ADMIN_API_TOKENS_JSON",
        "JSON array of objects, each with `id` (1 to 64 of a-z, 0-9, _ and -) and `token` (32 to 512 characters)",
        Depends("none: provisioning is off"),
        "The tokens that may import accounts through `/api/provisioning`, see [docs/moving-users.md](moving-users.md). Several are accepted at once, so that one can replace another. The audit trail names their ids. Without any, these paths return 404. Every fault stops the start, with a line for each.",
        r#"[{"id":"importer","token":"64 characters from openssl rand -hex 32"}]"#,
    ),
    secret(
        "APP_CLIENT_SECRET_MASTER",
        "at least 32 bytes",
        Depends("derived from `APP_SECRET`"),
        "The master secret that the secrets of OpenID Connect clients are derived from. Changing it changes all of them.",
        "64 characters from `openssl rand -hex 32`",
    ),
    secret(
        "APP_CLIENT_SECRET_MASTER_PREVIOUS",
        "at least 32 bytes",
        Depends("none"),
        "The master secret before the current one. Secrets that were derived from it are accepted too, until every client has its new one and this is removed.",
        "the former value of `APP_CLIENT_SECRET_MASTER`",
    ),
    row(
        "APP_OIDC_RESOURCE_AUDIENCE",
        "absolute URIs, with commas or as a JSON array",
        Text(""),
        "The resources that access tokens may be issued for (RFC 8707). A client that names one gets a JWT (RFC 9068) with this audience; any other one is `invalid_target`. They are compared as they are, also a slash at the end.",
        "https://api.example.com,https://reports.example.com",
    ),
    row(
        "APP_OIDC_JWT_ACCESS_TTL",
        "seconds, 10 to 86400",
        Text("900"),
        "How long an access token lasts that is a JWT, unless the client has an `accessTokenTtl`. Its receivers do not ask this server whether it was revoked.",
        "300",
    ),
    row(
        "APP_OIDC_REFRESH_GRACE",
        "seconds, 0 to 60",
        Text("10"),
        "How long a refresh token that was used may be used again, for a client that did not get the response. Later uses revoke all tokens of the grant.",
        "0",
    ),
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
    row(
        "APP_DELIVERY_CACHE_MB",
        "0 to 1048576",
        Text("64"),
        "The size of the cache of the Delivery API in megabytes. With 0 each read queries the database.",
        "512",
    ),
    row(
        "APP_DELIVERY_LIST_KEYS_MB",
        "0 to 65536",
        Text("16"),
        "How many megabytes of keys of lists are kept: with them, the second page of a list of the Delivery API and every further one costs the look-up of its own stories. A list takes 8 bytes for each story that matches. Spaces whose stories would take more than a quarter of it do without, and so does every space with 0.",
        "64",
    ),
    row(
        "APP_DELIVERY_AT_ONCE",
        "1 to 1000",
        Depends("4 for each core"),
        "How many responses of the Delivery API that are not in the cache are rendered at a time. Others wait, at most 2 seconds. More help when the database is far away. A quarter of the connections of `APP_DB_POOL_SIZE`, two at least, is kept free of them, and one space has at most half of them.",
        "12",
    ),
    row(
        "APP_DELIVERY_STATEMENT_TIMEOUT",
        "1 to 30 seconds",
        Text("2"),
        "How long PostgreSQL may work on a response of the Delivery API. A query that takes longer, or would by an estimate, is refused with 422. The map of all links of a space may take five times as long.",
        "5",
    ),
    row(
        "APP_RESPONSE_MEMORY_MB",
        "1 to 1048576",
        Text("256"),
        "How many megabytes of responses may be under way to clients beside the cache of the Delivery API. At that size a further one takes the memory of one that its client does not read, of the address that has the most, or waits 2 seconds and is refused with 503. Responses from the cache need none of it.",
        "1024",
    ),
    row(
        "APP_RESPONSE_MAX_MB",
        "1 to 1024",
        Text("64"),
        "How large a response of the content service may be, in megabytes, and what is read from the database for it. A larger one is refused with 422. The map of all links of 100,000 stories has 40 MB.",
        "128",
    ),
    row(
        "APP_ASSET_MAX_MB",
        "1 to 10240",
        Text("100"),
        "The largest file that can be uploaded or imported, in megabytes. A proxy in front has a limit of its own.",
        "500",
    ),
    row(
        "APP_IMAGE_CACHE_MB",
        "0 to 1048576",
        Text("1024"),
        "How many megabytes of results of the image service are kept beside the files of assets, of all servers on one database together. Those that were not used for longest go first. 0 keeps none.",
        "10240",
    ),
    row(
        "APP_IMAGE_MEMORY_MB",
        "0 to 1048576",
        Text("64"),
        "How many megabytes of results of the image service each process keeps in its memory. 0 keeps none.",
        "256",
    ),
    row(
        "APP_IMAGE_WORKERS",
        "1 to 1024",
        Depends("one for each core"),
        "How many images are worked on at a time. Each takes about 4 bytes for each pixel of its original and of its result, and the file itself. Further ones wait; a space has at most half of the places.",
        "2",
    ),
    row(
        "APP_IMAGE_TIMEOUT",
        "1 to 20 seconds",
        Text("10"),
        "How long one image may take. One that takes longer is refused with 422.",
        "5",
    ),
    row(
        "APP_IMAGE_MAX_MEGAPIXELS",
        "1 to 500",
        Text("50"),
        "How many million pixels an image may have for the image service. One that has more is refused with 422, before it is decoded.",
        "100",
    ),
    row(
        "APP_S3_ENDPOINT",
        "http or https URL without a path",
        Depends("assets lie in the data directory, in `assets`"),
        "The object store that holds the assets. Several servers on one database need one. `APP_S3_BUCKET`, `APP_S3_ACCESS_KEY` and `APP_S3_SECRET_KEY` are needed with it.",
        "https://s3.eu-central-1.amazonaws.com",
    ),
    row(
        "APP_S3_BUCKET",
        "name of a bucket",
        Depends("needed with `APP_S3_ENDPOINT`"),
        "The bucket, which has to exist. It is for one installation: objects without an asset in this database are removed.",
        "lectern-assets",
    ),
    row("APP_S3_REGION", "name of a region", Text("us-east-1"), "The region that requests are signed for.", "eu-central-1"),
    secret(
        "APP_S3_ACCESS_KEY",
        "access key",
        Depends("needed with `APP_S3_ENDPOINT`"),
        "The access key of the object store.",
        "the name of a key that can read, write, list and delete objects of the bucket",
    ),
    secret(
        "APP_S3_SECRET_KEY",
        "secret key",
        Depends("needed with `APP_S3_ENDPOINT`"),
        "The secret of that access key.",
        "what was shown when the key was made",
    ),
    row(
        "APP_RATE_LIMITS",
        "`on` or `off`",
        Text("on"),
        "Whether requests are rate limited. `off` is for tests and load tests.",
        "off",
    ),
    row(
        "APP_RATE_LIMIT_LOGIN_IP",
        "rate: so many each `s`, `min`, `h` or `d`, or each `15min`",
        Text("20/min"),
        "How often one client address (or IPv6 network of 64 bits) may try to sign in.",
        "100/min",
    ),
    row(
        "APP_RATE_LIMIT_LOGIN_FAILURES_IP",
        "rate",
        Text("100/h"),
        "How often one client address (or IPv6 network of 64 bits) may try wrong passwords and codes.",
        "1000/h",
    ),
    row(
        "APP_RATE_LIMIT_LOGIN_CODES",
        "rate",
        Text("10/h"),
        "How often a login code is mailed to one account. A browser that signed in before has a count of its own.",
        "20/h",
    ),
    row(
        "APP_LOCKOUT_FAILURES",
        "2 to 100",
        Text("5"),
        "After how many wrong passwords for one mail address within `APP_LOCKOUT_WINDOW` further attempts are refused for `APP_LOCKOUT_WAIT`, whether the address has an account or not. Each further wrong one doubles the wait. A browser that signed in before has a count of its own.",
        "10",
    ),
    row(
        "APP_LOCKOUT_CODE_FAILURES",
        "2 to 100",
        Text("10"),
        "The same for wrong codes that one account types: those of its second factor, and those of devices.",
        "5",
    ),
    row(
        "APP_LOCKOUT_MAILED_CODE_FAILURES",
        "2 to 100",
        Text("10"),
        "After how many wrong mailed codes for one account within an hour further ones are refused for an hour.",
        "5",
    ),
    row("APP_LOCKOUT_WINDOW", "seconds, 1 to 86400", Text("900"), "The time within which failures are counted together.", "1800"),
    row("APP_LOCKOUT_WAIT", "seconds, 1 to 86400", Text("60"), "The first wait.", "30"),
    row("APP_LOCKOUT_MAX_WAIT", "seconds, 1 to 86400", Text("900"), "The longest wait.", "3600"),
    row("APP_LOCKOUT_FORGET", "seconds, 1 to 86400", Text("43200"), "How long after the last failure the count is reset.", "86400"),
    row(
        "APP_LOCKOUT_PER_DAY",
        "2 to 100000",
        Text("100"),
        "The largest number of failures within 24 hours, whatever the waits.",
        "1000",
    ),
    row("APP_RATE_LIMIT_REGISTER_IP", "rate", Text("10/h"), "How often one client address may try to register.", "100/d"),
    row(
        "APP_RATE_LIMIT_REGISTER_ADDRESS",
        "rate",
        Text("1/h"),
        "How often the owner of a mail address gets a notice that it was registered again. The response does not reveal that the address has an account.",
        "1/d",
    ),
    row(
        "APP_RATE_LIMIT_MAIL_IP",
        "rate",
        Text("20/h"),
        "How often one client address may request mails: verification links and links to set a new password.",
        "100/h",
    ),
    row(
        "APP_RATE_LIMIT_MAIL_ADDRESS",
        "rate",
        Text("3/h"),
        "How many such mails are sent to one mail address. Further requests get the same response, and no mail is sent.",
        "5/h",
    ),
    row("APP_RATE_LIMIT_LINK_IP", "rate", Text("20/h"), "How many invalid links of mails one client address may try.", "100/h"),
    row(
        "APP_RATE_LIMIT_PASSKEYS_IP",
        "rate",
        Text("30/min"),
        "How often one client address may begin or finish an operation with a passkey: each sign-in counts as two.",
        "100/min",
    ),
    row(
        "APP_RATE_LIMIT_NEW_PASSWORD_USER",
        "rate",
        Text("10/15min"),
        "How many new passwords may be tried for one account, by its owner or by a mailed link. Each is compared with the previous ones, which takes time.",
        "5/15min",
    ),
    row(
        "APP_RATE_LIMIT_CLIENT_FAILURES",
        "rate",
        Text("30/min"),
        "How often requests from one client address (or IPv6 network of 64 bits) may fail to authenticate the same OpenID Connect client.",
        "100/min",
    ),
    row(
        "APP_RATE_LIMIT_PUBLIC_CLIENT_IP",
        "rate",
        Text("60/min"),
        "How many authorization requests from one client address (or IPv6 network of 64 bits) the server stores for OpenID Connect clients without a secret: `POST /oidc/par` and `POST /oidc/device_authorization`.",
        "600/min",
    ),
    row(
        "APP_RATE_LIMIT_PROVISIONING",
        "rate",
        Text("60/min"),
        "How many requests to `/api/provisioning` each of its tokens may make, at all processes together.",
        "600/min",
    ),
    row(
        "APP_RATE_LIMIT_APP_API",
        "rate",
        Text("120/min"),
        "How many requests to `/api/apps` each OpenID Connect client may make, at all processes together.",
        "600/min",
    ),
    row(
        "APP_RATE_LIMIT_CLIENT_SECRETS_ADMIN",
        "rate",
        Text("10/min"),
        "How often an administrator may have the secret of an OpenID Connect client shown.",
        "1/min",
    ),
    row(
        "APP_RATE_LIMIT_EXPORT_USER",
        "rate",
        Text("5/h"),
        "How often the owner of an account may export it, and how often an administrator may export one account.",
        "1/d",
    ),
    row(
        "APP_RATE_LIMIT_TEST_MAILS",
        "rate",
        Text("10/10min"),
        "How many test mails each administrator may send, at all processes together.",
        "30/10min",
    ),
    row(
        "APP_RATE_LIMIT_DELIVERY_TOKEN",
        "rate",
        Depends("no limit"),
        "How often one delivery token may be used on this process.",
        "1000/s",
    ),
    row(
        "APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP",
        "rate",
        Text("60/min"),
        "How often one client address may use an unknown delivery token. Known tokens are not affected.",
        "600/min",
    ),
    row(
        "APP_WEBHOOK_BACKOFF",
        "four waits with commas, each in `ms`, `s`, `m` or `h`",
        Text("10s,1m,5m,30m"),
        "How long a failed webhook delivery waits for its second, third, fourth and fifth attempt. Each wait has a jitter of 20 per cent; a receiver's `Retry-After` makes it longer, up to an hour.",
        "1s,10s,1m,10m",
    ),
    row(
        "APP_WEBHOOK_KEEP_DAYS",
        "1 to 36500",
        Text("30"),
        "How long webhook deliveries are kept, with their bodies and the responses of receivers. Dead letters are kept longer, without these.",
        "7",
    ),
    row("APP_WEBHOOK_DEAD_LETTER_DAYS", "1 to 36500", Text("90"), "How long dead letters of webhooks are kept.", "365"),
    row(
        "APP_STOP_DELAY",
        "seconds, 0 to 600",
        Text("0"),
        "After a signal to stop, how long `/api/ready` returns 503 while requests are still accepted, so that a load balancer can react.",
        "10",
    ),
    row(
        "APP_STOP_TIMEOUT",
        "seconds, 0 to 3600",
        Text("30"),
        "How long running requests may take after that. Then they are cut off.",
        "60",
    ),
];

/// The row of a variable.
pub fn find(name: &str) -> Option<&'static Variable> {
    VARIABLES.iter().find(|variable| variable.name == name)
}
