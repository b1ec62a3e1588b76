-- The one lease mechanism (storage::queue): whatever must happen later is a row here, added by the transaction that causes it.

create table jobs (
    id          bigint generated always as identity primary key,
    queue       text not null,                     -- which kind of work; one actor claims one queue
    key         text not null,                     -- unfinished jobs of a key run one at a time, oldest first
    payload     jsonb not null default '{}',
    due_at      timestamptz not null,
    attempt     integer not null default 0,
    lease_token uuid,
    lease_until timestamptz,
    last_error  text,
    created_at  timestamptz not null,
    finished_at timestamptz,
    buried_at   timestamptz,                       -- dead-lettered, with last_error
    check ((lease_token is null) = (lease_until is null)),
    check (finished_at is null or buried_at is null)
);

create index jobs_open on jobs (queue, due_at, id) where finished_at is null and buried_at is null;
create index jobs_order on jobs (queue, key, id) where finished_at is null and buried_at is null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
