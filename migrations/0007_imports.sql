-- Imports of whole spaces. The row is the truth of a job; its lease is a row of jobs (queue 'import' or 'import.local').

create table import_jobs (
    id               bigint generated always as identity,
    space_id         bigint not null references spaces (id) on delete cascade,
    status           text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    dry_run          boolean not null,
    source           jsonb not null,               -- where the records come from, see domain::content::import::SourceRef
    sealed_token     bytea,                        -- the source's token, encrypted; gone when the job is over
    phase            text not null,
    cursor           bigint not null default 0,    -- how far in that phase
    done             bigint not null default 0,    -- records that came
    total            bigint,                       -- records that are to come, as far as the source told
    rate             double precision not null default 0,
    report           json not null,                -- json, because it is read as it was written
    error_code       text,
    error_message    text,
    cancel_requested boolean not null default false,
    source_print     bytea,                        -- of the source that it began with, when cursors are places in it
    progressed_in    integer not null default 0,   -- the attempt of the lease in which it last got on
    actor_type       text not null,
    actor_id         text not null,
    actor_label      text not null,
    created_at       timestamptz not null,
    started_at       timestamptz,
    updated_at       timestamptz not null,
    finished_at      timestamptz,
    primary key (space_id, id),
    check ((status in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null)),
    check (finished_at is null or sealed_token is null)
);

create unique index import_jobs_one on import_jobs (space_id) where finished_at is null;

-- What a record of a source is here, so that a second import finds it again.
create table import_ids (
    space_id        bigint not null references spaces (id) on delete cascade,
    source_space_id bigint not null,
    kind            text not null,
    source_id       bigint not null,
    id              bigint not null,
    fingerprint     bytea,                         -- of what was stored; null: the number is only reserved
    primary key (space_id, source_space_id, kind, source_id)
);
