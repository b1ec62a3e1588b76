-- The device authorization grant (RFC 8628): what devices ask for, each until a person has decided and the tokens were fetched.

create table oidc_device_codes (
    id           uuid primary key,                                             -- that of the grant too, once the person has allowed it
    device_hash  bytea not null unique check (octet_length(device_hash) = 32), -- SHA-256 of the device code
    user_hash    bytea not null unique check (octet_length(user_hash) = 32),   -- keyed, because a user code is short
    client_id    text not null,
    scope        text[] not null,
    resources    text[] not null,
    dpop_jkt     text,                                                         -- the key that the device code is bound to
    poll_seconds integer not null check (poll_seconds > 0),                    -- the wait between two requests for tokens
    polled_at    timestamptz,
    decision     text check (decision in ('allowed', 'denied')),
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    used_at      timestamptz
);

create index oidc_device_codes_expiry on oidc_device_codes (expires_at);
