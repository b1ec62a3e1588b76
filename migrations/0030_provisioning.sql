-- Accounts that come from another system, and rate limits that hold across processes.

alter table users add column legacy_sub text check (legacy_sub <> '' and char_length(legacy_sub) <= 255);  -- the subject that the account had there, exactly as it was written

create unique index users_legacy_sub on users (legacy_sub);

-- A row for each caller of a limit that all processes count together. The callers are tokens, clients and administrators: they are few, so no row is removed.
create table rate_limits (
    name        text not null,                     -- of the limit
    caller      text not null,
    full_at     timestamptz not null,              -- when its bucket is full again
    is_admitted boolean not null,                  -- what became of the last request
    primary key (name, caller)
);
