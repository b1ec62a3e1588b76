-- Second factors, the browsers that an account knows, and how often somebody failed.

create table totp (
    user_id       uuid primary key references users (id) on delete cascade,
    secret        bytea,                           -- sealed; null until a first app was confirmed
    enabled_at    timestamptz,
    last_step     bigint,                          -- the newest step that was used up
    pending       bytea,                           -- sealed; of an app that was not confirmed yet
    pending_until timestamptz,
    check ((secret is null) = (enabled_at is null)),
    check ((pending is null) = (pending_until is null))
);

create table known_devices (
    id            bigint generated always as identity primary key,
    user_id       uuid not null references users (id) on delete cascade,
    hash          bytea not null unique,           -- SHA-256 of the browser's cookie
    browser       text not null,                   -- domain::identity::device::browser
    network       text,                            -- domain::identity::device::network
    first_seen_at timestamptz not null,
    last_seen_at  timestamptz not null
);

create index known_devices_user on known_devices (user_id, last_seen_at);
create index known_devices_age on known_devices (last_seen_at);

-- One row for each thing that is guessed at: an address, whether it has an account or not; an account's second factor; and each of these once more
-- for every browser that the account knows. Attempts are written down before they are looked at, so that several processes together allow no more than one would.
create table guesses (
    key          bytea primary key,                -- keyed hash of what is guessed at
    recent       timestamptz[] not null,           -- when somebody failed within the window
    waits        integer not null,                 -- how many waits there were since the last success
    locked_until timestamptz,
    last_at      timestamptz not null,
    day_since    timestamptz not null,
    day_count    integer not null,                 -- failures since then
    tried        bigint not null,                  -- every attempt, also those that were turned away
    admitted     boolean not null                  -- what became of the last one
);

create index guesses_age on guesses (last_at);
