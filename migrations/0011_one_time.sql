-- What can be used once (decisions 29): links that are mailed, codes, challenges. And the passwords that an account had before.

create table one_time (
    id            uuid primary key,
    kind          text not null,                   -- domain::identity::one_time::Kind
    user_id       uuid references users (id) on delete cascade,
    session_id    uuid references sessions (id) on delete cascade,
    hash          bytea not null,                  -- never the secret itself
    payload       jsonb not null default '{}',
    attempts_left integer check (attempts_left >= 0),  -- null: guesses are not counted, the secret is too long for them
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    used_at       timestamptz
);

create unique index one_time_hash on one_time (kind, hash);
create index one_time_user on one_time (user_id, kind);
create index one_time_session on one_time (session_id) where session_id is not null;
create index one_time_expiry on one_time (expires_at);

create table former_passwords (
    id            bigint generated always as identity primary key,
    user_id       uuid not null references users (id) on delete cascade,
    password_hash text not null,
    replaced_at   timestamptz not null
);

create index former_passwords_user on former_passwords (user_id, id);

-- For the export: since when there is a password, and since when it is this one.
alter table users add column password_created_at timestamptz, add column password_changed_at timestamptz;
