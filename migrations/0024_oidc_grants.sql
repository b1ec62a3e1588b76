-- What the OpenID provider has granted to its clients, and the tokens that come of it. Clients are configuration and have no rows.

-- What one authorization request was granted. Its id is that of the authorization code, so that a code finds its grant.
create table oidc_grants (
    id         uuid primary key,
    client_id  text not null,
    user_id    uuid not null references users (id) on delete cascade,
    session_id uuid references sessions (id) on delete set null,
    scope      text[] not null,
    resources  text[] not null,
    claims     jsonb not null,                     -- the claims that were asked for by name
    nonce      text,
    auth_at    timestamptz not null,               -- when the person authenticated
    amr        text[] not null,                    -- how (RFC 8176)
    is_offline boolean not null,                   -- it has offline_access, and outlives the session
    created_at timestamptz not null,
    expires_at timestamptz not null,               -- no token of it is valid longer
    revoked_at timestamptz
);

create index oidc_grants_user on oidc_grants (user_id, client_id);
create index oidc_grants_session on oidc_grants (session_id) where session_id is not null;
create index oidc_grants_expiry on oidc_grants (expires_at);

-- Opaque access tokens, by their SHA-256 hashes. JWT access tokens are not stored.
create table oidc_access_tokens (
    hash       bytea primary key check (octet_length(hash) = 32),
    grant_id   uuid references oidc_grants (id) on delete cascade,  -- null: the client acts for itself
    client_id  text not null,
    scope      text[] not null,
    issued_at  timestamptz not null,
    expires_at timestamptz not null
);

create index oidc_access_tokens_grant on oidc_access_tokens (grant_id) where grant_id is not null;
create index oidc_access_tokens_expiry on oidc_access_tokens (expires_at);

-- Refresh tokens. Each is used once and then has a successor; all of a grant are one family.
create table oidc_refresh_tokens (
    hash          bytea primary key check (octet_length(hash) = 32),
    grant_id      uuid not null references oidc_grants (id) on delete cascade,
    scope         text[] not null,
    issued_at     timestamptz not null,
    expires_at    timestamptz not null,
    used_at       timestamptz,
    successor     bytea,                           -- the hash of the token that replaced it
    repeats       integer not null default 0,      -- how often it was used again within the grace
    superseded_at timestamptz,                     -- a successor that nobody used, and that a repeated use replaced
    check ((used_at is null) = (successor is null))
);

create index oidc_refresh_tokens_grant on oidc_refresh_tokens (grant_id);
create index oidc_refresh_tokens_expiry on oidc_refresh_tokens (expires_at);

-- What people have consented to.
create table oidc_consents (
    user_id    uuid not null references users (id) on delete cascade,
    client_id  text not null,
    scope      text[] not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, client_id)
);

-- The clients that a session signed in to: each is told when the session ends.
create table oidc_session_clients (
    session_id    uuid not null references sessions (id) on delete cascade,
    client_id     text not null,
    first_used_at timestamptz not null,
    primary key (session_id, client_id)
);

-- For the claim updated_at: when what clients are told of a person changed last.
alter table users add column updated_at timestamptz not null default now();
update users set updated_at = created_at;
