-- Accounts, sessions and the account side's audit trail.

create table users (
    id             uuid primary key,
    email          text not null,                  -- trimmed and lower-cased: the form that is compared
    first_name     text not null,
    last_name      text,
    display_name   text,
    locale         text not null,
    password_hash  text,                           -- a PHC string; null for an account without a password
    is_admin       boolean not null default false,
    email_verified boolean not null default false,
    suspended_at   timestamptz,
    token_version  integer not null default 0,     -- raising it ends every session of the account
    created_at     timestamptz not null,
    last_login_at  timestamptz
);

create unique index users_email on users (email);

-- The first registered user becomes admin by taking this one row, never by counting (decisions 30). No foreign key: the row outlives
-- the account, or deleting the first admin would make the next stranger who registers one.
create table first_admin (
    taken   boolean primary key default true check (taken),
    user_id uuid not null
);

create table sessions (
    id            uuid primary key,
    user_id       uuid not null references users (id) on delete cascade,
    token_version integer not null,                -- the account's at sign-in; a session is dead when they differ
    ip            inet,
    user_agent    text,
    amr           text[] not null,                 -- RFC 8176
    auth_at       timestamptz not null,
    created_at    timestamptz not null,
    last_seen_at  timestamptz not null,
    expires_at    timestamptz not null,
    revoked_at    timestamptz
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table account_audit (
    id         bigint generated always as identity primary key,
    user_id    uuid,                               -- no foreign key: the entry outlives the account
    event      text not null,
    status     text not null check (status in ('success', 'failure')),
    ip         inet,
    user_agent text,
    request_id uuid,
    details    jsonb not null default '{}',
    created_at timestamptz not null
);

create index account_audit_user on account_audit (user_id, id desc);
create index account_audit_failures on account_audit (user_id, created_at) where event = 'auth.login.failure';
create index account_audit_age on account_audit (created_at);
