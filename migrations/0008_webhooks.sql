-- Deliveries to receivers outside (storage::shared::deliveries), and webhooks, the content wing's receivers.

-- Somebody to whom deliveries are sent, whatever wing owns it.
create table receivers (
    id              bigint generated always as identity primary key,
    kind            text not null,                 -- whose: 'webhook', …
    url             text not null,
    secret          bytea,                         -- sealed; null: deliveries are not signed
    previous_secret bytea,                         -- valid beside the new one
    previous_until  timestamptz,
    active          boolean not null default true, -- paused: what is owed waits
    health          text not null default 'new' check (health in ('new', 'well', 'failing')),
    failures        integer not null default 0,    -- in a row
    probe_at        timestamptz,                   -- the circuit is open until a probe at that time succeeds
    created_at      timestamptz not null,
    closed_at       timestamptz,                   -- its owner is gone; swept away
    check ((previous_secret is null) = (previous_until is null))
);

create index receivers_closed on receivers (closed_at) where closed_at is not null;

-- What is sent, fixed once. A delivery without a line in the queue has arrived.
create table deliveries (
    id           bigint generated always as identity primary key,
    public_id    uuid not null unique,             -- the 128 bits of whd_…
    receiver_id  bigint not null references receivers (id) on delete cascade,
    event        text not null,
    key          text not null,                    -- what it is about: deliveries of a key to a receiver go one after the other
    content_type text not null,
    body         bytea,                            -- null once it was expunged
    origin_seq   bigint,                           -- the number of the event that it was made of
    created_at   timestamptz not null
);

create index deliveries_receiver on deliveries (receiver_id, id);
create index deliveries_age on deliveries (created_at);
-- Making deliveries of the same event twice makes them once.
create unique index deliveries_origin on deliveries (receiver_id, origin_seq) where origin_seq is not null;

-- What is still to be done, and what was given up. Narrow, because each attempt rewrites its line.
create table delivery_queue (
    delivery_id bigint primary key references deliveries (id) on delete cascade,
    position    bigint generated always as identity,
    receiver_id bigint not null,
    key         text not null,
    due_at      timestamptz not null,
    failures    integer not null default 0,        -- in this round
    attempts    integer not null default 0,        -- in all rounds
    replayed    boolean not null default false,    -- asked for again
    lease_token uuid,
    lease_until timestamptz,
    buried_at   timestamptz,                       -- dead
    check ((lease_token is null) = (lease_until is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

create index delivery_queue_due on delivery_queue (receiver_id, due_at, position) where buried_at is null;
create index delivery_queue_order on delivery_queue (receiver_id, key, position) where buried_at is null;
create index delivery_queue_dead on delivery_queue (receiver_id, delivery_id) where buried_at is not null;

create table delivery_attempts (
    delivery_id bigint not null references deliveries (id) on delete cascade,
    number      integer not null,                  -- 1, 2, 3 … without a gap
    result      text not null,
    status      integer,
    answer      text,                              -- a piece of at most 4 KiB
    replayed    boolean not null,
    started_at  timestamptz not null,
    took_ms     integer not null,
    primary key (delivery_id, number)
);

create table webhooks (
    space_id    bigint not null references spaces (id) on delete cascade,
    id          bigint generated always as identity,
    receiver_id bigint not null unique references receivers (id),
    name        text not null,
    events      text[] not null,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    primary key (space_id, id)
);

-- How far the events of a space have been made into deliveries.
create table fan_outs (
    space_id   bigint primary key references spaces (id) on delete cascade,
    fanned_seq bigint not null
);
